import { beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { LateGroups } from './late-groups.js';

const full = new ServiceError('unavailable', 'QueueFull', 'too much work waits for group 1', { group: 1 });
const submit = (number: number) => ({ template: new Uint8Array(200).fill(number, 136) });
const [first, second, third] = [submit(1), submit(2), submit(3)];

describe('groups that are late', () => {
  let now = 0;
  let late: LateGroups;
  beforeEach(() => {
    now = 0;
    late = new LateGroups({ monotonic: () => now });
    late.enter(1, first);
    late.refused(1, first, full);
  });

  it('refuse what others send for a while, in the words of the group', () => {
    expect(() => late.enter(1, second)).toThrow(full);
    now = 499;
    expect(() => late.enter(1, second)).toThrow(full);
    now = 500;
    late.enter(1, second);
  });

  it('are asked for who was refused again, too, when the while is over', () => {
    expect(() => late.enter(1, first)).toThrow(full);
    now = 500;
    late.enter(1, first);
  });

  it('do not speak for other groups', () => {
    late.enter(2, second);
  });

  it('tell everybody what became of what they have not refused', () => {
    now = 500;
    late.enter(1, second);
    late.refused(1, second, new ServiceError('unavailable', 'DeadlineExceeded', 'no answer'));
    late.enter(1, third);
    late.refused(1, third, full);
    expect(() => late.enter(1, third)).toThrow(full);
    late.enter(1, second);
  });

  it('are those only that have refused for want of time', () => {
    late.refused(3, first, new ServiceError('unavailable', 'MempoolFull', 'full'));
    late.refused(3, first, new ServiceError('refused', 'InvalidSignature', 'no'));
    late.enter(3, second);
  });
});

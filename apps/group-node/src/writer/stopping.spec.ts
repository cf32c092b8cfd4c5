import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { Stopping } from './stopping.js';
import { WorkQueue } from './work-queue.js';

describe('a node that stops', () => {
  it('rejects pending callers with 503 and its group, not with a fault', async () => {
    const queue = new WorkQueue({ group: 2, capacity: 5, now: () => 0, yieldTick: () => Promise.resolve() });
    const waiting = queue.run('admit', () => 1);
    const stopped = queue.abort(new Stopping(2));
    const refusal = { kind: 'unavailable', code: 'Stopping', detail: 'group-node 2 is stopping', data: { group: 2 } };
    await expect(waiting).rejects.toMatchObject(refusal);
    await expect(waiting).rejects.toBeInstanceOf(ServiceError);
    await expect(queue.run('admit', () => 2)).rejects.toMatchObject(refusal);
    await stopped;
  });
});

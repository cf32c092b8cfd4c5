import { type ServiceError } from '@shardnode/core/errors';
import { serviceError } from './service-errors.js';

/** What a refused asker is told to wait. */
const retryAfterSeconds = 1;

const busyText = (groups: readonly number[]): string =>
  groups.length === 1 ? `Group ${groups[0]} has` : `Groups ${groups.join(', ')} have`;

/** As much work waits for these groups as they can do in time: refused at once, and to be asked again (`QueueFull`). */
export const queueFull = (...groups: readonly [number, ...number[]]): ServiceError =>
  serviceError(
    'QueueFull',
    `${busyText(groups)} more work than can be done in time: nothing was done, ask again in ${retryAfterSeconds} s`,
    { group: groups[0], retryAfterSeconds },
  );

import { type ServiceError } from '@shardnode/core/errors';
import { serviceError } from './service-errors.js';

/** Retry delay of a refused request. */
const retryAfterSeconds = 1;

const busyText = (groups: readonly number[]): string =>
  groups.length === 1 ? `Group ${groups[0]} has` : `Groups ${groups.join(', ')} have`;

/** The queues of these groups are full: the request is refused at once and may be retried (`QueueFull`). */
export const queueFull = (...groups: readonly [number, ...number[]]): ServiceError =>
  serviceError(
    'QueueFull',
    `${busyText(groups)} more work than can be done in time: nothing was done, ask again in ${retryAfterSeconds} s`,
    { group: groups[0], retryAfterSeconds },
  );

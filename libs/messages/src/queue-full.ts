import { type ServiceError } from '@shardnode/core/errors';
import { serviceError } from './service-errors.js';

const busyText = (groups: readonly number[]): string =>
  groups.length === 1 ? `Group ${groups[0]} has` : `Groups ${groups.join(', ')} have`;

/**
 * The queues of these groups hold as much as can be done in time: the request is refused, and may be sent again after so
 * many milliseconds, in whole seconds (`QueueFull`).
 */
export const queueFull = (groups: readonly [number, ...number[]], waitMs: number): ServiceError => {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1_000));
  return serviceError(
    'QueueFull',
    `${busyText(groups)} more work than can be done in time: nothing was done, ask again in ${retryAfterSeconds} s`,
    { group: groups[0], retryAfterSeconds },
  );
};

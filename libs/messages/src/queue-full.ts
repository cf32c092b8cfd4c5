import { ServiceError } from '@shardnode/core/errors';

/** What a refused asker is told to wait. */
const retryAfterSeconds = 1;

/** As much work waits for a group as it can do in time: refused at once, and to be asked again (`QueueFull`). */
export const queueFull = (group: number): ServiceError =>
  new ServiceError('unavailable', 'QueueFull', `too much work waits for group ${group}; try again`, {
    group,
    retryAfterSeconds,
  });

import { ServiceError } from '@shardnode/core/errors';

/** What a refused asker is told to wait. */
const retryAfterSeconds = 1;

/** As much work waits for these groups as they can do in time: refused at once, and to be asked again (`QueueFull`). */
export const queueFull = (...groups: readonly [number, ...number[]]): ServiceError =>
  new ServiceError('unavailable', 'QueueFull', `too much work waits for group ${groups.join(', ')}; try again`, {
    group: groups[0],
    retryAfterSeconds,
  });

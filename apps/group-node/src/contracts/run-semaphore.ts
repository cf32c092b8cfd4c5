import { Semaphore, type SemaphoreOptions } from '@shardnode/core/concurrency';
import { serviceError } from '@shardnode/messages';
import { type ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';

/** The refusal of a run of clients' code above a limit. */
export const tooManyRuns = (): ServiceError =>
  serviceError('TooManyRuns', 'The group-node runs as many contracts for others as it can: ask again in 1 s', {
    retryAfterSeconds: 1,
  });

/** Limits the concurrent runs of clients' code. A rejected caller gets `TooManyRuns`. */
export const runSemaphore = (
  limits: Pick<SemaphoreOptions, 'permits' | 'maxWaiting' | 'maxWaitMs'>,
  clock: Pick<Clock, 'monotonic'>,
): Semaphore => new Semaphore({ ...limits, now: () => clock.monotonic(), full: tooManyRuns });

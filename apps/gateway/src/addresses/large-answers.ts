import { Semaphore } from '@shardnode/core/concurrency';
import { errorOf } from '@shardnode/http';

/** A response of 300,000 outputs is some 80 megabytes of text. */
const defaultLimits = {
  /** Responses that are being built, or are built and not yet received by their clients. */
  permits: 2,
  /** Requests that wait for a permit. */
  maxWaiting: 8,
};

const retryAfterSeconds = 5;

/**
 * Semaphore of responses that are too large for an unbounded number in memory. A request above the limit gets
 * `ServerBusy`.
 */
export const largeAnswers = ({ permits, maxWaiting } = defaultLimits): Semaphore =>
  new Semaphore({
    permits,
    maxWaiting,
    full: () =>
      errorOf('ServerBusy', `${maxWaiting} requests wait for their large answers already`, { retryAfterSeconds }),
  });

import { Semaphore } from '@shardnode/core/concurrency';
import { errorOf } from '@shardnode/http';

/** An answer of 300,000 outputs is some 80 megabytes of text. */
const defaultLimits = {
  /** Answers that are being made, or are made and not yet taken by their clients. */
  permits: 2,
  /** Requests that wait for a permit. */
  maxWaiting: 8,
};

const retryAfterSeconds = 5;

/** Permits for answers that are too large to be held in any number. One request too many gets `ServerBusy`. */
export const largeAnswers = ({ permits, maxWaiting } = defaultLimits): Semaphore =>
  new Semaphore({
    permits,
    maxWaiting,
    full: () =>
      errorOf('ServerBusy', `${maxWaiting} requests wait for their large answers already`, { retryAfterSeconds }),
  });

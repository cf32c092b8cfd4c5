import { ServiceError } from '../errors/index.js';
import { type Clock } from '../lifecycle/clock.js';
import { type BusObserver } from './bus.js';

/** Reports outcome and duration to the observer and passes the outcome on. */
export const observed = async (
  outcome: Promise<unknown>,
  observer: BusObserver,
  clock: Clock,
  subject: string,
): Promise<unknown> => {
  const startedAt = clock.monotonic();
  const seconds = (): number => (clock.monotonic() - startedAt) / 1000;
  try {
    const reply = await outcome;
    observer.requestEnded(subject, 'ok', seconds());
    return reply;
  } catch (error) {
    observer.requestEnded(subject, error instanceof ServiceError ? error.kind : 'broken', seconds());
    throw error;
  }
};

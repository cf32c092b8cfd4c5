import { ServiceError } from '../errors/index.js';
import { unavailableReason } from './unavailable.js';

/** Makes the error for callers. @param reason a clause about the service: `its database does not answer` */
export type Unavailable = (reason: string, cause: unknown) => Error;

const translated = (error: unknown, unavailable: Unavailable): unknown => {
  const reason = error instanceof ServiceError ? undefined : unavailableReason(error);
  return reason === undefined ? error : unavailable(reason, error);
};

async function* pagesOf<T>(pages: AsyncIterable<T>, unavailable: Unavailable): AsyncIterable<T> {
  try {
    yield* pages;
  } catch (error) {
    throw translated(error, unavailable);
  }
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

type Method = (...args: unknown[]) => unknown;

/**
 * Wraps a store so that its methods reject with the error of `unavailable` when the database is unavailable
 * (`unavailableReason`). So callers need not know database errors.
 * @param store an object literal of functions and values
 */
export const withReasons = <Store extends object>(store: Store, unavailable: Unavailable): Store => {
  const translating =
    (method: Method): Method =>
    (...args) => {
      const result = method(...args);
      if (isAsyncIterable(result)) return pagesOf(result, unavailable);
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) => {
        throw translated(error, unavailable);
      });
    };
  const entries = Object.entries(store).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'function' ? translating(value as Method) : value,
  ]);
  return Object.fromEntries(entries) as Store;
};

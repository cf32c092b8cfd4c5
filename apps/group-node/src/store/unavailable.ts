import { unavailableReason } from '@shardnode/core/database';
import { ServiceError } from '@shardnode/core/errors';

/** What callers are told while the store cannot be used: 503 with the reason and the group. */
export const storeUnavailable = (group: number, reason: string, cause?: unknown): ServiceError =>
  Object.assign(
    new ServiceError('unavailable', 'StoreUnavailable', `the store of group ${group} cannot be used: ${reason}`, {
      group,
      reason,
    }),
    { cause },
  );

/** The error as callers are to see it: the trouble of the database as `unavailable`, anything else as it is. */
const translated = (group: number, error: unknown): unknown => {
  const reason = error instanceof ServiceError ? undefined : unavailableReason(error);
  return reason === undefined ? error : storeUnavailable(group, reason, error);
};

async function* pagesOf<T>(group: number, pages: AsyncIterable<T>): AsyncIterable<T> {
  try {
    yield* pages;
  } catch (error) {
    throw translated(group, error);
  }
}

const isAsyncIterable = (value: unknown): value is AsyncIterable<unknown> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

type Method = (...args: unknown[]) => unknown;

/** The same store, whose methods say `unavailable` where the database is in trouble: no caller has to know its errors. */
export const withReasons = <Store extends { readonly group: number }>(store: Store): Store => {
  const { group } = store;
  const translating =
    (method: Method): Method =>
    (...args) => {
      const result = method(...args);
      if (isAsyncIterable(result)) return pagesOf(group, result);
      if (!(result instanceof Promise)) return result;
      return result.catch((error: unknown) => {
        throw translated(group, error);
      });
    };
  const entries = Object.entries(store).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'function' ? translating(value as Method) : value,
  ]);
  return Object.fromEntries(entries) as Store;
};

import { ServiceError } from '@shardnode/core/errors';

/** The reply, or undefined in place of a group's `not-found`. */
export const orUndefined = async <Value>(reply: Promise<Value>): Promise<Value | undefined> => {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') return undefined;
    throw error;
  }
};

/** The reply, or this error in place of a group's `not-found`. */
export const orNotFound = async <Value extends object>(
  reply: Promise<Value>,
  notFound: () => Error,
): Promise<Value> => {
  const value = await orUndefined(reply);
  if (value === undefined) throw notFound();
  return value;
};

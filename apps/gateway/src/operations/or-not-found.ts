import { ServiceError } from '@shardnode/core/errors';

/** The reply, or this error in place of a group's `not-found`. */
export const orNotFound = async <Value>(reply: Promise<Value>, notFound: () => Error): Promise<Value> => {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof ServiceError && error.kind === 'not-found') throw notFound();
    throw error;
  }
};

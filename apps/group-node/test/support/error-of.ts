import { ServiceError } from '@shardnode/core/errors';

/** The error of an action that must be refused. */
export const errorOf = async (action: Promise<unknown>): Promise<ServiceError> => {
  const error: unknown = await action.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ServiceError)) throw new Error(`no refusal: ${String(error)}`);
  return error;
};

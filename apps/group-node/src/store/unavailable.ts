import { type ServiceError } from '@shardnode/core/errors';
import { serviceError } from '@shardnode/messages';

/** The error of callers while the store cannot be used: 503 with the reason and the group. */
export const storeUnavailable = (group: number, reason: string, cause?: unknown): ServiceError =>
  Object.assign(
    serviceError('StoreUnavailable', `the store of group ${group} cannot be used: ${reason}`, {
      group,
      reason,
    }),
    { cause },
  );

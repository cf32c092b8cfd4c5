import { type ServiceError } from '@shardnode/core/errors';
import { serviceError } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';

/** The error of a pruned state: 404, not a fault and not "unknown block" (protocol 04 §9.6). */
export const stateNotAvailable = (blockHash: Hash): ServiceError =>
  serviceError(
    'StateNotAvailable',
    `the state after block ${blockHash} is not available: it is older than this node keeps states (PRUNING_HORIZON)`,
    { resource: `State after block ${blockHash}` },
  );

import { type ServiceError, type ErrorData } from '@shardnode/core/errors';
import { refusedTransaction } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';
import { type TransactionTemplate } from '@shardnode/protocol/transaction';
import { failureOf, type Refusal } from '@shardnode/protocol/validation';
import { failureData } from '../contracts/failure-data.js';

/** A transaction that fails validation, with the place where its script failed; `known`: see `refusedTransaction`. */
export const validationError = (
  id: Hash,
  template: TransactionTemplate,
  refusal: Refusal,
  known: ErrorData = {},
): ServiceError => {
  const failure = failureOf(refusal);
  return refusedTransaction(id, template, refusal, { ...(failure && failureData(failure)), ...known });
};

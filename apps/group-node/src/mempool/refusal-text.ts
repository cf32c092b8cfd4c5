import { ServiceError, type ErrorData } from '@shardnode/core/errors';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type TransactionTemplate, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { failureOf, type Refusal, refusalText } from '@shardnode/protocol/validation';
import { failureData } from '../contracts/failure-data.js';

const templateHex = (template: TransactionTemplate): string => bytesToHex(encode(transactionTemplateCodec, template));

/**
 * A transaction that fails validation; the text is the one that tools match (protocol 07 §8.4). `known`: what helps besides,
 * `conflictingTxId` or `spendableAt` (milliseconds since 1970).
 */
export const validationError = (
  id: Hash,
  template: TransactionTemplate,
  refusal: Refusal,
  known: ErrorData = {},
): ServiceError => {
  const failure = failureOf(refusal);
  return new ServiceError(
    'refused',
    refusal.code,
    `Failed in validating tx ${id} due to ${refusalText(refusal)}: ${templateHex(template)}`,
    { txId: id, ...refusal.facts, ...(failure && failureData(failure)), ...known },
  );
};

/** A transaction that spends what another one spends already (decision 23). */
export const doubleSpendingError = (id: Hash, template: TransactionTemplate, conflictingTxId: Hash): ServiceError =>
  new ServiceError('refused', 'DoubleSpending', `tx ${id.slice(-8)} is double spending: ${templateHex(template)}`, {
    txId: id,
    conflictingTxId,
  });

import { ServiceError, type ErrorData } from '@shardnode/core/errors';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type TransactionTemplate, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { type Refusal } from '@shardnode/protocol/validation';

/** The name of a refusal with its reason in parentheses (protocol 02 §13.4). */
export const refusalName = ({ code, reason }: Refusal): string => (reason ? `${code}(${refusalName(reason)})` : code);

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
): ServiceError =>
  new ServiceError(
    'refused',
    refusal.code,
    `Failed in validating tx ${id} due to ${refusalName(refusal)}: ${templateHex(template)}`,
    { txId: id, ...known },
  );

/** A transaction that spends what another one spends already (decision 23). */
export const doubleSpendingError = (id: Hash, template: TransactionTemplate, conflictingTxId: Hash): ServiceError =>
  new ServiceError('refused', 'DoubleSpending', `tx ${id.slice(-8)} is double spending: ${templateHex(template)}`, {
    txId: id,
    conflictingTxId,
  });

import { type ErrorData, ServiceError } from '@shardnode/core/errors';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type TransactionTemplate, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { type Refusal, refusalReason, refusalText } from '@shardnode/protocol/validation';
import { serviceError } from './service-errors.js';

/** Data for the texts that existing clients match (protocol 07 §8.4): the bytes of the transaction in hexadecimal. */
const quoted = (template: TransactionTemplate): ErrorData => ({
  template: bytesToHex(encode(transactionTemplateCodec, template)),
});

/** The last millisecond that has a date. */
const lastDate = 8_640_000_000_000_000n;

/** `milliseconds`: since 1970, as digits. */
const dateOf = (milliseconds: string): string =>
  BigInt(milliseconds) <= lastDate
    ? new Date(Number(milliseconds)).toISOString()
    : `${milliseconds} milliseconds after 1970`;

const whatHelps = ({ conflictingTxId, spendableAt }: ErrorData): string => {
  if (conflictingTxId !== undefined) return `; transaction ${conflictingTxId}, which is mined, spends what it spends`;
  return spendableAt === undefined ? '' : `; submit it from ${dateOf(String(spendableAt))} on`;
};

/**
 * The error of a transaction that fails validation. `known`: further data, e.g. `conflictingTxId` or `spendableAt`
 * (milliseconds since 1970, as digits).
 */
export const refusedTransaction = (
  id: Hash,
  template: TransactionTemplate,
  refusal: Refusal,
  known: ErrorData = {},
): ServiceError =>
  new ServiceError(
    'refused',
    refusal.code,
    `Transaction ${id} is refused: ${refusalReason(refusal)}${whatHelps(known)}`,
    { txId: id, result: refusalText(refusal), ...quoted(template), ...refusal.facts, ...known },
  );

/** The error of a transaction that spends an output already spent in the mempool (00-decisions, 23). */
export const doubleSpendingTransaction = (
  id: Hash,
  template: TransactionTemplate,
  conflictingTxId: Hash,
): ServiceError =>
  serviceError(
    'DoubleSpending',
    `Transaction ${id} is refused: transaction ${conflictingTxId} is in the mempool and spends the same output; wait for that one, or build this one again with other outputs`,
    { txId: id, conflictingTxId, ...quoted(template) },
  );

import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { verifySignature } from '@shardnode/protocol/crypto';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { transactionId } from '@shardnode/protocol/transaction';
import {
  type AuditContext,
  auditSteps,
  type Refusal,
  refusalReason,
  type Verdict,
} from '@shardnode/protocol/validation';
import { type SpentOutputs } from './spent-outputs.js';

/** A block, applied or not, and what its inputs refer to. */
export interface JudgedBlock extends Pick<AuditContext, 'header' | 'transactions'> {
  readonly spent: SpentOutputs;
  /** Row ids of its transactions by their ids; none of a block that is not applied. */
  readonly txIds: ReadonlyMap<Hash, bigint>;
}

/**
 * Judges a block by the rules that need no state of contracts; requests and blocks go on between its transactions.
 * @throws the reason of `stopping` when the writer stops
 */
export const auditBlock = async (
  { header, transactions, spent, txIds }: JudgedBlock,
  settings: NetworkSettings,
  stopping: AbortSignal,
): Promise<Verdict> => {
  const steps = auditSteps({
    settings,
    header,
    transactions,
    viewOf: ({ unsigned }) => spent.viewOf(txIds.get(transactionId(unsigned))),
    verifySignature,
  });
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    await yieldToEventLoop();
    stopping.throwIfAborted();
  }
};

/** The fault of a block as text: the transaction, and why it is refused, with its amounts. */
export const faultText = ({ transactionId: id, reason, ...verdict }: Refusal): string =>
  reason ? `transaction ${id}: ${refusalReason(reason)}` : refusalReason(verdict);

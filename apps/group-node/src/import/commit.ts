import { type AddOutcome, type BlockDag, commonAncestor, nodesBetween } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { encode } from '@shardnode/protocol/encoding';
import { transactionId, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { type PoolUpdate } from './pool-update.js';
import { type BlockCommit, type DroppedTransaction, type PoolChanges, type ProjectionMove } from '../store/index.js';
import { type Executed } from './execute.js';
import { type ImportItem } from './import-item.js';

/** Rows that one accepted block or header writes (protocol 04 §9.3). `tips`: those of its chain after it. */
export const blockCommit = (
  item: ImportItem,
  outcome: AddOutcome,
  tips: readonly Hash[],
  executed: Executed | undefined,
): BlockCommit => ({
  header: item.header,
  height: outcome.height,
  weight: outcome.weight,
  orders: outcome.lists,
  tips,
  body: item.block?.raw,
  transactionIds:
    item.role === 'own' ? item.block?.transactions.map(({ unsigned }) => transactionId(unsigned)) : undefined,
  worldState: executed?.commit,
});

/**
 * The move of the address projection that follows the best intra-group dependency (protocol 04 §9.5); undefined when it
 * stays.
 */
export const projectionMove = (dag: BlockDag, head: Hash, next: Hash): ProjectionMove | undefined => {
  if (head === next) return undefined;
  const [older, newer] = [dag.node(head), dag.node(next)];
  const common = commonAncestor(older, newer);
  return {
    undo: nodesBetween(older, common)
      .map((node) => node.hash)
      .reverse(),
    apply: nodesBetween(newer, common).map((node) => node.hash),
  };
};

/** Rows that a plan for the pool writes. `now` in milliseconds since 1970. */
export const poolChanges = (update: PoolUpdate, group: number, now: bigint): PoolChanges | undefined => {
  const dropped = update.conflicts.map(({ txId, conflictingTxId }): DroppedTransaction => ({
    txId,
    code: 'DoubleSpending',
    detail: `transaction ${conflictingTxId} was mined and spends the same output`,
    conflictingTxId,
    droppedAt: now,
  }));
  const gone = new Set(dropped.map(({ txId }) => txId));
  const added = update.returned
    .filter(({ id, chain }) => chain.from === group && !gone.has(id))
    .map(({ id, chain, template }) => ({
      txId: id,
      chain,
      firstSeen: now,
      raw: encode(transactionTemplateCodec, template),
    }));
  if (dropped.length + added.length + update.confirmed.length === 0) return undefined;
  return { added, removed: update.confirmed, dropped };
};

import { type Block } from '@shardnode/protocol/block';
import { commonAncestor, type DagNode, nodesBetween, outDep } from '@shardnode/protocol/dag';
import { type Mempool } from '@shardnode/protocol/policy';
import { type ChainIndex, type Hash, type OutputReference, referenceId } from '@shardnode/protocol/primitives';
import { type Transaction, transactionId, type TransactionTemplate } from '@shardnode/protocol/transaction';
import { type GroupMemory } from '../memory/group-memory.js';

/**
 * A pooled transaction that can never be mined on this branch, because a mined transaction spends one of its inputs.
 */
export interface PoolConflict {
  readonly txId: Hash;
  readonly conflictingTxId: Hash;
}

/** Effects of a change of the best dependencies on the pool (protocol 02 §13.5, 03 §7.5). */
export interface PoolUpdate {
  /**
   * Transactions of blocks that entered the view: their entries leave the pool, also those that arrive before the
   * publication.
   */
  readonly entered: readonly Hash[];
  /** Those of them that are pooled now, and may be in the stored pool. */
  readonly confirmed: readonly Hash[];
  /** Transactions of blocks that left the view and are not in one that entered: back into the pool. */
  readonly returned: readonly {
    readonly id: Hash;
    readonly chain: ChainIndex;
    readonly template: TransactionTemplate;
  }[];
  readonly conflicts: readonly PoolConflict[];
}

const nothingForPool: PoolUpdate = { entered: [], confirmed: [], returned: [], conflicts: [] };

interface Step {
  readonly left: readonly DagNode[];
  readonly entered: readonly DagNode[];
}

const step = (before: DagNode, after: DagNode): Step => {
  const common = commonAncestor(before, after);
  return { left: nodesBetween(before, common), entered: nodesBetween(after, common) };
};

/** Steps on out-chains by the out-deps, on in-chains by the blocks that the in-deps include (protocol 02 §13.5). */
const stepsBetween = (memory: GroupMemory, before: readonly Hash[], after: readonly Hash[]): Step[] => {
  const inCount = memory.settings.groups - 1;
  return before.flatMap((hash, slot) => {
    if (hash === after[slot]) return [];
    const [older, newer] = [memory.dag.node(hash), memory.dag.node(after[slot]!)];
    return [slot < inCount ? step(outDep(older, memory.group), outDep(newer, memory.group)) : step(older, newer)];
  });
};

const bodiesOf = (memory: GroupMemory, nodes: readonly DagNode[]): Block[] =>
  memory.blocks.need(nodes.filter((node) => node.height > 0).map((node) => node.hash));

const withoutCoinbase = (block: Block): readonly Transaction[] => block.transactions.slice(0, -1);

const templateOf = ({ unsigned, inputSignatures, scriptSignatures }: Transaction): TransactionTemplate => ({
  unsigned,
  inputSignatures,
  scriptSignatures,
});

const conflictsWith = (
  entered: readonly Block[],
  group: number,
  spenderOf: (reference: OutputReference) => Hash | undefined,
): PoolConflict[] => {
  const conflicts = new Map<Hash, PoolConflict>();
  for (const block of entered) {
    if (block.header.chainIndex.from !== group) continue;
    for (const { unsigned } of withoutCoinbase(block)) {
      const id = transactionId(unsigned);
      for (const { outputReference } of unsigned.inputs) {
        const spender = spenderOf(outputReference);
        if (spender !== undefined && spender !== id) conflicts.set(spender, { txId: spender, conflictingTxId: id });
      }
    }
  }
  return [...conflicts.values()];
};

/**
 * Adds the dependents, which leave for the same reason: the reason is stored with the block, before a client finds them
 * gone.
 */
const withDependents = (pool: Mempool, conflicts: readonly PoolConflict[]): PoolConflict[] => {
  const all = new Map(conflicts.map((conflict) => [conflict.txId, conflict]));
  for (const conflict of conflicts) {
    for (const { id, chainIndex } of pool.withDependents([conflict.txId])) {
      if (chainIndex.from === pool.group && !all.has(id)) all.set(id, { ...conflict, txId: id });
    }
  }
  return [...all.values()];
};

/** The plan for the pool; nothing is changed. Throws DataMissing for bodies to load. */
export const planPoolUpdate = (
  memory: GroupMemory,
  pool: Mempool,
  before: readonly Hash[],
  after: readonly Hash[],
): PoolUpdate => {
  const steps = stepsBetween(memory, before, after);
  if (steps.length === 0) return nothingForPool;
  const left = bodiesOf(
    memory,
    steps.flatMap((each) => each.left),
  );
  const entered = bodiesOf(
    memory,
    steps.flatMap((each) => each.entered),
  );
  const confirmed = new Set(entered.flatMap((block) => block.transactions.map((tx) => transactionId(tx.unsigned))));
  const returned = left.flatMap((block) =>
    withoutCoinbase(block)
      .map((tx) => ({ id: transactionId(tx.unsigned), chain: block.header.chainIndex, template: templateOf(tx) }))
      .filter(({ id }) => !confirmed.has(id)),
  );
  const returnedSpenders = new Map(
    returned.flatMap(({ id, template }) =>
      template.unsigned.inputs.map((input) => [referenceId(input.outputReference), id] as const),
    ),
  );
  const conflicts = withDependents(
    pool,
    conflictsWith(
      entered,
      memory.group,
      (reference) => pool.spenderOf(reference) ?? returnedSpenders.get(referenceId(reference)),
    ),
  );
  const pooled = [...confirmed].filter((id) => pool.get(id) !== undefined);
  return { entered: [...confirmed], confirmed: pooled, returned, conflicts };
};

/** Applies the plan to the pool in memory. Returns the transactions that left unmined, dependent ones included. */
export const applyPoolUpdate = (pool: Mempool, update: PoolUpdate, now: bigint): PoolConflict[] => {
  const dropped: PoolConflict[] = [];
  pool.confirm(update.entered);
  for (const { id, chain, template } of update.returned) {
    if (chain.from !== pool.group) {
      pool.addIncoming(template, now);
      continue;
    }
    const outcome = pool.restore(template, now);
    if (outcome.kind === 'double-spending') dropped.push({ txId: id, conflictingTxId: outcome.spender });
  }
  for (const conflict of update.conflicts) {
    for (const { id } of pool.drop([conflict.txId])) dropped.push({ ...conflict, txId: id });
  }
  return dropped;
};

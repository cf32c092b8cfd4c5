import { type Clock } from '@shardnode/core/lifecycle';
import { decode, DecodeError } from '@shardnode/protocol/encoding';
import { incomingRefusal, type PooledTransaction } from '@shardnode/protocol/policy';
import { type Hash } from '@shardnode/protocol/primitives';
import { transactionId, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { admissionChainIndex } from '@shardnode/protocol/policy';
import { type Refusal, type RefusalName, refusalReason, refuse } from '@shardnode/protocol/validation';
import { type GroupState } from '../view/group-state.js';
import { type ImportItem } from '../import/import-item.js';
import { type GroupStore } from '../store/index.js';
import { type PoolConflict } from '../import/pool-update.js';
import { RecentIds } from './recent-ids.js';

/** protocol 02 §13.5, §13.10; milliseconds. */
export const poolTimes = {
  cleaning: 60_000,
  expiry: 120 * 60_000,
  unspendable: 10 * 60_000,
  reasonsKept: 24 * 3_600_000,
};

export interface Reason {
  readonly code: RefusalName;
  readonly detail: string;
  readonly conflictingTxId?: Hash;
}

/**
 * Longest bytes of an incoming transaction that the pool shows. 256 inputs and as many outputs as gas allows are less;
 * unlike an outgoing one, nothing has validated it here.
 */
export const longestIncoming = 32_768;

const roomRefusals = {
  full: () => refuse('MempoolFull', 'the mempool is full; more are shown when mined'),
  share: (from: number) =>
    refuse('IncomingShareFull', `group ${from} has its share of the mempool; more are shown when mined`),
} as const;

const idsOf = (entries: readonly PooledTransaction[]): Hash[] => entries.map(({ id }) => id);

/** Bound of ids of incoming transactions whose blocks are here: some minutes of the busiest siblings. */
const arrivedIds = 20_000;

/** Cleans the pool, and stores the reason why a transaction left it unmined (decision 12). */
export class PoolUpkeep {
  private readonly arrived = new RecentIds(arrivedIds);

  constructor(
    private readonly state: GroupState,
    private readonly store: GroupStore,
    private readonly clock: Clock,
  ) {}

  /** Blocks were stored: messages about their transactions may still be in flight. */
  published(items: readonly ImportItem[]): void {
    for (const { role, block } of items) {
      if (role !== 'incoming') continue;
      for (const { unsigned } of block?.transactions ?? []) this.arrived.add(transactionId(unsigned));
    }
  }

  /**
   * A sibling accepted a transaction that pays into this group (protocol 02 §13.7): shown, never mined here. A message
   * that arrives after the block is dropped: the outputs may be spent already, and the pool would show them again. What
   * is too large or finds no room costs no decoding (decision 12). Returns the violated rule.
   */
  addIncoming(raw: Uint8Array, from: number): Refusal | undefined {
    const { settings, group, pool } = this.state;
    if (raw.length > longestIncoming)
      return refuse('IncomingTooLarge', `${raw.length} bytes; more than ${longestIncoming} are shown when mined`);
    const noRoom = incomingRefusal(pool, from);
    if (noRoom) return roomRefusals[noRoom](from);
    try {
      const template = decode(transactionTemplateCodec, raw);
      const chain = admissionChainIndex(template, settings.groups);
      if ('code' in chain) return chain;
      if (chain.from !== from) return refuse('InvalidSender', `the transaction belongs to group ${chain.from}`);
      if (chain.to !== group) return refuse('InvalidGroup', `the transaction pays into group ${chain.to}`);
      if (this.arrived.has(transactionId(template.unsigned))) return undefined;
      pool.addIncoming(template, BigInt(this.clock.now()));
      return undefined;
    } catch (error) {
      if (error instanceof DecodeError) return refuse('Undecodable', error.message);
      throw error;
    }
  }

  /** A mined transaction spends the same outputs as these. */
  async conflicted(conflicts: readonly PoolConflict[]): Promise<void> {
    for (const { txId, conflictingTxId } of conflicts) {
      const detail = `transaction ${conflictingTxId} was mined and spends the same output`;
      await this.record([txId], { code: 'DoubleSpending', detail, conflictingTxId });
    }
  }

  /** A template found these invalid: they leave with their dependents (protocol 02 §14.3). */
  async invalid(found: readonly { readonly transactionId: Hash; readonly refusal: Refusal }[]): Promise<void> {
    for (const { transactionId, refusal } of found) {
      await this.drop([transactionId], { code: refusal.code, detail: `it cannot be mined: ${refusalReason(refusal)}` });
    }
  }

  /**
   * Runs every minute: removes transactions that are too old, and those without spendable inputs for ten minutes
   * (protocol 02 §13.5).
   */
  async clean(): Promise<void> {
    const { pool } = this.state;
    const now = BigInt(this.clock.now());
    const old = pool.readySince(now - BigInt(poolTimes.expiry));
    await this.drop(idsOf(old), {
      code: 'Expired',
      detail: 'it was not mined within two hours; it may be submitted again',
    });
    const stale = pool.readySince(now - BigInt(poolTimes.unspendable));
    const unspendable: PooledTransaction[] = [];
    for (const entry of stale) if (!(await this.isSpendable(entry))) unspendable.push(entry);
    await this.drop(idsOf(unspendable), { code: 'NonExistInput', detail: 'an input is spent or does not exist' });
    await this.store.forgetDropReasons(now - BigInt(poolTimes.reasonsKept));
  }

  /**
   * Removes transactions from the pool, with their dependents. The reason is stored first, so that no client finds one
   * gone without it. Transactions that become dependents meanwhile are removed in the next round.
   */
  async drop(ids: readonly Hash[], reason: Reason): Promise<void> {
    const told = new Set<Hash>();
    for (;;) {
      const leaving = this.outgoing(this.state.pool.withDependents(ids)).filter((id) => !told.has(id));
      if (leaving.length === 0) break;
      await this.record(leaving, reason);
      for (const id of leaving) told.add(id);
    }
    this.state.pool.drop(ids, reason.code === 'Expired' ? 'expired' : 'conflict');
  }

  private outgoing(entries: readonly PooledTransaction[]): Hash[] {
    return entries.filter(({ chainIndex }) => chainIndex.from === this.state.group).map(({ id }) => id);
  }

  private async record(ids: readonly Hash[], reason: Reason): Promise<void> {
    if (ids.length === 0) return;
    const droppedAt = BigInt(this.clock.now());
    await this.store.changePool({ dropped: ids.map((txId) => ({ txId, ...reason, droppedAt })) });
  }

  private isSpendable({ template }: PooledTransaction): Promise<boolean> {
    const { memory, shown } = this.state;
    return memory.loaded(() =>
      template.unsigned.inputs.every((input) => shown.view.output(input.outputReference) !== undefined),
    );
  }
}

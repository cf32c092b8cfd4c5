import { bestDependencies } from '@shardnode/protocol/dag';
import { decode } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { Mempool } from '@shardnode/protocol/policy';
import { type Hash } from '@shardnode/protocol/primitives';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { type AnnouncedTips } from '../dag/announced-tips.js';
import { anyCanonical } from '../memory/any-canonical.js';
import { RecentLocations } from '../dag/recent-locations.js';
import { type GroupState } from '../view/group-state.js';
import { loadHeads } from '../feed/heads.js';
import { projectionMove } from '../import/commit.js';
import { type CrashPoint } from '../import/importer-parts.js';
import { type MemoryLimits } from '../memory/group-memory.js';
import { type DroppedTransaction, type GroupStore, type PendingTransaction } from '../store/index.js';
import { AddressSets } from '../view/address-sets.js';
import { showView } from '../view/shown-view.js';
import { loadMemory } from './load-memory.js';

export interface RebuildParts {
  readonly settings: NetworkSettings;
  readonly group: number;
  readonly store: GroupStore;
  readonly limits: MemoryLimits;
  /** Capacity of the pool in transactions. */
  readonly poolCapacity: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly crashPoint: CrashPoint;
}

/**
 * A transaction in a canonical block leaves, because blocks stored after it have overtaken it. One whose inputs are not
 * visible stays: its inputs may have been visible in blocks that only another group had stored, or that the other group
 * has yet to announce again. Cleaning removes it later if its inputs are gone (protocol 02 §13.5).
 */
const judgePending = async (
  { store, now }: RebuildParts,
  { memory, pool }: Pick<GroupState, 'memory' | 'pool'>,
  { txId, raw, firstSeen }: PendingTransaction,
): Promise<{ readonly removed?: Hash; readonly dropped?: DroppedTransaction }> => {
  const locations = await store.transactionLocations(txId);
  if (await anyCanonical(memory, locations)) return { removed: txId };
  const outcome = pool.restore(decode(transactionTemplateCodec, raw), firstSeen);
  if (outcome.kind !== 'double-spending') return {};
  const { spender } = outcome;
  const detail = `transaction ${spender} is pending and spends the same output`;
  return {
    dropped: { txId, code: 'DoubleSpending', detail, conflictingTxId: spender, droppedAt: BigInt(now()) },
  };
};

const refillPool = async (parts: RebuildParts, state: Pick<GroupState, 'memory' | 'pool'>): Promise<void> => {
  const removed: Hash[] = [];
  const dropped: DroppedTransaction[] = [];
  for (const row of await parts.store.listPending()) {
    const judged = await judgePending(parts, state, row);
    if (judged.removed !== undefined) removed.push(judged.removed);
    if (judged.dropped) dropped.push(judged.dropped);
  }
  if (removed.length + dropped.length > 0) await parts.store.changePool({ removed, dropped });
};

/**
 * Retains transactions that are pending in memory and not stored: callers still wait until they are mined or stored.
 */
const keepUnstored = async (
  { store }: RebuildParts,
  { memory, pool }: Pick<GroupState, 'memory' | 'pool'>,
  before: Mempool,
): Promise<void> => {
  for (const { id, template, chainIndex, enteredAt } of before.all()) {
    if (pool.get(id)) continue;
    if (chainIndex.from !== pool.group) {
      pool.addIncoming(template, enteredAt);
      continue;
    }
    const locations = await store.transactionLocations(id);
    if (!(await anyCanonical(memory, locations))) pool.restore(template, enteredAt);
  }
};

/**
 * Rebuilds all in-memory state from the store (protocol 04 §8.4): at start, and after a failed commit. Writes the
 * genesis blocks into an empty store. Steps, each of which may be interrupted and repeated: headers and tips; best
 * dependencies; the projection's head, in case a crash left it elsewhere; the view; the pool. `before`: the pool in
 * memory, after a failed commit.
 */
export const rebuild = async (
  parts: RebuildParts,
  announced: AnnouncedTips,
  before?: Mempool,
): Promise<Omit<GroupState, 'settings' | 'group' | 'announced'>> => {
  const { settings, group, store, crashPoint } = parts;
  await store.reread();
  const memory = await loadMemory(parts);
  crashPoint('after-headers');
  const best = await memory.loaded(() => bestDependencies(memory.dag, memory.spent, group, settings));
  const head = store.projectionHead();
  if (head === undefined) throw new Error('the store has no projection head');
  const move = await memory.loaded(() => projectionMove(memory.dag, head, best[settings.groups - 1 + group]!));
  if (move) await store.moveProjection(move);
  crashPoint('after-projection');
  const shown = await memory.loaded(() => showView(memory, best, announced));
  const pool = new Mempool(group, settings.groups, parts.poolCapacity);
  await refillPool(parts, { memory, pool });
  if (before) await keepUnstored(parts, { memory, pool }, before);
  crashPoint('after-pool');
  const heads = await loadHeads(memory, store);
  return { memory, pool, shown, best, heads, addresses: new AddressSets(store), locations: new RecentLocations() };
};

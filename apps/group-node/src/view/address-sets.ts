import { evictOldest, lowWaterMark } from '@shardnode/core/eviction';
import { type LockupKey, lockupKey } from '@shardnode/protocol/policy';
import { type AssetLockupScript, referenceId } from '@shardnode/protocol/primitives';
import { type StoredOutput } from '@shardnode/protocol/state';
import { type StateCommit, type UtxoReads } from '../store/index.js';

/**
 * The outputs of an address at the projection head: all of them, or `large` when they exceed the bound of the cache.
 */
export type AddressSet =
  | { readonly kind: 'small'; /** Ascending key bytes. */ readonly outputs: readonly StoredOutput[] }
  | { readonly kind: 'large' };

interface SmallSet {
  readonly kind: 'small';
  readonly byId: Map<string, StoredOutput>;
  sorted: readonly StoredOutput[] | undefined;
}
type Move = Pick<StateCommit, 'removed' | 'added'>;
type CachedSet = SmallSet | { readonly kind: 'large' };

/** Bounds of the cache: outputs of one whole set, outputs in all, and sets. Together at most some 100 MB. */
const limits = { outputs: 2_000, total: 100_000, sets: 20_000 };

const sortById = (byId: Map<string, StoredOutput>): StoredOutput[] =>
  [...byId].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([, stored]) => stored);

/**
 * Cache of the unspent outputs of recently queried addresses at the projection head (architecture, decision 16), so
 * that the next build of a client needs no query. A commit changes the sets in the event-loop tick in which it ends; a
 * projection that moves back empties the cache. The least recently used set is evicted first.
 */
export class AddressSets {
  private readonly sets = new Map<LockupKey, CachedSet>();
  private readonly owners = new Map<string, LockupKey>();
  /** Changes with each move that is not known in detail: a load that crossed one is not cached. */
  private clears = 0;
  /** The known moves since the beginning of each load. */
  private readonly loads = new Set<Move[]>();
  /** A move back is being stored: a set that is loaded now may be on either side of it. */
  private movesBack = false;

  constructor(private readonly store: Pick<UtxoReads, 'listUtxos'>) {}

  /** The cached set, without a query. */
  peek(lockupScript: AssetLockupScript): AddressSet | undefined {
    const key = lockupKey(lockupScript);
    const cached = this.sets.get(key);
    if (!cached) return undefined;
    this.sets.delete(key);
    this.sets.set(key, cached);
    if (cached.kind === 'large') return cached;
    cached.sorted ??= sortById(cached.byId);
    return { kind: 'small', outputs: cached.sorted };
  }

  /** Loads the set. Moves meanwhile are applied to it: it may have them already, which changes nothing. */
  async load(lockupScript: AssetLockupScript): Promise<void> {
    const before = this.clears;
    const moves: Move[] = [];
    this.loads.add(moves);
    try {
      const found = await this.store.listUtxos({ lockupScript, limit: limits.outputs + 1 });
      if (before !== this.clears || this.movesBack) return;
      this.cache(lockupScript, found);
      this.move(moves);
    } finally {
      this.loads.delete(moves);
    }
    this.makeRoom();
  }

  private cache(lockupScript: AssetLockupScript, found: readonly StoredOutput[]): void {
    const key = lockupKey(lockupScript);
    this.forget(key);
    if (found.length > limits.outputs) {
      this.sets.set(key, { kind: 'large' });
    } else {
      const byId = new Map(found.map((stored) => [referenceId(stored.reference), stored]));
      for (const id of byId.keys()) this.owners.set(id, key);
      this.sets.set(key, { kind: 'small', byId, sorted: undefined });
    }
  }

  /** Moves the head over these states, in order. */
  apply(states: readonly Move[]): void {
    for (const load of this.loads) load.push(...states);
    this.move(states);
    this.makeRoom();
  }

  private move(states: readonly Move[]): void {
    for (const { removed, added } of states) {
      for (const reference of removed) this.remove(referenceId(reference));
      for (const { reference, output } of added) {
        if (output.kind === 'asset') this.put(referenceId(reference), { reference, output });
      }
    }
  }

  /** Empties the cache before a move of the head that takes blocks back is stored; nothing is cached until `clear`. */
  beginMoveBack(): void {
    this.clear();
    this.movesBack = true;
  }

  /** Empties the cache after a move of the head that is not known in detail. */
  clear(): void {
    this.movesBack = false;
    this.clears++;
    this.sets.clear();
    this.owners.clear();
  }

  private remove(id: string): void {
    const key = this.owners.get(id);
    if (key === undefined) return;
    this.owners.delete(id);
    const cached = this.sets.get(key);
    if (cached?.kind !== 'small') return;
    cached.byId.delete(id);
    cached.sorted = undefined;
  }

  private put(id: string, stored: StoredOutput): void {
    const key = lockupKey(stored.output.lockupScript);
    const cached = this.sets.get(key);
    if (cached?.kind !== 'small') return;
    cached.byId.set(id, stored);
    cached.sorted = undefined;
    this.owners.set(id, key);
    if (cached.byId.size <= limits.outputs) return;
    this.forget(key);
    this.sets.set(key, { kind: 'large' });
  }

  private makeRoom(): void {
    if (this.owners.size <= limits.total && this.sets.size <= limits.sets) return;
    const isRoom = (): boolean =>
      this.owners.size <= lowWaterMark(limits.total) && this.sets.size <= lowWaterMark(limits.sets);
    evictOldest(this.sets, isRoom, (key) => this.forget(key));
  }

  private forget(key: LockupKey): void {
    const cached = this.sets.get(key);
    if (cached?.kind === 'small') for (const id of cached.byId.keys()) this.owners.delete(id);
    this.sets.delete(key);
  }
}

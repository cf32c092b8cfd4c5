import {
  flatIndex,
  referenceId,
  type AssetLockupScript,
  type ChainIndex,
  type Hash,
  type OutputReference,
} from '../primitives/index.js';
import { type AssetOutput, type TransactionTemplate } from '../transaction/index.js';
import { comparePoolOrder } from './pool-order.js';
import {
  lockupKey,
  pooledTransaction,
  type LockupKey,
  type PooledOutput,
  type PooledTransaction,
} from './pooled-transaction.js';

/** Entries per chain; the capacity of a pool is this times the number of groups (protocol 02 §13.2). */
const defaultCapacityPerChain = 2_000;

export type AddOutcome =
  | { readonly kind: 'added'; readonly transaction: PooledTransaction }
  | { readonly kind: 'known'; readonly transaction: PooledTransaction }
  | { readonly kind: 'double-spending'; readonly spender: Hash }
  /** 00-decisions, 12: nothing is stored and nothing evicted. */
  | { readonly kind: 'full' };

interface Entry {
  readonly transaction: PooledTransaction;
  readonly parents: Set<Hash>;
  readonly children: Set<Hash>;
}

/** Why a transaction left the pool. `mined`: it is in a block; `cleared`: an operator emptied the pool. */
export type DropCause = 'mined' | 'expired' | 'conflict' | 'cleared';

/** Called for each outgoing transaction that enters or leaves the pool, within the change. */
export interface PoolWatcher {
  added(transaction: PooledTransaction): void;
  removed(transaction: PooledTransaction, cause: DropCause): void;
}

/**
 * The pool of one group: outgoing transactions, and incoming ones whose outputs the group should see (protocol 02 §13).
 * In memory only; the caller stores entries and provides the time.
 */
export class Mempool {
  private readonly entries = new Map<Hash, Entry>();
  private readonly spenders = new Map<string, Hash>();
  private readonly outputs = new Map<string, { readonly output: PooledOutput; readonly owner: Hash }>();
  private readonly outputsByLockup = new Map<LockupKey, Map<string, PooledOutput>>();
  private readonly byChain = new Map<number, Set<Hash>>();
  private watcher: PoolWatcher | undefined;

  constructor(
    readonly group: number,
    readonly groups: number,
    readonly capacity = defaultCapacityPerChain * groups,
  ) {}

  /** At most one watcher; a later one replaces it. */
  watch(watcher: PoolWatcher): void {
    this.watcher = watcher;
  }

  get size(): number {
    return this.entries.size;
  }

  /** Entry time of the oldest entry, milliseconds since 1970; undefined if empty. */
  oldest(): bigint | undefined {
    let oldest: bigint | undefined;
    for (const { transaction } of this.entries.values()) {
      if (oldest === undefined || transaction.enteredAt < oldest) oldest = transaction.enteredAt;
    }
    return oldest;
  }

  get(id: Hash): PooledTransaction | undefined {
    return this.entries.get(id)?.transaction;
  }

  /** All entries in the order of protocol 02 §13.3. */
  all(): PooledTransaction[] {
    return [...this.entries.values()].map(({ transaction }) => transaction).sort(comparePoolOrder);
  }

  /** The pooled transaction that spends the reference. */
  spenderOf(reference: OutputReference): Hash | undefined {
    return this.spenders.get(referenceId(reference));
  }

  /** An output that a pooled transaction makes for this group. */
  output(reference: OutputReference): AssetOutput | undefined {
    return this.outputs.get(referenceId(reference))?.output.output;
  }

  /** Outputs of pooled transactions to the lockup script, in order of entry; spent ones included. */
  outputsTo(lockup: AssetLockupScript): readonly PooledOutput[] {
    return [...(this.outputsByLockup.get(lockupKey(lockup))?.values() ?? [])];
  }

  /** Entries of the chain without parents in the pool, in order: the candidates of a template (protocol 02 §14.1). */
  ready(chain: ChainIndex): PooledTransaction[] {
    const ids = this.byChain.get(flatIndex(chain, this.groups)) ?? [];
    return [...ids]
      .map((id) => this.entries.get(id)!)
      .filter(({ parents }) => parents.size === 0)
      .map(({ transaction }) => transaction)
      .sort(comparePoolOrder);
  }

  /** Entries of the chain. */
  countOf(chain: ChainIndex): number {
    return this.byChain.get(flatIndex(chain, this.groups))?.size ?? 0;
  }

  /** Unmined ancestors of a transaction, in the pool or not; the walk over parents ends at `most`. */
  ancestorCount({ unsigned }: TransactionTemplate, most: number): number {
    const found = new Set<Hash>();
    const pending = unsigned.inputs.flatMap(
      (input) => this.outputs.get(referenceId(input.outputReference))?.owner ?? [],
    );
    for (let id = pending.pop(); id !== undefined && found.size < most; id = pending.pop()) {
      if (found.has(id)) continue;
      found.add(id);
      pending.push(...(this.entries.get(id)?.parents ?? []));
    }
    return found.size;
  }

  /** Adds an outgoing transaction, already validated (protocol 02 §13.4 step 4). */
  add(template: TransactionTemplate, now: bigint): AddOutcome {
    return this.place(template, now, this.capacity);
  }

  /**
   * Restores an outgoing transaction that was accepted before: from a block that left the view, or from the store.
   * Ignores the capacity, because no acknowledged transaction may be lost (00-decisions, 12).
   */
  restore(template: TransactionTemplate, now: bigint): Exclude<AddOutcome, { readonly kind: 'full' }> {
    const outcome = this.place(template, now, Number.POSITIVE_INFINITY);
    if (outcome.kind === 'full') throw new Error('a pool without a limit is full');
    return outcome;
  }

  /**
   * Adds a transaction of another group with outputs in this one: without inputs, ignores the capacity (§13.1, §13.2).
   * New ones of siblings ask `incomingRefusal` before; those of blocks that left the view do not.
   */
  addIncoming(template: TransactionTemplate, now: bigint): PooledTransaction {
    const transaction = pooledTransaction(template, this.group, this.groups, now);
    const present = this.get(transaction.id);
    if (present) return present;
    this.insert(transaction, false);
    return transaction;
  }

  /** Removes transactions of a block, with their ancestors in the pool; children become ready (§13.5). */
  confirm(ids: Iterable<Hash>): PooledTransaction[] {
    const removed: PooledTransaction[] = [];
    const pending = [...ids];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const entry = this.entries.get(id);
      if (!entry) continue;
      pending.push(...entry.parents);
      removed.push(this.removeEntry(id, entry, 'mined'));
    }
    return removed;
  }

  /** The given transactions in the pool, with all dependents. */
  withDependents(ids: Iterable<Hash>): PooledTransaction[] {
    const found = new Map<Hash, PooledTransaction>();
    const pending = [...ids];
    for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
      const entry = this.entries.get(id);
      if (!entry || found.has(id)) continue;
      pending.push(...entry.children);
      found.set(id, entry.transaction);
    }
    return [...found.values()];
  }

  /** Removes transactions with all dependents (§13.5). */
  drop(ids: Iterable<Hash>, cause: DropCause = 'conflict'): PooledTransaction[] {
    return this.withDependents(ids).map(({ id }) => this.removeEntry(id, this.entries.get(id)!, cause));
  }

  /** Entries without parents in the pool that entered at or before `deadline` (§13.5, cleaning). */
  readySince(deadline: bigint): PooledTransaction[] {
    return [...this.entries.values()]
      .filter(({ parents, transaction }) => parents.size === 0 && transaction.enteredAt <= deadline)
      .map(({ transaction }) => transaction);
  }

  clear(): void {
    for (const { transaction } of this.entries.values()) this.left(transaction, 'cleared');
    for (const table of [this.entries, this.spenders, this.outputs, this.outputsByLockup, this.byChain]) table.clear();
  }

  private place(template: TransactionTemplate, now: bigint, capacity: number): AddOutcome {
    const transaction = pooledTransaction(template, this.group, this.groups, now);
    const present = this.get(transaction.id);
    if (present) return { kind: 'known', transaction: present };
    for (const input of transaction.inputs) {
      const spender = this.spenders.get(input);
      if (spender !== undefined) return { kind: 'double-spending', spender };
    }
    if (this.entries.size >= capacity) return { kind: 'full' };
    this.insert(transaction, true);
    return { kind: 'added', transaction };
  }

  private insert(transaction: PooledTransaction, outgoing: boolean): void {
    const entry: Entry = { transaction, parents: new Set(), children: new Set() };
    if (outgoing) {
      for (const input of transaction.inputs) {
        this.spenders.set(input, transaction.id);
        const parent = this.outputs.get(input)?.owner;
        if (parent !== undefined) this.link(entry, parent);
      }
    }
    this.entries.set(transaction.id, entry);
    const chain = flatIndex(transaction.chainIndex, this.groups);
    const ids = this.byChain.get(chain) ?? new Set();
    this.byChain.set(chain, ids.add(transaction.id));
    for (const output of transaction.outputs) this.insertOutput(output, transaction.id, entry);
    if (outgoing) this.watcher?.added(transaction);
  }

  /** A spender may be restored before its parent (reorganisation), so both directions are linked here. */
  private insertOutput(output: PooledOutput, owner: Hash, entry: Entry): void {
    this.outputs.set(output.referenceId, { output, owner });
    const key = lockupKey(output.output.lockupScript);
    const list = this.outputsByLockup.get(key) ?? new Map<string, PooledOutput>();
    this.outputsByLockup.set(key, list.set(output.referenceId, output));
    const spender = this.spenders.get(output.referenceId);
    if (spender === undefined || spender === owner) return;
    entry.children.add(spender);
    this.entries.get(spender)?.parents.add(owner);
  }

  private link(entry: Entry, parent: Hash): void {
    entry.parents.add(parent);
    this.entries.get(parent)?.children.add(entry.transaction.id);
  }

  private left(transaction: PooledTransaction, cause: DropCause): void {
    if (transaction.chainIndex.from === this.group) this.watcher?.removed(transaction, cause);
  }

  private removeEntry(id: Hash, entry: Entry, cause: DropCause): PooledTransaction {
    const { transaction } = entry;
    this.entries.delete(id);
    this.byChain.get(flatIndex(transaction.chainIndex, this.groups))?.delete(id);
    for (const input of transaction.inputs) if (this.spenders.get(input) === id) this.spenders.delete(input);
    for (const output of transaction.outputs) {
      this.outputs.delete(output.referenceId);
      const key = lockupKey(output.output.lockupScript);
      const list = this.outputsByLockup.get(key);
      list?.delete(output.referenceId);
      if (list?.size === 0) this.outputsByLockup.delete(key);
    }
    for (const child of entry.children) this.entries.get(child)?.parents.delete(id);
    for (const parent of entry.parents) this.entries.get(parent)?.children.delete(id);
    this.left(transaction, cause);
    return transaction;
  }
}

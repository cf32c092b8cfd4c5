import { type Timer } from '@shardnode/core/lifecycle';
import { traced } from '@shardnode/core/observability';
import { type Block } from '@shardnode/protocol/block';
import { type AddOutcome, bestDependencies } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { transactionId } from '@shardnode/protocol/transaction';
import { type Refusal } from '@shardnode/protocol/validation';
import { newHeads } from '../feed/heads.js';
import { applyPoolUpdate, planPoolUpdate, type PoolUpdate } from './pool-update.js';
import { type BlockCommit, type ChangedChain, storeUnavailable } from '../store/index.js';
import { type ShownView, showView } from '../view/shown-view.js';
import { checkBlockRules } from './block-rules.js';
import { blockCommit, poolChanges, projectionMove } from './commit.js';
import { execute, type Executed } from './execute.js';
import { checkHeaderRules } from './header-rules.js';
import { type ImportItem, type ImportOutcome, spanOfImport } from './import-item.js';
import { type ImportStage } from './import-measures.js';
import { type ImporterParts } from './importer-parts.js';
import { Recovery } from '../writer/recovery.js';
import { announceBlocks, announceTips } from './publish.js';

/** Limit of the bytes of blocks that share a transaction; the last block may exceed it. */
const bytesPerCommit = 2 * 2 ** 20;

/**
 * Milliseconds that a received block of an own chain may wait to share a commit. The siblings hear of the block after
 * its commit, and blocks that depend on it wait for that; one commit per block costs more than the wait.
 */
const ownBlockWait = 5;

/**
 * Blocks and headers within the time that foreign ones may wait: with fewer there is no load, and they are committed at
 * once. A payment on an idle network brings three to each of its groups.
 */
const fewBlocks = 4;

interface Staged {
  readonly item: ImportItem;
  readonly commit: BlockCommit;
  readonly executed: Executed | undefined;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** All changes of memory by a commit, computed before it and applied after it. */
interface Publication {
  readonly best: readonly Hash[];
  readonly shown: ShownView;
  readonly poolUpdate: PoolUpdate;
  readonly projection: ReturnType<typeof projectionMove>;
  /** Own chains that get another head. */
  readonly changed: readonly ChangedChain[];
}

/**
 * The steps of a block through the import, one block after the other (architecture, decision 3). The order of effects,
 * and the reasons:
 *
 * 1. header rules, 2. block rules, 3. execute: no effects at all; a refusal or a fault leaves no trace.
 * 4. stage: the block enters the writer's memory, ahead of the store. Queries do not see it (`PublishedChain`).
 *    Under load received blocks and headers wait here to share a commit: until the next mined block, for some
 *    milliseconds, or until a caller waits for one of them.
 * 5. plan: best dependencies, the view, the projection's move and the pool's change, for the state after the commit.
 * 6. commit: one database transaction with everything staged, in order. A process that is killed before it restarts
 *    without these blocks, one that is killed after it restarts with them; there is no state in between. If the commit
 *    fails, memory is ahead of the store: it is discarded and rebuilt (`Recovery`).
 * 7. publish: in one event-loop tick, memory becomes equal to the store: chains, view, address sets, pool. Only then
 *    are waiting callers answered and siblings notified, so that nobody hears of a block that a crash could take back.
 */
export class Importer {
  private staged: Staged[] = [];
  /** Ends of the commits of blocks that are in memory and not stored yet. */
  private readonly storing = new Map<Hash, Promise<void>>();
  private stagedBytes = 0;
  private release: (() => void) | undefined;
  private urgent = false;
  private timer: Timer | undefined;
  /** When the timer ends, in milliseconds of the monotonic clock. */
  private due = 0;
  private flushing: Promise<void> | undefined;
  /** When the newest blocks were staged, in milliseconds of the monotonic clock; at most `fewBlocks`. */
  private stagedAt: number[] = [];
  readonly recovery: Recovery;

  constructor(
    private readonly parts: ImporterParts,
    /** Milliseconds that foreign headers and bodies may wait for their commit under load. */
    private readonly lazyFor: number,
    /** Runs the work as a task of the writer's queue. */
    private readonly enqueue: (name: string, work: () => Promise<void>) => Promise<void>,
  ) {
    const { state, clock, logger, onFatal } = parts;
    // The queue makes the attempt before it runs the task.
    const retry = (): void => void enqueue('mend', async () => undefined).catch(() => undefined);
    const rebuild = async (): Promise<void> => {
      this.abandon();
      await parts.rebuild();
    };
    this.recovery = new Recovery({ group: state.group, clock, logger, rebuild, retry, onFatal });
  }

  /** Blocks and headers that wait for their commit. */
  get stagedCount(): number {
    return this.staged.length;
  }

  /** Whether the staged blocks reach this number, or the limit of bytes, of one transaction. */
  isFull(blocks: number): boolean {
    return this.staged.length >= blocks || this.stagedBytes >= bytesPerCommit;
  }

  /** A caller waits for the commit: it follows the tasks that are queued now. */
  flushSoon(): void {
    if (this.staged.length === 0 || this.urgent) return;
    this.urgent = true;
    this.later();
  }

  /**
   * Resolves when a block of memory is stored, too. Rejects as `unavailable` while memory is ahead of the store after a
   * failed commit, and with the error of its own commit.
   */
  async stored(hash: Hash): Promise<void> {
    const { reason } = this.recovery;
    if (reason !== undefined) throw storeUnavailable(this.parts.state.group, reason);
    this.flushSoon();
    await this.storing.get(hash);
  }

  /** Steps 1 to 4. All dependencies are known. Throws on a fault. Called by tasks of the writer only. */
  async import(item: ImportItem): Promise<ImportOutcome> {
    const { memory } = this.parts.state;
    // The intake has looked whether it is settled.
    if (memory.dag.holds(item.header.hash)) return { kind: 'known' };
    const judged = await traced(
      () => spanOfImport(item),
      () => this.judge(item),
    );
    if (judged.refusal) return { kind: 'refused', refusal: judged.refusal };
    const release = memory.hold();
    try {
      const outcome = await memory.loaded(() => memory.dag.plan(item.header));
      return { kind: 'accepted', stored: this.stage(item, outcome, judged.executed) };
    } finally {
      release();
    }
  }

  /**
   * Why the script of a transaction in a stored own block failed: runs the block again and stores nothing. Undefined: it
   * did not fail.
   * @throws ServiceError `StateNotAvailable` where the state before the block is pruned
   */
  async failedScript(block: Block, txId: Hash): Promise<Refusal | undefined> {
    const { state, signatures } = this.parts;
    let found: Refusal | undefined;
    const item: ImportItem = { header: block.header, block, role: 'own', origin: 'mined' };
    await checkBlockRules(state.memory, signatures, item, ({ unsigned }, failure) => {
      if (transactionId(unsigned) === txId) found = failure;
    });
    return found;
  }

  /** Steps 1 to 3: whether a block is valid, and its effects. Stores nothing. */
  async judge(item: ImportItem): Promise<{ readonly refusal?: Refusal; readonly executed?: Executed }> {
    const { state, clock, signatures } = this.parts;
    const { memory } = state;
    const headerVerdict = await this.measured('header-rules', () => checkHeaderRules(memory, item, clock.now()));
    if (headerVerdict) return { refusal: headerVerdict };
    if (!item.block) return {};
    const { block } = item;
    const { verdict, view, contracts } = await this.measured('block-rules', () =>
      checkBlockRules(memory, signatures, item),
    );
    if (verdict) return { refusal: verdict };
    const { from, to } = item.header.chainIndex;
    if (from !== to || !view || !contracts) return {};
    return { executed: await this.measured('execute', () => execute(memory, block, view, contracts)) };
  }

  /** Measures the duration of a step, and adds it to the trace of the request. */
  private async measured<T>(stage: ImportStage, step: () => Promise<T>): Promise<T> {
    const { clock, measures } = this.parts;
    const startedAt = clock.monotonic();
    try {
      return await traced(() => ({ name: `import ${stage}`, kind: 'internal' }), step);
    } finally {
      measures.stage(stage, clock.monotonic() - startedAt);
    }
  }

  /**
   * Best dependencies over everything staged (protocol 03 §7.6). Queries call it, too: computed and kept in one step, so
   * that a block that is staged meanwhile never leaves the former ones behind.
   */
  async best(): Promise<readonly Hash[]> {
    const { state } = this.parts;
    const { memory, settings, group } = state;
    return memory.loaded(() => {
      const isCurrent = memory === state.memory;
      if (isCurrent && state.best) return state.best;
      const best = bestDependencies(memory.dag, memory.spent, group, settings);
      if (isCurrent) state.best = best;
      return best;
    });
  }

  /** Steps 5 to 7 for everything staged. Called by tasks of the writer only. */
  async flush(): Promise<void> {
    this.timer?.cancel();
    this.timer = undefined;
    this.urgent = false;
    if (this.staged.length === 0) return;
    const { staged: batch, release } = this;
    this.staged = [];
    this.stagedBytes = 0;
    this.release = undefined;
    this.flushing = this.commitAndPublish(batch);
    try {
      await this.flushing;
    } finally {
      this.flushing = undefined;
      release?.();
    }
  }

  /**
   * Drops the staged items, because memory is rebuilt without them. Their callers are rejected; received items are
   * pulled again.
   */
  private abandon(): void {
    const { staged, release, timer } = this;
    this.staged = [];
    this.stagedBytes = 0;
    this.release = undefined;
    this.timer = undefined;
    this.urgent = false;
    timer?.cancel();
    const { group } = this.parts.state;
    const reason = this.recovery.reason ?? 'its memory is made anew';
    for (const { reject } of staged) reject(storeUnavailable(group, reason));
    release?.();
  }

  /** Rebuilds the view of queries without a commit, after a sibling announced its best dependencies. */
  async refreshView(): Promise<void> {
    const { state } = this.parts;
    const { memory, shown, announced } = state;
    state.shown = await memory.loaded(() => showView(memory, shown.best, announced));
  }

  /** Resolves when no commit is in progress. Readers of the database wait for it, so that memory and store agree. */
  async settled(): Promise<void> {
    await this.flushing?.catch(() => undefined);
  }

  get isCommitting(): boolean {
    return this.flushing !== undefined;
  }

  /** `outcome`: that of the plan, which is the last one. */
  private stage(item: ImportItem, outcome: AddOutcome, executed: Executed | undefined): Promise<void> {
    const { state } = this.parts;
    const { memory } = state;
    const { header, block, role } = item;
    // Staged data is not in the store yet: after an eviction it could not be loaded again.
    this.release ??= memory.hold();
    this.stagedBytes += block?.raw.length ?? header.raw.length;
    memory.published.freeze(header.hash, outcome);
    memory.dag.add(header, outcome.weight);
    if (block) memory.blocks.add(block);
    if (block && role === 'own') memory.spent.add(block);
    if (executed) {
      memory.nodes.add(executed.commit.addedNodes);
      memory.nodes.replace(executed.commit.replacedNodes);
      memory.immutables.add(executed.commit.immutable ?? []);
      memory.states.add(header.hash, { state: executed.state, stateHash: executed.commit.stateHash });
    }
    if (role === 'own' || header.chainIndex.from === header.chainIndex.to) state.best = undefined;
    const commit = blockCommit(item, outcome, memory.dag.tips(header.chainIndex), executed);
    const stored = new Promise<void>((resolve, reject) =>
      this.staged.push({ item, commit, executed, resolve, reject }),
    );
    this.stagedAt = [...this.stagedAt.slice(1 - fewBlocks), this.parts.clock.monotonic()];
    if (this.isQuiet()) this.flushSoon();
    else this.commitWithin(role === 'own' ? Math.min(this.lazyFor, ownBlockWait) : this.lazyFor);
    this.storing.set(header.hash, stored);
    // `flush` reports a failed commit; not every caller waits for it.
    void stored.catch(() => undefined).finally(() => this.storing.delete(header.hash));
    return stored;
  }

  /** Whether few blocks came lately. */
  private isQuiet(): boolean {
    const [first] = this.stagedAt;
    return this.stagedAt.length < fewBlocks || this.stagedAt.at(-1)! - first! > this.lazyFor;
  }

  /** Schedules a commit in at most so many milliseconds. */
  private commitWithin(milliseconds: number): void {
    const { clock } = this.parts;
    const due = clock.monotonic() + milliseconds;
    if (this.timer && this.due <= due) return;
    this.timer?.cancel();
    this.due = due;
    this.timer = clock.after(milliseconds, () => {
      this.timer = undefined;
      this.later();
    });
  }

  /** Runs a commit as a task of the writer. The task logs its failure, and the callers of its blocks are rejected. */
  private later(): void {
    void this.enqueue('flush', () => this.flush()).catch(() => {
      // Nothing is staged after a failed commit. If the queue was full, staged items must still be committed later.
      if (this.staged.length === 0) return;
      this.urgent = false;
      this.commitWithin(this.lazyFor);
    });
  }

  private async commitAndPublish(batch: readonly Staged[]): Promise<void> {
    const { logger, clock, measures } = this.parts;
    try {
      const publication = await this.measured('commit', () => this.planAndCommit(batch));
      const startedAt = clock.monotonic();
      this.publish(batch, publication);
      measures.stage('publish', clock.monotonic() - startedAt);
    } catch (error) {
      logger.error({ err: error, blocks: batch.length }, 'commit failed; memory is rebuilt from the store');
      for (const { reject } of batch) reject(error as Error);
      await this.recovery.failed(error);
      throw error;
    }
  }

  private async planAndCommit(batch: readonly Staged[]): Promise<Publication> {
    const { store, crashPoint, clock, state, feed } = this.parts;
    const publication = { ...(await this.plan()), changed: feed.plan(newHeads(batch)) };
    const pool = poolChanges(publication.poolUpdate, state.group, BigInt(clock.now()));
    const commits = batch.map(({ commit }) => commit);
    const last = commits.pop()!;
    commits.push({ ...last, projection: publication.projection, pool, changed: publication.changed });
    if (publication.projection?.undo.length) state.addresses.beginMoveBack();
    crashPoint('before-commit');
    await store.commitBlocks(commits);
    crashPoint('after-commit');
    return publication;
  }

  private async plan(): Promise<Omit<Publication, 'changed'>> {
    const { state, store } = this.parts;
    const { memory, pool, shown, announced, settings, group } = state;
    const best = await this.best();
    const next = await memory.loaded(() => showView(memory, best, announced));
    const poolUpdate = await memory.loaded(() => planPoolUpdate(memory, pool, shown.best, best));
    const head = store.projectionHead()!;
    const projection = await memory.loaded(() => projectionMove(memory.dag, head, best[settings.groups - 1 + group]!));
    return { best, shown: next, poolUpdate, projection };
  }

  /** Synchronous, so that no reader sees a part of it. */
  private publish(batch: readonly Staged[], publication: Publication): void {
    const { state, peers, clock, logger, feed } = this.parts;
    const tipsChanged = publication.best.some((hash, slot) => hash !== state.shown.best[slot]);
    state.memory.published.catchUp();
    state.shown = publication.shown;
    feed.committed(publication.changed);
    this.moveAddressSets(batch, publication.projection);
    const dropped = applyPoolUpdate(state.pool, publication.poolUpdate, BigInt(clock.now()));
    const items = batch.map(({ item }) => item);
    for (const { role, block } of items) if (role === 'own' && block) state.locations.add(block);
    for (const { resolve } of batch) resolve();
    this.count(items, publication);
    try {
      announceBlocks(peers, batch);
      if (tipsChanged) announceTips(peers, state, publication.best, clock.now());
      if (dropped.length > 0) this.parts.onDropped(dropped);
      this.parts.onPublished(items);
    } catch (error) {
      // The batch is stored: notifications and schedules follow, and their failure does not make the commit fail.
      logger.error({ err: error }, 'the announcement of a commit failed');
    }
  }

  private count(items: readonly ImportItem[], { projection }: Publication): void {
    const { measures } = this.parts;
    for (const { role } of items) measures.stored(role);
    if (projection && projection.undo.length > 0) measures.reorganised(projection.undo.length);
  }

  /** Moves over blocks of this batch are known in detail; any other move empties the cache. */
  private moveAddressSets(batch: readonly Staged[], move: Publication['projection']): void {
    if (!move) return;
    const { addresses } = this.parts.state;
    const known = new Map(batch.map(({ item, executed }) => [item.header.hash, executed?.commit]));
    const changes = move.apply.map((hash) => known.get(hash));
    if (move.undo.length > 0 || changes.includes(undefined)) addresses.clear();
    else addresses.apply(changes.filter((change) => change !== undefined));
  }
}

import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { fromMemory } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';
import { type CrashPoint } from '../import/importer-parts.js';
import { type Importer } from '../import/index.js';
import { type WorkQueue } from '../writer/work-queue.js';
import { type GroupMemory } from '../memory/group-memory.js';
import { type GroupStore, type PruningStore, type ReplacedNodes } from '../store/index.js';
import { type OldHeight, planStep, type Progress } from './plan-step.js';
import { type HeldBy, type Prunable, prunable } from './prunable.js';

export { sweepOrphans } from './sweep.js';

export interface PrunerParts {
  readonly state: GroupState;
  readonly store: GroupStore;
  readonly queue: WorkQueue;
  readonly importer: Importer;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly crashPoint: CrashPoint;
  /** Called after each step: deleted nodes, and milliseconds that the step held the writer. */
  readonly onPruned?: ((nodes: number, milliseconds: number) => void) | undefined;
}

/** Limit of heights per read: the store returns fewer when they replaced many nodes. */
const heightsAtOnce = 16;

/** Heights that gather before a step: an idle group would otherwise make a step of twenty nodes per block. */
const gathered = 16;

/** Nodes per step. The number adapts, so that a step holds the writer for `goal` milliseconds. */
const stepLimits = { least: 32, most: 500, goal: 10 };

/** Pause after a step, as a multiple of its duration: other work has the database for itself meanwhile. */
const pauseFactor = 4;

/** Milliseconds until a retry after a failed step. */
const patience = 30_000;

/** Deleted nodes after which the space of deleted rows is reclaimed, where no server does it. */
const reclaimAfter = 50_000;

/** Pruning cannot continue: the block up to which states are pruned is not canonical. */
class PlaceLost extends Error {
  constructor(blockHash: Hash, height: number) {
    super(`states were pruned up to block ${blockHash} of height ${height}, which is not canonical any more`);
    this.name = 'PlaceLost';
  }
}

/** Reasons why states below the horizon remain. `at-work`: they are queued, or gather for a step. */
export const pruningReasons = ['at-work', 'branch', 'in-use', 'chain', 'step-failed', 'place-lost'] as const satisfies (
  'at-work' | 'step-failed' | 'place-lost' | HeldBy
)[];

export interface PruningLag {
  /** Intra-group heights below the horizon whose states are still there. */
  readonly heights: number;
  readonly reason: (typeof pruningReasons)[number];
}

/**
 * Deletes nodes that only old world states need (protocol 04 §9.6), in main-chain order, in small background tasks of
 * the writer. Each step is one transaction that also stores the progress: a killed process resumes there. Nothing is
 * ever undone.
 */
export class Pruner {
  private running: Promise<void> | undefined;
  private stopped = false;
  private blockedUntil = 0;
  private progress: Progress | undefined;
  /** Milliseconds of work of the last step. */
  private worked = 0;
  private endPause: (() => void) | undefined;
  /** Few at first, and after a failed step: on a slow disk many nodes would exceed the timeout of a statement. */
  private stepNodes = stepLimits.least;
  /** Heights that are read and not finished: a state may have replaced the nodes of some hundred steps. */
  private ahead: readonly OldHeight[] = [];
  private deletedSinceReclaim = 0;
  /** Prunable heights at the last look. */
  private found: Prunable = { height: -1, heldBy: undefined };
  /** Failure of the last step, until one succeeds. */
  private failure: 'step-failed' | 'place-lost' | undefined;

  constructor(
    private readonly parts: PrunerParts,
    private readonly pruning: PruningStore,
    /** Intra-group heights whose states are retained. */
    private readonly horizon: number,
  ) {}

  /** Wakes the pruner after blocks were stored. */
  wake(): void {
    if (this.running || this.stopped || this.parts.clock.monotonic() < this.blockedUntil) return;
    if (this.behindHorizon() <= this.gathering) return;
    this.running = this.runWhenGathered()
      .catch((error: unknown) => {
        if (this.stopped) return;
        this.blockedUntil = this.parts.clock.monotonic() + patience;
        this.failure = error instanceof PlaceLost ? 'place-lost' : 'step-failed';
        this.parts.logger.warn({ err: error }, 'a pruning step failed; it is retried');
      })
      .finally(() => {
        this.running = undefined;
      });
  }

  /** Its lag, and the reason. */
  lag(): PruningLag {
    const { height, heldBy } = fromMemory(() => this.look()) ?? this.found;
    const isHeld = height < this.next() && heldBy !== undefined;
    return { heights: Math.max(0, this.behindHorizon()), reason: this.failure ?? (isHeld ? heldBy : 'at-work') };
  }

  /** Heights below the horizon that are not pruned, prunable or not. */
  private behindHorizon(): number {
    const { memory, group } = this.parts.state;
    return memory.dag.maxHeight({ from: group, to: group }) - this.horizon - this.next() + 1;
  }

  /** Heights that gather before a step. */
  private get gathering(): number {
    return Math.min(gathered, this.horizon / gathered);
  }

  private async runWhenGathered(): Promise<void> {
    const { height } = await this.prunable();
    if (height >= this.next() + this.gathering) await this.run();
  }

  /** Prunes without pauses until nothing is left: for tests and for maintenance. */
  async finish(): Promise<void> {
    await this.running;
    while (await this.step());
  }

  /** Resolves when the step in progress has ended, or was refused by the queue. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.endPause?.();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopped && (await this.step())) await this.pause(this.worked * pauseFactor);
  }

  /** Ends early when the pruner is stopped. */
  private async pause(milliseconds: number): Promise<void> {
    if (this.stopped) return;
    let timer: Timer | undefined;
    await new Promise<void>((resolve) => {
      this.endPause = resolve;
      timer = this.parts.clock.after(milliseconds, resolve);
    });
    timer?.cancel();
  }

  /** The first height that is not pruned completely. */
  private next(): number {
    const { place } = this.parts.state.memory.horizon;
    if (!place) return 0;
    return place.isComplete ? place.height + 1 : place.height;
  }

  private async prunable(): Promise<Prunable> {
    return (this.found = await this.parts.state.memory.loaded(() => this.look()));
  }

  /** Throws BlocksMissing. */
  private look(): Prunable {
    const { state, store } = this.parts;
    const { memory, group, settings, shown } = state;
    const head = store.projectionHead();
    const inUse = [shown.best[settings.groups - 1 + group]!, ...(head === undefined ? [] : [head])];
    return prunable({ dag: memory.dag, group, horizon: this.horizon, inUse });
  }

  /** False when there is nothing to prune. */
  private async step(): Promise<boolean> {
    const { memory } = this.parts.state;
    const first = this.next();
    const left = this.ahead.filter(({ height }) => height >= first);
    // Retained only when the step succeeds; otherwise it is read again.
    this.ahead = [];
    const heights = left[0]?.height === first ? left : await this.read(memory);
    if (heights.length === 0) return false;
    const nodes = await this.parts.queue.runInBackground('prune', () => this.execute(memory, heights));
    if (nodes === undefined) return false;
    this.failure = undefined;
    this.ahead = heights;
    this.deletedSinceReclaim += nodes;
    await this.reclaim();
    return true;
  }

  /** The nodes that the next heights replaced. Read outside the writer's queue, because there may be many. */
  private async read({ dag, loaded }: GroupMemory): Promise<readonly OldHeight[]> {
    const { group } = this.parts.state;
    const chain = { from: group, to: group };
    const first = this.next();
    const count = Math.min(heightsAtOnce, (await this.prunable()).height - first + 1);
    const blocks = await loaded(() =>
      Array.from({ length: Math.max(0, count) }, (_, i) => dag.hashesAt(chain, first + i)),
    );
    const replaced = await this.pruning.replacedNodes(blocks.flat());
    const heights: OldHeight[] = [];
    for (const [i, [canonical, ...others]] of blocks.entries()) {
      const own = replaced.get(canonical!);
      if (!own) break;
      const otherStates = others.flatMap((hash): ReplacedNodes[] => {
        const state = replaced.get(hash);
        return state ? [state] : [];
      });
      heights.push({ height: first + i, blockHash: canonical!, replaced: own, others: otherStates.map((s) => s.seq) });
    }
    return heights;
  }

  /**
   * Runs as a task of the writer, while memory and store agree: a crash must not take back the blocks on which this
   * step relies.
   */
  private async execute(memory: GroupMemory, heights: readonly OldHeight[]): Promise<number | undefined> {
    const { state, importer, clock, crashPoint, onPruned } = this.parts;
    const began = clock.monotonic();
    await importer.flush();
    if (state.memory !== memory) return undefined;
    const planned = planStep(await this.stillOld(memory, heights), this.progress, this.stepNodes);
    if (!planned) return undefined;
    const { step, progress } = planned;
    // From here on no reader may start on a state whose nodes are about to go. If the step fails, this is harmless.
    memory.horizon.announce(step.place.blockHash);
    this.progress = undefined;
    const stepBegan = clock.monotonic();
    const { stepNodes } = this;
    this.stepNodes = stepLimits.least;
    crashPoint('before-prune');
    const nodes = await this.pruning.prune(step);
    this.stepNodes = stepNodes;
    crashPoint('after-prune');
    memory.horizon.reached(step.place);
    this.progress = progress;
    this.worked = clock.monotonic() - began;
    this.adapt(step.nodes.length, clock.monotonic() - stepBegan);
    onPruned?.(nodes, this.worked);
    return nodes;
  }

  /** The heights that are still prunable. Throws PlaceLost. */
  private async stillOld(
    { dag, horizon, loaded }: GroupMemory,
    heights: readonly OldHeight[],
  ): Promise<readonly OldHeight[]> {
    const { place } = horizon;
    if (place && !(await loaded(() => dag.isCanonical(place.blockHash)))) {
      throw new PlaceLost(place.blockHash, place.height);
    }
    const limit = (await this.prunable()).height;
    const changed = await loaded(() =>
      heights.findIndex(
        ({ height, blockHash }) => height > limit || !dag.isCanonical(blockHash) || dag.height(blockHash) !== height,
      ),
    );
    const still = changed < 0 ? heights : heights.slice(0, changed);
    return still[0]?.height === this.next() ? still : [];
  }

  private adapt(nodes: number, milliseconds: number): void {
    if (nodes < stepLimits.least) return;
    const wanted = Math.round((nodes * stepLimits.goal) / Math.max(1, milliseconds));
    this.stepNodes = Math.max(stepLimits.least, Math.min(stepLimits.most, wanted));
  }

  private async reclaim(): Promise<void> {
    if (this.deletedSinceReclaim < reclaimAfter) return;
    this.deletedSinceReclaim = 0;
    try {
      await this.pruning.reclaimSpace();
    } catch (error) {
      // The pruned nodes are deleted: only the file retains the space of deleted rows until the next attempt.
      this.parts.logger.warn({ err: error }, 'the space of pruned rows was not reclaimed; it is retried later');
    }
  }
}

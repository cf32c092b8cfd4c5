import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';
import { type CrashPoint, type Importer } from '../import/index.js';
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
  /** ObserveResponse of each step: nodes that went, and milliseconds in the writer's turn. */
  readonly onPruned?: ((nodes: number, milliseconds: number) => void) | undefined;
}

/** Heights that are read at once, at most: the store gives fewer of those that have replaced many nodes. */
const heightsAtOnce = 16;

/** Heights that gather before they are pruned: an idle group would make a step of twenty nodes for each block. */
const gathered = 16;

/** Nodes of a step; how many it is depends on how long they take, so that it holds the writer for `goal` milliseconds. */
const stepLimits = { least: 32, most: 500, goal: 10 };

/** A step is followed by a pause of so many times its length: others have the database for themselves meanwhile. */
const pauseFactor = 4;

/** Milliseconds until another try after a step that failed. */
const patience = 30_000;

/** Deleted nodes after which the room of all deleted rows is made usable, where no server does it. */
const reclaimAfter = 50_000;

/** A height can be pruned no more: the block up to which states were pruned is not canonical. Nothing goes on then. */
class PlaceLost extends Error {
  constructor(blockHash: Hash, height: number) {
    super(`states were pruned up to block ${blockHash} of height ${height}, which is not canonical any more`);
    this.name = 'PlaceLost';
  }
}

/** What states below the horizon wait for. `at-work`: their turn, or company for it. */
export const pruningReasons = ['at-work', 'branch', 'in-use', 'chain', 'step-failed', 'place-lost'] as const satisfies (
  'at-work' | 'step-failed' | 'place-lost' | HeldBy
)[];

export interface PruningLag {
  /** Intra-group heights below the horizon whose states are still there. */
  readonly heights: number;
  readonly reason: (typeof pruningReasons)[number];
}

/**
 * Deletes what only old world states need (protocol 04 §9.6), in main-chain order, in small steps in the writer's turn
 * that give way to everything else. Each step is one transaction that also says how far it is: a process that is killed
 * goes on where it was. Nothing is ever undone.
 */
export class Pruner {
  private running: Promise<void> | undefined;
  private stopped = false;
  private blockedUntil = 0;
  private progress: Progress | undefined;
  /** Milliseconds that the last step was at work. */
  private worked = 0;
  private endPause: (() => void) | undefined;
  /** Few at first, and after a step that failed: on a slow disk many would take longer than a statement may. */
  private stepNodes = stepLimits.least;
  /** What was read and is not finished: a state may have replaced as many nodes as some hundred steps take. */
  private ahead: readonly OldHeight[] = [];
  private deletedSinceReclaim = 0;
  /** Of the last step, until one succeeds. */
  private failure: 'step-failed' | 'place-lost' | undefined;

  constructor(
    private readonly parts: PrunerParts,
    private readonly pruning: PruningStore,
    /** Intra-group heights whose states are kept. */
    private readonly horizon: number,
  ) {}

  /** There may be something to do: blocks were stored. */
  wake(): void {
    if (this.running || this.stopped || this.parts.clock.monotonic() < this.blockedUntil) return;
    if (this.prunable().height < this.next() + Math.min(gathered, this.horizon / gathered)) return;
    this.running = this.run()
      .catch((error: unknown) => {
        if (this.stopped) return;
        this.blockedUntil = this.parts.clock.monotonic() + patience;
        this.failure = error instanceof PlaceLost ? 'place-lost' : 'step-failed';
        this.parts.logger.warn({ err: error }, 'old states were not pruned; it is tried again');
      })
      .finally(() => {
        this.running = undefined;
      });
  }

  /** How far it is behind, and why. */
  lag(): PruningLag {
    const { memory, group } = this.parts.state;
    const next = this.next();
    const { height, heldBy } = this.prunable();
    const heights = memory.dag.maxHeight({ from: group, to: group }) - this.horizon - next + 1;
    const reason = this.failure ?? (height < next && heldBy !== undefined ? heldBy : 'at-work');
    return { heights: Math.max(0, heights), reason };
  }

  /** Prunes until nothing is left to prune, without pauses: for tests and for maintenance. */
  async finish(): Promise<void> {
    await this.running;
    while (await this.step());
  }

  /** Resolves when the step under way has ended, or was refused by the queue. */
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

  /** The first height that is not pruned, or not wholly. */
  private next(): number {
    const { place } = this.parts.state.memory.horizon;
    if (!place) return 0;
    return place.isComplete ? place.height + 1 : place.height;
  }

  private prunable(): Prunable {
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
    // Kept only while all goes well: else it is read anew.
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

  /** What the next heights have replaced. Before the writer's turn: it may be much. */
  private async read({ dag }: GroupMemory): Promise<readonly OldHeight[]> {
    const { group } = this.parts.state;
    const chain = { from: group, to: group };
    const first = this.next();
    const count = Math.min(heightsAtOnce, this.prunable().height - first + 1);
    const blocks = Array.from({ length: Math.max(0, count) }, (_, i) => dag.hashesAt(chain, first + i));
    const replaced = await this.pruning.replacedNodes(blocks.flat());
    const heights: OldHeight[] = [];
    for (const [i, [canonical, ...others]] of blocks.entries()) {
      const own = canonical === undefined ? undefined : replaced.get(canonical);
      if (canonical === undefined || !own) break;
      const otherStates = others.flatMap((hash): ReplacedNodes[] => {
        const state = replaced.get(hash);
        return state ? [state] : [];
      });
      heights.push({ height: first + i, blockHash: canonical, replaced: own, others: otherStates.map((s) => s.seq) });
    }
    return heights;
  }

  /** In the writer's turn, with memory and store saying the same: a crash must not take back what this rests on. */
  private async execute(memory: GroupMemory, heights: readonly OldHeight[]): Promise<number | undefined> {
    const { state, importer, clock, crashPoint, onPruned } = this.parts;
    const began = clock.monotonic();
    await importer.flush();
    if (state.memory !== memory) return undefined;
    const planned = planStep(this.stillOld(memory, heights), this.progress, this.stepNodes);
    if (!planned) return undefined;
    const { step, progress } = planned;
    // First of all nobody begins to read what is about to go. Should the step fail, that is no harm.
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

  /** Those of the heights that can go now, too. Throws PlaceLost. */
  private stillOld({ dag, horizon }: GroupMemory, heights: readonly OldHeight[]): readonly OldHeight[] {
    const { place } = horizon;
    if (place && !dag.isCanonical(place.blockHash)) throw new PlaceLost(place.blockHash, place.height);
    const limit = this.prunable().height;
    const changed = heights.findIndex(
      ({ height, blockHash }) => height > limit || !dag.isCanonical(blockHash) || dag.height(blockHash) !== height,
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
      // What was pruned stays so: it is the room of deleted rows alone that the file keeps until the next time.
      this.parts.logger.warn({ err: error }, 'the room of pruned rows was not made usable again; it is tried later');
    }
  }
}

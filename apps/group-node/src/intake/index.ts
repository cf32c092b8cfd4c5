import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger, LogLimiter } from '@shardnode/core/observability';
import { decodeBlock, decodeHeader, parentHashOf } from '@shardnode/protocol/block';
import { missingDependencies, UnknownBlock } from '@shardnode/protocol/dag';
import { DecodeError } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type Refusal, type RefusalName, refuse } from '@shardnode/protocol/validation';
import { type GroupState } from '../view/group-state.js';
import { FaultLog } from '../writer/fault-log.js';
import { type ImportItem, type ImportOutcome } from '../import/import-item.js';
import { roleOf } from '../dag/roles.js';
import { DependencyBuffer, dependencyBufferBounds } from './dependency-buffer.js';
import { type RefusedBlock, RefusedBlocks } from './refused-blocks.js';
import { checkStandAlone, type ItemSource } from './stand-alone-checks.js';

export type IntakeOutcome =
  /** `stored` resolves when it is durable. */
  | { readonly kind: 'added'; readonly hash: Hash; readonly stored: Promise<void> }
  | { readonly kind: 'known'; readonly hash: Hash }
  /** It waits for dependencies. */
  | { readonly kind: 'buffered'; readonly hash: Hash; readonly isNew: boolean; readonly missing: readonly Hash[] }
  /** A fault: neither valid nor invalid; it is retried later. */
  | { readonly kind: 'undecided'; readonly hash: Hash; readonly fault: Error }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Why a block is not imported: the block that must come first, or itself. */
export interface Obstacle {
  readonly block: Hash;
  /** The rule that refuses it; `missing`: nobody sent it; `undecided`: it is here, and a fault of ours keeps it out. */
  readonly cause: RefusalName | 'missing' | 'undecided';
}

export interface IntakeParts {
  readonly state: GroupState;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs the import as a task of the writer's queue. */
  readonly import: (item: ImportItem) => Promise<ImportOutcome>;
  /** Counts refused items, by the name of the rule. */
  readonly onRefused: (code: string) => void;
}

/**
 * Entry of blocks and headers from outside. Steps: decode the bytes, check the item alone, drop known ones, buffer
 * until the dependencies are stored, import. A refusal is logged and counted, and the item is dropped. A fault leaves
 * an item undecided, and it is retried.
 */
export class Intake {
  private readonly buffer: DependencyBuffer<ImportItem>;
  private readonly refused = new RefusedBlocks();

  /** Items in the import; each of them once. */
  private readonly inFlight = new Map<Hash, Promise<IntakeOutcome>>();
  private readonly refusals: LogLimiter;
  private readonly faults: FaultLog;
  /** Rebuilds of memory so far. */
  private losses = 0;

  constructor(private readonly parts: IntakeParts) {
    this.refusals = new LogLimiter(parts.clock);
    this.faults = new FaultLog(parts.logger, parts.clock);
    this.buffer = new DependencyBuffer(dependencyBufferBounds(parts.state.settings.groups));
  }

  get isImporting(): boolean {
    return this.inFlight.size > 0;
  }

  /**
   * Resolves when all importable items that are here now are imported: in flight, or buffered until an item in flight
   * is stored. Later items are not awaited, so that this ends under any load.
   */
  async imported(): Promise<void> {
    const present = new Set([...this.inFlight.keys(), ...this.buffer.hashes()]);
    for (;;) {
      const pending = [...this.inFlight].flatMap(([hash, outcome]) => (present.has(hash) ? [outcome] : []));
      if (pending.length === 0) return;
      await Promise.all(pending);
    }
  }

  get buffered(): number {
    return this.buffer.size;
  }

  /** Accepts a raw block or header. Resolves when it is imported (not yet durable), buffered, or refused. */
  async accept(raw: Uint8Array, form: 'block' | 'header', source: ItemSource): Promise<IntakeOutcome> {
    const item = this.decode(raw, form);
    if ('code' in item) return this.refuse(item, undefined, source);
    const { hash } = item.header;
    const { state } = this.parts;
    if (state.memory.dag.holds(hash)) return { kind: 'known', hash };
    const { settings, group } = state;
    const refusal = checkStandAlone({ settings, group, ...item, form, source });
    if (refusal) {
      // Anybody else may send bytes under the hash of a good block.
      if ('from' in source && source.from === item.header.chainIndex.from)
        this.refused.add({ hash, rule: refusal.code });
      return this.refuse(refusal, hash, source);
    }
    const obstacle = item.header.blockDeps.map((dependency) => this.refused.of(dependency)).find(Boolean);
    if (obstacle) {
      this.refused.addDependent(hash, obstacle.hash);
      return this.refuse(dependsOn(obstacle), hash, source);
    }
    const waiting = this.buffer.get(hash);
    if (waiting && waiting.missing.size > 0)
      return { kind: 'buffered', hash, isNew: false, missing: [...waiting.missing] };
    return this.importOrKeep(item);
  }

  /** A block that was mined here is imported: imports the items that waited for it. */
  released(hash: Hash): void {
    for (const { item } of this.buffer.stored(hash)) {
      // `importOrKeep` logs the outcomes; no caller waits for them.
      void this.importOrKeep(item);
    }
  }

  /** After a rebuild of memory: the dependencies of buffered items are requested again. */
  reset(): void {
    this.losses++;
    this.buffer.clear();
  }

  /** Dependencies, not in flight, for which an item has waited at least `age` milliseconds. Retries undecided items. */
  overdue(age: number): readonly Hash[] {
    for (const { item, arrivedAt } of this.buffer.undecided()) {
      if (this.parts.clock.monotonic() - arrivedAt >= age) void this.importOrKeep(item);
    }
    return this.buffer.missingOlderThan(age, this.parts.clock.monotonic()).filter((hash) => !this.inFlight.has(hash));
  }

  /** Why a block that is not imported is not; undefined: it, or the one for which it waits, is in the import. */
  obstacleOf(hash: Hash): Obstacle | undefined {
    for (let block = hash; ;) {
      const refused = this.refused.of(block);
      if (refused) return { block: refused.hash, cause: refused.rule };
      if (this.inFlight.has(block)) return undefined;
      const waiting = this.buffer.get(block);
      if (!waiting) return { block, cause: 'missing' };
      const [next] = waiting.missing;
      if (next === undefined) return { block, cause: 'undecided' };
      block = next;
    }
  }

  /** Whether the item is in the import or in the buffer. */
  isHere(hash: Hash): boolean {
    return this.inFlight.has(hash) || this.buffer.get(hash) !== undefined;
  }

  /** Counts every refusal; logs it once a minute per rule and sender, because a sender may repeat it endlessly. */
  countRefused(refusal: Refusal, what: 'block' | 'transaction' | 'tips', source?: ItemSource, hash?: Hash): void {
    const { onRefused, logger } = this.parts;
    onRefused(refusal.code);
    const from = source && 'from' in source ? source.from : undefined;
    this.refusals.log(`${what} ${refusal.code} ${source?.kind} ${from}`, (suppressed) =>
      logger.warn({ refusal, hash, source: source?.kind, from, suppressed }, `${what} refused`),
    );
  }

  private decode(raw: Uint8Array, form: 'block' | 'header'): ImportItem | Refusal {
    const { settings, group } = this.parts.state;
    try {
      const block = form === 'block' ? decodeBlock(raw, settings.groups) : undefined;
      const header = block?.header ?? decodeHeader(raw, settings.groups);
      return { header, block, role: roleOf(header.chainIndex, group, settings.groups), origin: 'received' };
    } catch (error) {
      if (error instanceof DecodeError) return refuse('Undecodable', error.message);
      throw error;
    }
  }

  private refuse(refusal: Refusal, hash?: Hash, source?: ItemSource): IntakeOutcome {
    this.countRefused(refusal, 'block', source, hash);
    return { kind: 'refused', refusal };
  }

  /** After a failed commit, dependencies of a ready item may be missing again. */
  private async importOrKeep(item: ImportItem): Promise<IntakeOutcome> {
    const { clock } = this.parts;
    const { hash } = item.header;
    const missing = this.missingInMemory(item) ?? (await this.missingInStore(item));
    if (missing === 'known') return { kind: 'known', hash };
    if (missing.length === 0) return this.importReady(item);
    const isNew = !this.buffer.get(hash) && !this.refused.hasSeen(hash);
    this.buffer.replace(hash, item, missing, clock.monotonic());
    return { kind: 'buffered', hash, isNew, missing };
  }

  /** The dependencies that are not in memory; undefined where the store must be read for them, or for the block. */
  private missingInMemory({ header }: ImportItem): readonly Hash[] | undefined {
    const { settings, memory } = this.parts.state;
    const { dag } = memory;
    const parent = parentHashOf(header, settings.groups);
    const isOpen = (hash: Hash): boolean => dag.mayBeSettled(hash) && !this.isHere(hash);
    // All blocks of the window are in memory, so one that belongs there is new. So is one whose parent is not stored yet.
    const isNew = dag.holds(parent)
      ? dag.height(parent) + 1 >= dag.lowest(header.chainIndex)
      : this.isHere(parent) || !dag.mayBeSettled(header.hash);
    if (!isNew || header.blockDeps.some(isOpen)) return undefined;
    return [...new Set(header.blockDeps.filter((hash) => !dag.holds(hash)))];
  }

  /** The same, from the store; or that the block itself is known. */
  private async missingInStore({ header }: ImportItem): Promise<readonly Hash[] | 'known'> {
    const { memory } = this.parts.state;
    await memory.lookUp([header.hash, ...header.blockDeps]);
    return memory.loaded(() => {
      const [own] = memory.dag.missing([header.hash]);
      return own === undefined ? 'known' : missingDependencies(memory.dag, header);
    });
  }

  private importReady(item: ImportItem): Promise<IntakeOutcome> {
    const { hash } = item.header;
    const running = this.inFlight.get(hash);
    if (running) return running;
    const outcome = this.importOnce(item);
    this.inFlight.set(hash, outcome);
    return outcome;
  }

  private async importOnce(item: ImportItem): Promise<IntakeOutcome> {
    const { hash } = item.header;
    const { clock } = this.parts;
    const { losses } = this;
    try {
      const outcome = await this.parts.import(item);
      this.inFlight.delete(hash);
      if (outcome.kind === 'refused') {
        this.refused.add({ hash, rule: outcome.refusal.code });
        for (const left of this.buffer.refused(hash)) if (left !== hash) this.refused.addDependent(left, hash);
        return this.refuse(outcome.refusal, hash);
      }
      this.refused.accepted(hash);
      this.released(hash);
      return outcome.kind === 'known' ? { kind: 'known', hash } : { kind: 'added', hash, stored: outcome.stored };
    } catch (error) {
      this.inFlight.delete(hash);
      this.logUndecided(hash, error, losses !== this.losses);
      this.buffer.replace(hash, item, [], clock.monotonic());
      return { kind: 'undecided', hash, fault: error as Error };
    }
  }

  /** `hasLost`: memory was rebuilt during the import, maybe without the dependencies of the item: they are pulled. */
  private logUndecided(hash: Hash, error: unknown, hasLost: boolean): void {
    const { faults } = this;
    if (!hasLost || !(error instanceof UnknownBlock)) return faults.log(error, 'block is undecided', { block: hash });
    faults.expected('its dependencies were lost in a rebuild of memory', error, 'block is undecided', {
      block: hash,
    });
  }
}

const dependsOn = ({ hash, rule }: RefusedBlock): Refusal =>
  refuse('DependsOnRefused', `it depends on block ${hash}, which ${rule} refuses`);

import { type Clock } from '@shardnode/core/lifecycle';
import { type Logger, LogLimiter } from '@shardnode/core/observability';
import { decodeBlock, decodeHeader } from '@shardnode/protocol/block';
import { missingDependencies, UnknownBlock } from '@shardnode/protocol/dag';
import { DecodeError } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type Refusal, refuse } from '@shardnode/protocol/validation';
import { type GroupState } from '../view/group-state.js';
import { FaultLog } from '../writer/fault-log.js';
import { type ImportItem, type ImportOutcome } from '../import/import-item.js';
import { roleOf } from '../dag/roles.js';
import { DependencyBuffer, dependencyBufferBounds } from './dependency-buffer.js';
import { checkStandAlone, type ItemSource } from './stand-alone-checks.js';

export type IntakeOutcome =
  /** `stored` resolves when it is durable. */
  | { readonly kind: 'added'; readonly hash: Hash; readonly stored: Promise<void> }
  | { readonly kind: 'known'; readonly hash: Hash }
  /** It waits for dependencies. */
  | { readonly kind: 'buffered'; readonly hash: Hash; readonly isNew: boolean; readonly missing: readonly Hash[] }
  /** A fault: neither valid nor invalid; it is tried again later. */
  | { readonly kind: 'undecided'; readonly hash: Hash; readonly fault: Error }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export interface IntakeParts {
  readonly state: GroupState;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Runs the import in its turn in the writer's queue. */
  readonly import: (item: ImportItem) => Promise<ImportOutcome>;
  /** Counts what was refused, by the name of the rule. */
  readonly onRefused: (code: string) => void;
}

/**
 * The door for blocks and headers from outside: bytes, decoded; checked alone; known already?; kept until the
 * dependencies are there; imported. Refused ones are logged, counted and forgotten; a fault leaves one undecided, to be
 * tried again.
 */
export class Intake {
  private readonly buffer: DependencyBuffer<ImportItem>;

  /** Items handed to the import: each of them once. */
  private readonly inFlight = new Map<Hash, Promise<IntakeOutcome>>();
  private readonly refusals: LogLimiter;
  private readonly faults: FaultLog;
  /** Times that the memory was made anew. */
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
   * Resolves when what is here now, and can be, is imported: in flight, or kept until something in flight is there. What
   * comes later is not waited for, so that this ends under any load.
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

  /** Takes a raw block or header. Resolves when it is imported (not yet durable), kept, or refused. */
  async accept(raw: Uint8Array, form: 'block' | 'header', source: ItemSource): Promise<IntakeOutcome> {
    const item = this.decode(raw, form);
    if ('code' in item) return this.refuse(item, undefined, source);
    const { hash } = item.header;
    const { state } = this.parts;
    if (state.memory.dag.has(hash)) return { kind: 'known', hash };
    const { settings, group } = state;
    const refusal = checkStandAlone({ settings, group, ...item, form, source });
    if (refusal) return this.refuse(refusal, hash, source);
    const waiting = this.buffer.get(hash);
    if (waiting && waiting.missing.size > 0)
      return { kind: 'buffered', hash, isNew: false, missing: [...waiting.missing] };
    return this.importOrKeep(item);
  }

  /** A block that was mined here has been imported: what waited for it goes on. */
  released(hash: Hash): void {
    for (const { item } of this.buffer.stored(hash)) {
      // Outcomes are logged inside; nobody waits for these.
      void this.importOrKeep(item);
    }
  }

  /** After the memory was made anew: what waited is asked for again. */
  reset(): void {
    this.losses++;
    this.buffer.clear();
  }

  /** Dependencies, not on their way, that something has waited for at least `age` milliseconds. Undecided items get another try. */
  overdue(age: number): readonly Hash[] {
    for (const { item, arrivedAt } of this.buffer.undecided()) {
      if (this.parts.clock.monotonic() - arrivedAt >= age) void this.importOrKeep(item);
    }
    return this.buffer.missingOlderThan(age, this.parts.clock.monotonic()).filter((hash) => !this.inFlight.has(hash));
  }

  /** Being imported, or waiting for something else. */
  isHere(hash: Hash): boolean {
    return this.inFlight.has(hash) || this.buffer.get(hash) !== undefined;
  }

  /** Counted each time; logged once a minute for each rule and sender, who may repeat it without end. */
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

  /** Dependencies may be missing again for what was ready: after a commit that failed. */
  private async importOrKeep(item: ImportItem): Promise<IntakeOutcome> {
    const { state, clock } = this.parts;
    const { hash } = item.header;
    const missing = missingDependencies(state.memory.dag, item.header);
    if (missing.length === 0) return this.importReady(item);
    const isNew = !this.buffer.get(hash);
    this.buffer.replace(hash, item, missing, clock.monotonic());
    return { kind: 'buffered', hash, isNew, missing };
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
        this.buffer.refused(hash);
        return this.refuse(outcome.refusal, hash);
      }
      this.released(hash);
      return outcome.kind === 'known' ? { kind: 'known', hash } : { kind: 'added', hash, stored: outcome.stored };
    } catch (error) {
      this.inFlight.delete(hash);
      this.logUndecided(hash, error, losses !== this.losses);
      this.buffer.replace(hash, item, [], clock.monotonic());
      return { kind: 'undecided', hash, fault: error as Error };
    }
  }

  /** `hasLost`: since it was handed to the import memory was made anew, maybe without its dependencies: they are pulled. */
  private logUndecided(hash: Hash, error: unknown, hasLost: boolean): void {
    const { faults } = this;
    if (!hasLost || !(error instanceof UnknownBlock)) return faults.log(error, 'block is undecided', { block: hash });
    faults.expected('its dependencies were lost when memory was made anew', error, 'block is undecided', {
      block: hash,
    });
  }
}

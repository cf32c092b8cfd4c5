import { type Logger } from '@shardnode/core/observability';
import { type GroupClient, type PullReply } from '@shardnode/messages';
import { locator } from '@shardnode/protocol/dag';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';
import { bodyHoldersOf } from '../dag/roles.js';
import { type IntakeOutcome } from '../intake/index.js';

export interface PullerParts {
  readonly state: GroupState;
  readonly groups: Pick<GroupClient, 'request'>;
  readonly accept: (raw: Uint8Array, form: 'block' | 'header', from: number) => Promise<IntakeOutcome>;
  /** The clock of a sibling that answers, milliseconds since 1970: known before this node is synced (decision 31). */
  readonly clockReceived: (sibling: number, sentAt: number) => void;
  readonly logger: Logger;
}

/** Milliseconds for one page: a lost question must not hold up the round for long. */
const patience = 2_000;

/** A chain and the sibling to ask for it: its owner, for own chains the other holder of the bodies. */
interface Source {
  readonly chain: ChainIndex;
  readonly sibling: number;
}

export interface RoundResult {
  /** Blocks and headers that were new here. */
  readonly fresh: number;
  /** Siblings that did not answer. */
  readonly silent: readonly number[];
}

const sourcesOf = (group: number, groups: number): Source[] => {
  const numbers = Array.from({ length: groups }, (_, index) => index);
  const own = numbers.map((to) => ({
    chain: { from: group, to },
    sibling: bodyHoldersOf({ from: group, to }, groups)[1],
  }));
  const others = numbers
    .filter((from) => from !== group)
    .flatMap((from) => numbers.map((to) => ({ chain: { from, to }, sibling: from })));
  // Own chains first: nobody may continue them before it has what the siblings have of them (protocol 03 §12.5 point 5).
  return [...own, ...others];
};

/**
 * Asks the siblings for what is missing here (protocol 03 §12.5). The one way to close a gap: at start, after lost
 * messages, after a partition. Pages go through the intake, whose buffer holds what comes before its dependencies.
 */
export class Puller {
  private running: Promise<RoundResult> | undefined;
  private again = false;
  private farBehind = false;

  constructor(private readonly parts: PullerParts) {}

  /** A sibling has more than one page of what is missing here, and `caughtUp` was not called since. */
  get isFarBehind(): boolean {
    return this.farBehind;
  }

  /** All that was pulled is imported. */
  caughtUp(): void {
    this.farBehind = false;
  }

  /** Rounds until one brings nothing new from anyone. Calls during a run share it, and add one more round to its end. */
  catchUp(): Promise<RoundResult> {
    if (this.running) {
      this.again = true;
      return this.running;
    }
    this.running = this.rounds().finally(() => (this.running = undefined));
    return this.running;
  }

  private async rounds(): Promise<RoundResult> {
    let fresh = 0;
    for (;;) {
      this.again = false;
      const result = await this.round();
      fresh += result.fresh;
      if (result.fresh === 0 && !this.again) return { fresh, silent: result.silent };
    }
  }

  private async round(): Promise<RoundResult> {
    const { group, settings } = this.parts.state;
    const sources = sourcesOf(group, settings.groups);
    const silent = new Set<number>();
    const counts = await Promise.all(
      sources.map(async (source) => {
        try {
          return await this.pull(source);
        } catch (error) {
          silent.add(source.sibling);
          this.parts.logger.debug({ err: error, sibling: source.sibling }, 'sibling did not answer a pull');
          return 0;
        }
      }),
    );
    return { fresh: counts.reduce((sum, count) => sum + count, 0), silent: [...silent] };
  }

  /** Pages from the last common block on, until one has something new. */
  private async pull({ chain, sibling }: Source): Promise<number> {
    const { state, groups } = this.parts;
    let from: readonly Hash[] = locator(state.memory.dag, chain);
    for (;;) {
      const request = { asker: state.group, chain, locator: from };
      const reply = await groups.request(sibling, 'read.sync.pull', request, { deadlineMs: patience });
      this.parts.clockReceived(sibling, Number(reply.sentAt));
      if (reply.more) this.farBehind = true;
      const fresh = await this.take(reply, sibling);
      if (fresh > 0 || !reply.more || reply.last === undefined) return fresh;
      from = [reply.last];
    }
  }

  private async take(reply: PullReply, sibling: number): Promise<number> {
    const form = reply.kind === 'blocks' ? 'block' : 'header';
    const outcomes = await Promise.all(reply.items.map((raw) => this.parts.accept(raw, form, sibling)));
    return outcomes.filter((outcome) => outcome.kind === 'added' || (outcome.kind === 'buffered' && outcome.isNew))
      .length;
  }
}

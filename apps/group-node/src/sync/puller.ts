import { type Logger } from '@shardnode/core/observability';
import { type GroupClient, type PullReply } from '@shardnode/messages';
import { locator } from '@shardnode/protocol/dag';
import { type ChainIndex, flatIndex, type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';
import { bodyHoldersOf } from '../dag/roles.js';
import { type IntakeOutcome } from '../intake/index.js';

export interface PullerParts {
  readonly state: GroupState;
  readonly groups: Pick<GroupClient, 'request'>;
  readonly accept: (raw: Uint8Array, form: 'block' | 'header', from: number) => Promise<IntakeOutcome>;
  /** The clock of a sibling that responds, milliseconds since 1970: needed before this node is synced (decision 31). */
  readonly clockReceived: (sibling: number, sentAt: number) => void;
  readonly logger: Logger;
}

/** Milliseconds for one page: a lost request must not delay the round for long. */
const patience = 2_000;

/** A chain and the sibling to query: its owner, or for own chains the second holder of the bodies. */
interface Source {
  readonly chain: ChainIndex;
  readonly sibling: number;
}

export interface RoundResult {
  /** Blocks and headers that were new here. */
  readonly fresh: number;
  /** Siblings that did not respond. */
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
  // Own chains first: a node must not extend them before it has the siblings' blocks of them (protocol 03 §12.5 point
  // 5).
  return [...own, ...others];
};

/**
 * Pulls missing blocks and headers from the siblings (protocol 03 §12.5). It is the only procedure that closes gaps: at
 * start, after lost messages, after a partition. Pages go through the intake, whose buffer holds items that arrive
 * before their dependencies.
 */
export class Puller {
  private running: Promise<RoundResult> | undefined;
  private again = false;
  private farBehind = false;
  /** Chains, by flat index, of which a sibling sent nothing lately but what is refused here. */
  private readonly refused = new Set<number>();

  constructor(private readonly parts: PullerParts) {}

  /** A sibling has more than one missing page that is not refused here, and `caughtUp` was not called since. */
  get isFarBehind(): boolean {
    return this.farBehind;
  }

  /** Called when everything pulled is imported. */
  caughtUp(): void {
    this.farBehind = false;
  }

  /**
   * Pulls in rounds until one brings nothing new from any sibling. Calls during a run share it, and add one more round
   * to its end.
   */
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

  /**
   * Reads pages from the last common block on, until one has something new. A page of which everything is refused is the
   * last one, too: the following ones depend on it.
   */
  private async pull({ chain, sibling }: Source): Promise<number> {
    const { state, groups } = this.parts;
    const key = flatIndex(chain, state.settings.groups);
    const { memory } = state;
    let from: readonly Hash[] = await memory.loaded(() => locator(memory.dag, chain));
    for (;;) {
      const request = { asker: state.group, chain, locator: from };
      const reply = await groups.request(sibling, 'read.sync.pull', request, { deadlineMs: patience });
      this.parts.clockReceived(sibling, Number(reply.sentAt));
      if (reply.more && !this.refused.has(key)) this.farBehind = true;
      const { fresh, areAllRefused } = await this.take(reply, sibling);
      this.refused[areAllRefused ? 'add' : 'delete'](key);
      if (fresh > 0 || areAllRefused || !reply.more || reply.last === undefined) return fresh;
      from = [reply.last];
    }
  }

  private async take(reply: PullReply, sibling: number): Promise<{ fresh: number; areAllRefused: boolean }> {
    const form = reply.kind === 'blocks' ? 'block' : 'header';
    const outcomes = await Promise.all(reply.items.map((raw) => this.parts.accept(raw, form, sibling)));
    const { length: fresh } = outcomes.filter(
      (outcome) => outcome.kind === 'added' || (outcome.kind === 'buffered' && outcome.isNew),
    );
    const areAllRefused = outcomes.length > 0 && outcomes.every(({ kind }) => kind === 'refused');
    return { fresh, areAllRefused };
  }
}

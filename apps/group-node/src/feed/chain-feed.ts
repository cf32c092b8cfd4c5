import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { type ChainChange, type ChainHead, mostAddedBlocks, type PeerPublisher } from '@shardnode/messages';
import { commonAncestor, nodesBetween } from '@shardnode/protocol/dag';
import { type Hash } from '@shardnode/protocol/primitives';
import { type ChangedChain } from '../store/index.js';
import { type NodeReads } from '../view/reads.js';
import { type GroupState } from '../view/group-state.js';
import { blockRefs, placeOf } from './block-refs.js';

export interface ChainFeedParts {
  readonly state: GroupState;
  readonly store: NodeReads['store'];
  readonly clock: Clock;
  readonly logger: Logger;
  readonly peers: PeerPublisher;
  /** Identity of the database. */
  readonly epoch: string;
  readonly isFarBehind: () => boolean;
  /** Called for each announcement that was given up because too many are being made. */
  readonly dropped: () => void;
}

/** Milliseconds. `commit`: pause when a commit is in flight at the end of a window. */
const times = { window: 1_000, commit: 50 };
/** Announcements that may be made at the same time: each may read bodies from the store. */
const mostPending = 64;

/** Changes of a chain that share one number and one message. */
interface Window {
  /** The head before the first of them. */
  readonly before: Hash;
  timer: Timer;
}

/**
 * Numbers the canonical changes of the own chains, and announces them after their commit (protocol 09 §3.1). The number
 * is stored with the change: a process killed in between leaves no hole, and the next heartbeat shows the change.
 * Usually each commit is one change of a chain. A node that is far behind announces one change for each chain and
 * second: the first commit takes the number, and the message at the end of the second has all of them.
 */
export class ChainFeed {
  private readonly windows = new Map<number, Window>();
  /** A commit is in flight, with numbers that `plan` gave. */
  private isPlanned = false;
  private pending = 0;
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly parts: ChainFeedParts) {}

  /** The changes to store with a commit after which the chains have these heads. */
  plan(heads: ReadonlyMap<number, Hash>): ChangedChain[] {
    this.isPlanned = heads.size > 0;
    return [...heads].map(([to, hash]) => {
      const { seq } = this.parts.state.heads[to]!;
      return { to, hash, seq: this.windows.has(to) ? seq : seq + 1 };
    });
  }

  /** The planned changes are stored and visible. */
  committed(changes: readonly ChangedChain[]): void {
    this.isPlanned = false;
    const { state, isFarBehind } = this.parts;
    for (const change of changes) {
      const { to } = change;
      const before = state.heads[to]!.hash;
      state.heads[to] = change;
      if (this.windows.has(to)) continue;
      if (isFarBehind()) this.windows.set(to, { before, timer: this.closeAfter(times.window, to) });
      else this.announce(before, change);
    }
  }

  /** Memory was rebuilt from the store: what was planned may be stored or not. The heartbeat shows it. */
  reset(): void {
    this.isPlanned = false;
    for (const { timer } of this.windows.values()) timer.cancel();
    this.windows.clear();
  }

  /** Resolves when the announcements so far are sent. */
  async stop(): Promise<void> {
    this.reset();
    await this.last;
  }

  heads(): Promise<ChainHead[]> {
    const { state } = this.parts;
    const { memory } = state;
    return memory.loaded(() =>
      state.heads.map(({ to, seq, hash }) => {
        const { height, timestamp } = memory.published.node(hash);
        return { chainTo: to, seq, height, hash, timestamp: Number(timestamp) };
      }),
    );
  }

  private closeAfter(milliseconds: number, to: number): Timer {
    return this.parts.clock.after(milliseconds, () => this.close(to));
  }

  private close(to: number): void {
    const window = this.windows.get(to);
    if (!window) return;
    // The commit in flight has the window's number: its change belongs into the message.
    if (this.isPlanned) {
      window.timer = this.closeAfter(times.commit, to);
      return;
    }
    this.windows.delete(to);
    this.announce(window.before, this.parts.state.heads[to]!);
  }

  /** In the order of the calls. Never throws. */
  private announce(before: Hash, change: ChangedChain): void {
    if (this.pending >= mostPending) return this.parts.dropped();
    const { logger } = this.parts;
    this.pending++;
    this.last = this.last
      .then(async () => this.publish(await this.changeBetween(before, change)))
      .catch((error: unknown) => logger.warn({ err: error }, 'a change of a chain was not announced'))
      .finally(() => this.pending--);
  }

  private publish(change: ChainChange): void {
    const { epoch, chainFrom, chainTo, seq } = change;
    this.parts.peers.publish('feed.chain', change, { id: `${epoch}:${chainFrom}:${chainTo}:${seq}` });
  }

  private async changeBetween(before: Hash, { to, seq, hash }: ChangedChain): Promise<ChainChange> {
    const { state, store, clock, epoch } = this.parts;
    const { published, loaded } = state.memory;
    const { newer, fork, removed, added } = await loaded(() => {
      const [older, newest] = [published.node(before), published.node(hash)];
      const common = commonAncestor(older, newest);
      return {
        newer: newest,
        fork: common,
        removed: nodesBetween(older, common).map(placeOf).reverse(),
        added: nodesBetween(newest, common),
      };
    });
    // After a pause of the chain the new head may be an ancestor of the old one: it is `head` and `fork` at once.
    const refs = await blockRefs({ state, store }, added.length > 0 ? added.slice(-mostAddedBlocks) : [newer]);
    return {
      v: 1,
      epoch,
      seq,
      chainFrom: state.group,
      chainTo: to,
      kind: removed.length > 0 ? 'reorg' : 'extend',
      fork: placeOf(fork),
      added: added.length > 0 ? refs : [],
      removed,
      truncated: added.length > mostAddedBlocks,
      head: refs.at(-1)!,
      publishedAt: clock.now(),
    };
  }
}

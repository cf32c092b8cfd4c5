import {
  type LiveBlock,
  type LiveChange,
  type LiveData,
  type LiveName,
  type LivePendingChange,
  type LiveStats,
  mostLiveAddresses,
  mostLiveBlocks,
  mostLivePending,
} from '@shardnode/messages';
import { type Clock, type Timer } from '@shardnode/core/lifecycle';
import { sameChain } from '@shardnode/protocol/primitives';
import { type BlockRow } from '../blocks/block-rows.js';
import { type IndexChange } from '../index-store/open-index.js';
import { type NewPending, type PendingChange } from '../index-store/pending.js';
import { type TouchedAddresses } from '../index-store/touched-addresses.js';

/** Milliseconds between two messages about the mempools (protocol 08 §6). */
const pendingEvery = 500;

const liteOf = ({ hash, timestamp, chain, height, txCount, hashRate }: BlockRow): LiveBlock => ({
  hash,
  timestamp: Number(timestamp),
  chainFrom: chain.from,
  chainTo: chain.to,
  height,
  txNumber: txCount,
  mainChain: true,
  hashRate: hashRate.toString(),
});

/** Parts of a list, each with at most `mostLiveAddresses` addresses; so may be the addresses of one transaction. */
function* partsOf(touched: readonly TouchedAddresses[]): Iterable<TouchedAddresses[]> {
  let part: TouchedAddresses[] = [];
  let size = 0;
  for (const { hash, addresses } of touched) {
    for (let start = 0; start < addresses.length; start += mostLiveAddresses) {
      const some = addresses.slice(start, start + mostLiveAddresses);
      if (size + some.length > mostLiveAddresses) {
        yield part;
        [part, size] = [[], 0];
      }
      part.push({ hash, addresses: some });
      size += some.length;
    }
  }
  if (part.length > 0) yield part;
}

/** The changes of the mempools since the last message. */
class PendingSummary {
  private readonly added = new Map<string, NewPending>();
  private readonly removed = new Set<string>();

  get isEmpty(): boolean {
    return this.added.size === 0 && this.removed.size === 0;
  }

  note({ added, removed }: PendingChange): void {
    for (const hash of removed) if (!this.added.delete(hash)) this.removed.add(hash);
    for (const one of added) if (!this.removed.delete(one.hash)) this.added.set(one.hash, one);
  }

  take(): LivePendingChange {
    const isTooLong = this.added.size > mostLivePending || this.removed.size > mostLivePending;
    const taken: LivePendingChange = isTooLong
      ? { added: [], removed: [], overflow: true }
      : {
          added: [...this.added.values()].map(({ hash, chain: { from, to }, seenAt }) => ({
            hash,
            chainFrom: from,
            chainTo: to,
            lastSeen: Number(seenAt),
          })),
          removed: [...this.removed],
        };
    this.added.clear();
    this.removed.clear();
    return taken;
  }
}

/** Publishes committed changes to the processes that serve the stream (protocol 08 §6). */
export class LiveChanges {
  private n = 0;
  private readonly pending = new PendingSummary();
  private lastPending = -Infinity;
  private timer: Timer | undefined;

  /** @param epoch identifies this process among all that ever publish */
  constructor(
    private readonly epoch: string,
    private readonly publish: (change: LiveChange) => void,
    private readonly clock: Clock,
  ) {}

  /** Blocks were applied, or the top of a chain was replaced. */
  blocks({ added, removed, unpended, confirmed, reverted }: IndexChange): void {
    this.transactions('reverted', reverted);
    this.transactions('confirmed', confirmed);
    if (removed.length === 0) for (const block of added) this.send('block', liteOf(block));
    else this.reorganised(added, removed);
    this.notePending({ added: [], removed: unpended });
  }

  pools(change: PendingChange): void {
    this.transactions('pending', change.added);
    this.notePending(change);
  }

  stats(stats: LiveStats): void {
    this.send('stats', stats);
  }

  /** Leaves a number out, so that the followers read the index: not every change is published. */
  leaveOut(): void {
    this.n += 1;
  }

  stop(): void {
    this.timer?.cancel();
  }

  private reorganised(added: readonly BlockRow[], removed: IndexChange['removed']): void {
    const { chain, height } = removed.at(-1)!;
    if (Math.max(added.length, removed.length) > mostLiveBlocks) {
      this.leaveOut();
      return;
    }
    this.send('reorg', {
      chainFrom: chain.from,
      chainTo: chain.to,
      forkHeight: height - 1,
      removed: removed.map(({ hash }) => hash),
      added: added.filter((block) => sameChain(block.chain, chain)).map(liteOf),
    });
  }

  private transactions(kind: LiveData['transactions']['kind'], touched: readonly TouchedAddresses[]): void {
    for (const part of partsOf(touched)) this.send('transactions', { kind, transactions: part });
  }

  private notePending(change: PendingChange): void {
    this.pending.note(change);
    if (this.timer || this.pending.isEmpty) return;
    const wait = this.lastPending + pendingEvery - this.clock.monotonic();
    if (wait <= 0) this.sendPending();
    else this.timer = this.clock.after(wait, () => this.sendPending());
  }

  private sendPending(): void {
    this.timer = undefined;
    if (this.pending.isEmpty) return;
    this.lastPending = this.clock.monotonic();
    this.send('pending', this.pending.take());
  }

  private send<Name extends LiveName>(name: Name, data: LiveData[Name]): void {
    this.n += 1;
    this.publish({ v: 1, epoch: this.epoch, n: this.n, name, data } as LiveChange);
  }
}

import { Inject, Injectable } from '@nestjs/common';
import { type Cache } from '@shardnode/core/cache';
import { Clock } from '@shardnode/core/lifecycle';
import { fingerprintOf } from '../caches/fingerprint.js';
import { sharedCache } from '../caches/shared-cache.js';
import { ApiSettings } from '../settings/api-settings.js';

/** Milliseconds. */
const banTime = 86_400_000;
/** Bound of peers in each list; the oldest are evicted first. */
const longestList = 10_000;

/** By address: end of the ban in milliseconds since 1970, and unreachable peers. */
interface Entries {
  readonly bans: ReadonlyMap<string, number>;
  readonly unreachable: ReadonlySet<string>;
}

const nothing: Entries = { bans: new Map(), unreachable: new Set() };

const newest = <Item>(items: Iterable<Item>): Item[] => [...items].slice(-longestList);

const bytesOf = ({ bans, unreachable }: Entries): Uint8Array =>
  Buffer.from(JSON.stringify({ bans: [...bans], unreachable: [...unreachable] }));

/** Returns no entries for an unknown form: a newer gateway may write another one. */
const entriesOf = (bytes: Uint8Array): Entries => {
  try {
    const { bans, unreachable } = JSON.parse(Buffer.from(bytes).toString()) as {
      readonly bans: [string, number][];
      readonly unreachable: string[];
    };
    return { bans: new Map(bans), unreachable: new Set(unreachable) };
  } catch {
    return nothing;
  }
};

/**
 * Peers as marked by operators (protocol 07 §5). A cluster has no peers to ban, so this is only a list: stored in the
 * cache that the gateways share, where there is one, and allowed to be lost.
 */
@Injectable()
export class PeerBook {
  private readonly key: string;
  private kept = nothing;
  private last: Promise<void> = Promise.resolve();

  constructor(
    @Inject(sharedCache) private readonly shared: Cache | undefined,
    private readonly clock: Clock,
    { network }: ApiSettings,
  ) {
    // Separates gateways of different networks in one cache.
    this.key = `peers:${fingerprintOf(network)}`;
  }

  /** `until`: milliseconds since 1970. */
  async bans(): Promise<{ readonly peer: string; readonly until: number }[]> {
    const { bans } = await this.current();
    return [...bans].map(([peer, until]) => ({ peer, until }));
  }

  async unreachable(): Promise<string[]> {
    return [...(await this.current()).unreachable];
  }

  /** Bans for a day; banned peers are unreachable too. */
  ban(peers: readonly string[]): Promise<void> {
    const until = this.clock.now() + banTime;
    return this.change(({ bans, unreachable }) => ({
      bans: new Map(newest([...bans, ...peers.map((peer) => [peer, until] as const)])),
      unreachable: new Set(newest([...unreachable, ...peers])),
    }));
  }

  /** Ends bans; the peers are reachable again, too. */
  unban(peers: readonly string[]): Promise<void> {
    const freed = new Set(peers);
    return this.change(({ bans, unreachable }) => ({
      bans: new Map([...bans].filter(([peer]) => !freed.has(peer))),
      unreachable: new Set([...unreachable].filter((peer) => !freed.has(peer))),
    }));
  }

  markUnreachable(peers: readonly string[]): Promise<void> {
    return this.change((entries) => ({ ...entries, unreachable: new Set(newest([...entries.unreachable, ...peers])) }));
  }

  markReachable(peers: readonly string[]): Promise<void> {
    const found = new Set(peers);
    return this.change((entries) => ({
      ...entries,
      unreachable: new Set([...entries.unreachable].filter((peer) => !found.has(peer))),
    }));
  }

  private async current(): Promise<Entries> {
    const shared = await this.shared?.get(this.key);
    const { bans, unreachable } = shared ? entriesOf(shared) : this.kept;
    const now = this.clock.now();
    return { bans: new Map([...bans].filter(([, until]) => until > now)), unreachable };
  }

  /** Changes run one after the other; gateways that write at the same time may undo each other's change. */
  private change(changed: (entries: Entries) => Entries): Promise<void> {
    this.last = this.last.then(async () => {
      this.kept = changed(await this.current());
      await this.shared?.set(this.key, bytesOf(this.kept));
    });
    return this.last;
  }
}

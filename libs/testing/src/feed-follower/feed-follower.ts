import { type BusConnection, type BusNetwork } from '@shardnode/core/bus';
import { ServiceError } from '@shardnode/core/errors';
import { sleep, systemClock, type Timer } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import {
  type ChainHead,
  type SentBlock,
  type FeedEventName,
  type FeedEvents,
  followerRouting,
  type GroupClient,
  groupClient,
  type PoolChange,
  type PoolTx,
} from '@shardnode/messages';
import { allChainIndexes } from '@shardnode/protocol/primitives';
import { checkedParts, type FollowedBlock, FollowedChain } from './followed-chain.js';

export interface FollowerOptions {
  readonly network: BusNetwork;
  readonly ns: string;
  readonly groups: number;
  /** Called with the delivery of each announcement: may drop it, delay it or repeat it. */
  readonly arrive?: (deliver: () => void) => void;
}

/** Announcements of one kind. */
type Heard = { readonly [Name in Exclude<FeedEventName, 'feed.block'>]: FeedEvents[Name][] };

interface FollowedPool {
  epoch: string;
  seq: number;
  readonly transactions: Map<string, PoolTx>;
}

/** Milliseconds (protocol 09 §6, §8). */
const times = { reconcile: 10_000, retry: 1_000 };

/**
 * A follower of the feed (protocol 09): announcements are hints to pull, and the heads of heartbeats and of the
 * reconciliation show what was lost. It trusts nothing that it can compute.
 */
export class FeedFollower {
  readonly heard: Heard = { 'feed.chain': [], 'feed.pool': [], 'feed.heartbeat': [] };
  /** Faults of replies, and of this follower. */
  readonly problems: unknown[] = [];
  private readonly chains: FollowedChain[];
  private readonly pools = new Map<number, FollowedPool>();
  private readonly syncing = new Map<FollowedChain, Promise<void>>();
  private readonly again = new Set<FollowedChain>();
  private isStopped = false;
  private reconciling: Promise<void> = Promise.resolve();
  private next: Timer | undefined;

  private constructor(
    private readonly options: FollowerOptions,
    private readonly connection: BusConnection,
    readonly client: GroupClient,
  ) {
    const { groups } = options;
    this.chains = allChainIndexes(groups).map((chain) => new FollowedChain(chain, groups));
  }

  static async open(options: FollowerOptions): Promise<FeedFollower> {
    const { network, ns, groups } = options;
    const connection = await network.join({
      sender: { service: 'explorer' },
      routing: followerRouting(ns, groups),
      logger: silentLogger,
    });
    const follower = new FeedFollower(options, connection, groupClient(connection.bus, { ns, groups }));
    await follower.listen();
    follower.reconciling = follower.reconcile();
    return follower;
  }

  /** Canonical blocks of a chain by height. */
  blocks(from: number, to: number): readonly FollowedBlock[] {
    return this.chains[from * this.options.groups + to]!.blocks;
  }

  /** Ids of the pending transactions of a group. */
  pending(group: number): readonly string[] {
    return [...(this.pools.get(group)?.transactions.keys() ?? [])].sort();
  }

  /** Blocks of a chain that were replaced. */
  undone(from: number, to: number): number {
    return this.chains[from * this.options.groups + to]!.undone;
  }

  async close(): Promise<void> {
    this.isStopped = true;
    await this.reconciling;
    this.next?.cancel();
    await Promise.all(this.syncing.values());
    await this.connection.close();
  }

  private async listen(): Promise<void> {
    const { server } = this.connection;
    const hear = <Name extends keyof Heard>(name: Name, take: (event: FeedEvents[Name], subject: string) => void) =>
      server.addHandler(
        name,
        async (event: FeedEvents[Name], context: { readonly subject: string }) =>
          this.arrive(() => {
            this.heard[name].push(event);
            take(event, context.subject);
          }),
        true,
      );
    hear('feed.chain', ({ chainFrom, chainTo, head }) => this.compare(chainFrom, { ...head, chainTo }));
    hear('feed.heartbeat', ({ group, heads }) => heads.forEach((head) => this.compare(group, head)));
    hear('feed.pool', (change, subject) => this.poolChanged(Number(subject.split('.')[3]), change));
    await new Promise<void>((resolve, reject) => {
      void server.listen((error?: unknown) => (error ? reject(error as Error) : resolve()));
    });
  }

  private arrive(deliver: () => void): void {
    if (this.isStopped) return;
    if (this.options.arrive) this.options.arrive(() => this.isStopped || deliver());
    else deliver();
  }

  private async reconcile(): Promise<void> {
    const all = Array.from({ length: this.options.groups }, (_, group) => group);
    await Promise.all(all.map((group) => this.reconcileGroup(group)));
    if (this.isStopped) return;
    this.next = systemClock.after(times.reconcile, () => (this.reconciling = this.reconcile()));
  }

  private async reconcileGroup(group: number): Promise<void> {
    try {
      const { heads } = await this.client.request(group, 'read.chain.heads', {});
      for (const head of heads) this.compare(group, head);
      await this.listPool(group);
    } catch (error) {
      this.note(error);
    }
  }

  private compare(from: number, { chainTo, hash }: Pick<ChainHead, 'chainTo' | 'hash'>): void {
    const chain = this.chains[from * this.options.groups + chainTo]!;
    if (chain.head?.hash !== hash) this.sync(chain);
  }

  /** At most one pull in flight for each chain. */
  private sync(chain: FollowedChain): void {
    if (this.isStopped) return;
    if (this.syncing.has(chain)) {
      this.again.add(chain);
      return;
    }
    const work = this.pullAll(chain)
      .catch((error: unknown) => this.note(error))
      .finally(() => {
        this.syncing.delete(chain);
        if (this.again.delete(chain)) this.sync(chain);
      });
    this.syncing.set(chain, work);
  }

  private async pullAll(chain: FollowedChain): Promise<void> {
    while (!this.isStopped) {
      const { from: chainFrom, to: chainTo } = chain.chain;
      const request = { chainFrom, chainTo, locators: chain.locators() };
      const reply = await this.ofChain(chain, (group) => this.client.request(group, 'read.chain.pull', request));
      await chain.apply(reply, (block) => this.bytesOf(chain, block));
      if (!reply.more) return;
    }
  }

  private async bytesOf(chain: FollowedChain, block: SentBlock): Promise<Uint8Array> {
    if (block.block !== undefined) return new Uint8Array(Buffer.from(block.block, 'base64'));
    const parts: Uint8Array[] = [];
    for (let offset = 0; ;) {
      const request = { hash: block.hash, offset };
      const part = await this.ofChain(chain, (group) => this.client.request(group, 'read.block.chunk', request));
      const data = Buffer.from(part.data, 'base64');
      parts.push(data);
      offset += data.length;
      if (part.last) return checkedParts(block, parts);
    }
  }

  /** Asks the owner of the chain, or its second holder; again later when both are busy. */
  private async ofChain<T>({ chain: { from, to } }: FollowedChain, ask: (group: number) => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await ask(from).catch((error: unknown) => {
          if (from === to || !isAbsent(error)) throw error;
          return ask(to);
        });
      } catch (error) {
        if (this.isStopped || !isBusy(error)) throw error;
        await sleep(systemClock, Number(error.data['retryAfterMs'] ?? times.retry));
      }
    }
  }

  private poolChanged(group: number, change: PoolChange): void {
    const pool = this.pools.get(group);
    const isNext = pool?.epoch === change.epoch && change.seq === pool.seq + 1 && change.overflow !== true;
    // One that the list had already.
    if (pool?.epoch === change.epoch && change.seq <= pool.seq) return;
    if (!isNext) {
      void this.listPool(group).catch((error: unknown) => this.note(error));
      return;
    }
    pool.seq = change.seq;
    for (const { txId } of change.removed) pool.transactions.delete(txId);
    for (const transaction of change.added) pool.transactions.set(transaction.txId, transaction);
  }

  private async listPool(group: number): Promise<void> {
    const transactions = new Map<string, PoolTx>();
    let first: { readonly epoch: string; readonly seq: number } | undefined;
    for (let after: string | undefined; ;) {
      const page = await this.client.request(group, 'read.pool.list', after === undefined ? {} : { after });
      first ??= page;
      for (const transaction of page.transactions) transactions.set(transaction.txId, transaction);
      after = page.transactions.at(-1)?.txId;
      if (!page.more) break;
    }
    this.pools.set(group, { epoch: first.epoch, seq: first.seq, transactions });
  }

  /** A group that does not answer is asked again by the next heartbeat. */
  private note(error: unknown): void {
    if (!isAbsent(error) && !isBusy(error) && !this.isStopped) this.problems.push(error);
  }
}

const isAbsent = (error: unknown): boolean => error instanceof ServiceError && error.kind === 'unavailable';

const isBusy = (error: unknown): error is ServiceError => error instanceof ServiceError && error.kind === 'throttled';

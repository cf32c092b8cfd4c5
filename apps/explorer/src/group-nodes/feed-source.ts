import { Semaphore } from '@shardnode/core/concurrency';
import { ServiceError } from '@shardnode/core/errors';
import { type Clock, sleep, yieldToEventLoop } from '@shardnode/core/lifecycle';
import {
  type ChainHead,
  type ChainPullReply,
  type ContractStateForm,
  type FeedCallResult,
  type SentBlock,
  type FeedInfo,
  type FeedPlace,
  type FeedRequestName,
  type FeedRequests,
  type GroupClient,
  type PoolTx,
} from '@shardnode/messages';
import { parseAddress } from '@shardnode/protocol/address';
import { chainIndexOfHash } from '@shardnode/protocol/block';
import { type ChainIndex, groupOfContract, type Hash } from '@shardnode/protocol/primitives';
import { type FeedBlock } from '../blocks/feed-block.js';
import { checkContinuous, checkedBlock, checkedFork, joinedParts } from './checked-reply.js';

/** A checked reply to a pull. */
export interface Pulled {
  /** A locator of the request; undefined: the blocks begin with genesis. */
  readonly fork: FeedPlace | undefined;
  readonly blocks: readonly FeedBlock[];
  readonly head: FeedPlace;
  readonly more: boolean;
  /** The group-node that replied. */
  readonly group: number;
}

/** The transactions of a mempool, and the number of the last change that they contain. */
export interface ListedPool {
  readonly epoch: string;
  readonly seq: number;
  readonly transactions: readonly PoolTx[];
}

export interface FeedSourceOptions {
  readonly client: GroupClient;
  readonly clock: Clock;
  /** Checks the network of a group-node before its first reply is used. Rejects when it is another one. */
  readonly checkNetwork: (info: FeedInfo) => void;
}

/** Pulls in flight (protocol 09 §7). */
const pullsAtOnce = 8;
/** Timeouts in a row after which the second holder of a chain is asked (protocol 08 §4.2). */
const patience = 3;
/** Milliseconds before a group-node that refuses for its load is asked again, if it does not say. */
const busyPauseMs = 1_000;
/** Blocks that are decoded between two yields to the event loop. */
const blocksPerTick = 25;

const isUnavailable = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && error.kind === 'unavailable';
const isBusy = (error: unknown): error is ServiceError => error instanceof ServiceError && error.kind === 'throttled';

/** Requests to the group-nodes for blocks and pending transactions (protocol 08 §4.2, 09 §4). */
export class FeedSource {
  private readonly pulls = new Semaphore({
    permits: pullsAtOnce,
    maxWaiting: Number.POSITIVE_INFINITY,
    full: () => new Error('the queue of pulls is unbounded'),
  });
  private readonly timeouts = new Map<number, number>();
  private readonly checked = new Set<number>();
  private isClosed = false;

  constructor(private readonly options: FeedSourceOptions) {}

  /** Requests in flight end; none is repeated. */
  close(): void {
    this.isClosed = true;
  }

  /** Facts about a group-node. @throws ServiceError */
  async info(group: number): Promise<FeedInfo> {
    const info = await this.patiently(() => this.options.client.request(group, 'read.info', {}));
    this.options.checkNetwork(info);
    this.checked.add(group);
    return info;
  }

  /** The database of a group-node was replaced: its network is checked again. */
  recheck(group: number): void {
    this.checked.delete(group);
  }

  /** Heads of the chains (group, *). @throws ServiceError */
  async heads(group: number): Promise<{ readonly epoch: string; readonly heads: readonly ChainHead[] }> {
    return this.ask(group, 'read.chain.heads', {});
  }

  /**
   * Canonical blocks above the first locator that is canonical at a group-node.
   * @param isSecond asks the second holder of the chain first, because the owner's last reply was invalid
   * @throws ServiceError; InvalidFeedReply
   */
  async pull(chain: ChainIndex, locators: readonly FeedPlace[], isSecond: boolean): Promise<Pulled> {
    const request = { chainFrom: chain.from, chainTo: chain.to, locators };
    return this.pulls.run(async () => {
      const { reply, group } = await this.ofHolder(chain, 'read.chain.pull', request, isSecond);
      return { ...(await this.checkedPull(chain, reply, locators)), group };
    });
  }

  /** A block, canonical or not. @throws ServiceError; InvalidFeedReply */
  async block(hash: Hash): Promise<FeedBlock> {
    const chain = chainIndexOfHash(hash, this.options.client.groups);
    const { reply } = await this.ofHolder(chain, 'read.block.get', { hash });
    return this.checkedBlock(chain, reply.block);
  }

  /** Whether a group-node has a block, canonical or not. @throws ServiceError */
  async has(group: number, hash: Hash): Promise<boolean> {
    try {
      await this.ask(group, 'read.block.get', { hash, withEvents: false });
      return true;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'not-found') return false;
      throw error;
    }
  }

  /** Whether a block is canonical at a holder of its chain; one that it does not know is not. @throws ServiceError */
  async isCanonical(hash: Hash): Promise<boolean> {
    const chain = chainIndexOfHash(hash, this.options.client.groups);
    try {
      const { reply } = await this.ofHolder(chain, 'read.block.get', { hash, withEvents: false });
      return reply.canonical;
    } catch (error) {
      if (error instanceof ServiceError && error.kind === 'not-found') return false;
      throw error;
    }
  }

  /** The mempool of a group. @throws ServiceError */
  async pool(group: number): Promise<ListedPool> {
    const transactions: PoolTx[] = [];
    let first: Pick<ListedPool, 'epoch' | 'seq'> | undefined;
    for (;;) {
      const after = transactions.at(-1)?.txId;
      const page = await this.ask(group, 'read.pool.list', after === undefined ? {} : { after });
      // Changes after the first page may be missing: those of a greater number are applied again.
      first ??= page;
      transactions.push(...page.transactions);
      if (!page.more || page.transactions.length === 0) return { epoch: first.epoch, seq: first.seq, transactions };
    }
  }

  /** The group of a contract's id; undefined for an id that names none. */
  groupOfContract(address: string): number | undefined {
    const script = parseAddress(address);
    return script?.kind === 'p2c' ? groupOfContract(script.contractId, this.options.client.groups) : undefined;
  }

  /** Whether a group-node has caught up with its siblings. @throws ServiceError */
  async isSynced(group: number): Promise<boolean> {
    return (await this.info(group)).synced;
  }

  /** The state of a contract of this network. @throws ServiceError */
  contractState(address: string): Promise<ContractStateForm> {
    return this.ask(this.groupOfContract(address)!, 'read.contract.state', { address });
  }

  /** The results of methods of a contract, without arguments, all from one state. @throws ServiceError */
  async contractCalls(address: string, methods: readonly number[]): Promise<readonly FeedCallResult[]> {
    const calls = methods.map((methodIndex) => ({ address, methodIndex }));
    return (await this.ask(this.groupOfContract(address)!, 'read.feed.contract-calls', { calls })).results;
  }

  private async checkedPull(chain: ChainIndex, reply: ChainPullReply, locators: readonly FeedPlace[]) {
    const fork = checkedFork(reply, locators);
    const blocks: FeedBlock[] = [];
    for (const sent of reply.blocks) {
      blocks.push(await this.checkedBlock(chain, sent));
      if (blocks.length % blocksPerTick === 0) await yieldToEventLoop();
    }
    checkContinuous(fork, blocks, this.options.client.groups);
    const { height, hash } = reply.head;
    return { fork, blocks, head: { height, hash }, more: reply.more };
  }

  private async checkedBlock(chain: ChainIndex, sent: SentBlock): Promise<FeedBlock> {
    const raw =
      sent.block === undefined ? await this.chunks(chain, sent) : new Uint8Array(Buffer.from(sent.block, 'base64'));
    return checkedBlock(sent, raw, chain, this.options.client.groups);
  }

  private async chunks(chain: ChainIndex, sent: SentBlock): Promise<Uint8Array> {
    const parts: Uint8Array[] = [];
    for (let offset = 0; ;) {
      const { reply } = await this.ofHolder(chain, 'read.block.chunk', { hash: sent.hash, offset });
      const data = Buffer.from(reply.data, 'base64');
      parts.push(data);
      offset += data.length;
      if (reply.last || data.length === 0) return joinedParts(sent, parts);
    }
  }

  /** Asks the owner of a chain, or its second holder while the owner does not answer (protocol 08 §4.2). */
  private async ofHolder<Name extends FeedRequestName>(
    { from, to }: ChainIndex,
    name: Name,
    request: FeedRequests[Name]['request'],
    isSecond = false,
  ): Promise<{ readonly reply: FeedRequests[Name]['reply']; readonly group: number }> {
    const owner = isSecond ? to : from;
    try {
      const reply = await this.ask(owner, name, request);
      this.timeouts.delete(owner);
      return { reply, group: owner };
    } catch (error) {
      const second = owner === from ? to : from;
      if (second === owner || !this.isAway(owner, error)) throw error;
      return { reply: await this.ask(second, name, request), group: second };
    }
  }

  /** Whether the owner is down, not only slow once. */
  private isAway(group: number, error: unknown): boolean {
    if (!isUnavailable(error)) return false;
    if (error.code !== 'DeadlineExceeded') return true;
    const timeouts = (this.timeouts.get(group) ?? 0) + 1;
    this.timeouts.set(group, timeouts);
    return timeouts >= patience;
  }

  private async ask<Name extends FeedRequestName>(
    group: number,
    name: Name,
    request: FeedRequests[Name]['request'],
  ): Promise<FeedRequests[Name]['reply']> {
    if (!this.checked.has(group)) await this.info(group);
    return this.patiently(() => this.options.client.request(group, name, request));
  }

  /** Again after the time that a busy group-node names. */
  private async patiently<Reply>(ask: () => Promise<Reply>): Promise<Reply> {
    for (;;) {
      try {
        return await ask();
      } catch (error) {
        if (!isBusy(error) || this.isClosed) throw error;
        await sleep(this.options.clock, Number(error.data['retryAfterMs'] ?? busyPauseMs));
      }
    }
  }
}

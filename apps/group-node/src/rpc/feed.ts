import { Controller, Inject } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { softwareVersion } from '@shardnode/core/observability';
import {
  type ChainHead,
  type ChainPullReply,
  type ChainPullRequest,
  chainOfBlockHash,
  type ContractStateForm,
  contractStateForm,
  type SentBlock,
  type FeedCall,
  type FeedCallResult,
  feedError,
  type FeedInfo,
  groupOfContractId,
  HandlesGroupRequest,
  parseValueForm,
  type ScriptFailure,
  valueForms,
} from '@shardnode/messages';
import { parseAddress } from '@shardnode/protocol/address';
import { type Block, decodeBlock } from '@shardnode/protocol/block';
import { type DagNode, maxForkDepth } from '@shardnode/protocol/dag';
import { encode } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { valsCodec } from '@shardnode/protocol/script';
import { failureOf, type Refusal, refusalReason } from '@shardnode/protocol/validation';
import { runCall } from '../contracts/contract-runs.js';
import { failureData } from '../contracts/failure-data.js';
import { storedContractState } from '../contracts/stored-contract.js';
import { Runs } from '../contracts/runs.js';
import { bodyHoldersOf } from '../dag/roles.js';
import { pullChain } from '../feed/chain-pull.js';
import { FeedBlocks } from '../feed/feed-blocks.js';
import { Feed } from '../feed/index.js';
import { Importer } from '../import/index.js';
import { bytesOfEvent } from '../store/event-bytes.js';
import { bodyOf } from '../view/blocks-within.js';
import { type NodeReads } from '../view/reads.js';
import { WorkQueue } from '../writer/work-queue.js';
import { FEED_SETTINGS, type FeedSettings, READS } from './tokens.js';

/** Of a reply, below the largest message of the bus (protocol 09 §4.3). */
const bytesBelowLongest = 65_536;
/** Bytes of a block in one reply to `read.block.chunk`, before encoding. */
const bytesOfChunk = 524_288;
/** Of a reply with a part of a block, besides the part. */
const bytesAroundChunk = 1_024;
/** Cost of a call, as bytes of a reply: it runs on a thread, or in place for less than a millisecond. */
const bytesOfCall = 25_000;

const bytesOfBlock = ({ block = '', events = [] }: SentBlock): number => block.length + events.length * bytesOfEvent;

const scriptFailureOf = (refusal: Refusal): ScriptFailure => {
  const failure = failureOf(refusal);
  return { reason: refusalReason(refusal), facts: failure === undefined ? {} : failureData(failure) };
};

/** Pulls of followers of the feed (protocol 09 §4), within their limits. */
@Controller()
export class FeedRpc {
  private readonly blocks: FeedBlocks;

  constructor(
    @Inject(READS) private readonly node: NodeReads,
    @Inject(FEED_SETTINGS) private readonly settings: FeedSettings,
    private readonly feed: Feed,
    private readonly runs: Runs,
    private readonly importer: Importer,
    private readonly queue: WorkQueue,
  ) {
    this.blocks = new FeedBlocks(node);
  }

  @HandlesGroupRequest('read.info')
  info(): FeedInfo {
    const { group, settings, memory } = this.node.state;
    const { groups, networkId, blockTargetTime } = settings;
    return {
      v: 1,
      group,
      groups,
      networkId,
      genesis: Array.from({ length: groups }, (_, to) => memory.published.genesis({ from: group, to })),
      epoch: this.feed.epoch,
      version: softwareVersion,
      synced: this.feed.isSynced,
      eventsFrom: 0,
      blockTargetTimeMs: Number(blockTargetTime),
      maxForkDepth,
      coinSymbol: this.settings.coinSymbol,
    };
  }

  @HandlesGroupRequest('read.chain.heads')
  async heads(): Promise<{ readonly epoch: string; readonly heads: readonly ChainHead[] }> {
    return { epoch: this.feed.epoch, heads: await this.feed.chains.heads() };
  }

  @HandlesGroupRequest('read.chain.pull')
  pull(request: ChainPullRequest): Promise<ChainPullReply> {
    const { node, blocks, feed } = this;
    const parts = { node, blocks, epoch: feed.epoch, longestReply: () => this.longestReply };
    return feed.limits.run(
      () => pullChain(parts, request),
      (reply) => reply.blocks.map(bytesOfBlock).reduce((sum, bytes) => sum + bytes, 0),
    );
  }

  @HandlesGroupRequest('read.block.get')
  block({ hash, withEvents = true }: { readonly hash: Hash; readonly withEvents?: boolean }): Promise<{
    readonly block: SentBlock;
    readonly canonical: boolean;
    readonly height: number;
  }> {
    return this.feed.limits.run(
      async () => {
        const { node, body } = await this.stored(hash);
        const { memory } = this.node.state;
        const [read] = await this.blocks.encoded([node], () => body, { withEvents, maxBytes: this.longestReply });
        const canonical = await memory.loaded(() => memory.published.isCanonical(hash));
        return { block: read!.block, canonical, height: node.height };
      },
      ({ block }) => bytesOfBlock(block),
    );
  }

  @HandlesGroupRequest('read.block.chunk')
  chunk({ hash, offset }: { readonly hash: Hash; readonly offset: number }): Promise<{
    readonly offset: number;
    readonly size: number;
    readonly data: string;
    readonly last: boolean;
  }> {
    return this.feed.limits.run(
      async () => {
        const { body } = await this.stored(hash);
        const size = body.length;
        if (offset >= size) throw feedError('InvalidRequest', `offset: expected less than ${size}`);
        const end = Math.min(size, offset + this.longestChunk);
        return { offset, size, data: Buffer.from(body.subarray(offset, end)).toString('base64'), last: end === size };
      },
      ({ data }) => data.length,
    );
  }

  @HandlesGroupRequest('read.pool.list')
  pool({ after }: { readonly after?: Hash }): Promise<ReturnType<Feed['pool']['list']>> {
    return this.feed.limits.run(
      async () => this.feed.pool.list(after),
      ({ transactions }) => transactions.reduce((sum, { template }) => sum + template.length, 0),
    );
  }

  @HandlesGroupRequest('read.contract.state')
  contract({ address }: { readonly address: string }): Promise<ContractStateForm> {
    return this.feed.limits.run(
      async () => {
        const contractId = this.contractId(address);
        const state = contractId === undefined ? undefined : await storedContractState(this.node, contractId);
        if (!state) throw feedError('UnknownContract', `there is no contract ${address}`);
        return contractStateForm(state);
      },
      ({ bytecode }) => bytecode.length,
    );
  }

  @HandlesGroupRequest('read.feed.contract-calls')
  calls({ calls }: { readonly calls: readonly FeedCall[] }): Promise<{
    readonly results: readonly FeedCallResult[];
    readonly blockHash: string;
  }> {
    return this.feed.limits.run(
      async () => {
        const blockHash = this.node.state.shown.base;
        const results: FeedCallResult[] = [];
        for (const call of calls) results.push(await this.call(call, blockHash));
        return { results, blockHash };
      },
      ({ results }) => results.length * bytesOfCall,
    );
  }

  /** Of explorers of the version before. */
  @HandlesGroupRequest('read.contract.calls')
  callsByFormerName(request: { readonly calls: readonly FeedCall[] }): ReturnType<FeedRpc['calls']> {
    return this.calls(request);
  }

  @HandlesGroupRequest('read.transaction.failure')
  failure({ blockHash, txId }: { readonly blockHash: Hash; readonly txId: Hash }): Promise<{
    readonly failure: ScriptFailure | null;
  }> {
    return this.feed.limits.runLong(async () => {
      const { group, settings } = this.node.state;
      const { from, to } = chainOfBlockHash(blockHash, settings.groups);
      if (from !== group || to !== group)
        throw feedError('NotThisGroup', `group ${group} runs no scripts of chain (${from},${to})`);
      const { node, body } = await this.stored(blockHash);
      // A genesis block runs no script, and its dependencies are no blocks.
      if (node.height === 0) return { failure: null };
      const block = decodeBlock(body, settings.groups);
      const found = await this.queue.run('inspect', () => this.failedScript(block, txId));
      return { failure: found ? scriptFailureOf(found) : null };
    });
  }

  /** Undefined too where it is not known any more: the state before the block is pruned. */
  private async failedScript(block: Block, txId: Hash): Promise<Refusal | undefined> {
    try {
      return await this.importer.failedScript(block, txId);
    } catch (error) {
      if (error instanceof ServiceError && error.code === 'StateNotAvailable') return undefined;
      throw error;
    }
  }

  private async call({ address, methodIndex, args = [] }: FeedCall, blockHash: Hash): Promise<FeedCallResult> {
    const contractId = this.contractId(address);
    if (contractId === undefined) return { ok: false, error: `there is no contract ${address}` };
    const values = args.map((form, i) => {
      const val = parseValueForm(form);
      if (!val) throw feedError('InvalidRequest', `args[${i}]: expected a value of the type ${form.type}`);
      return val;
    });
    const result = await runCall(this.node, this.runs, {
      contractId,
      methodIndex,
      args: encode(valsCodec, values),
      inputAssets: [],
      existingContracts: [],
      worldStateBlockHash: blockHash,
    });
    return result.type === 'CallContractSucceeded'
      ? { ok: true, returns: valueForms(result.returns) }
      : { ok: false, error: result.error };
  }

  /** Undefined for an id that names no group. @throws ServiceError `InvalidRequest`, `NotThisGroup` */
  private contractId(address: string): Hash | undefined {
    const script = parseAddress(address);
    if (script?.kind !== 'p2c') throw feedError('InvalidRequest', 'address: expected the address of a contract');
    const { group, settings } = this.node.state;
    const own = groupOfContractId(script.contractId, settings.groups);
    if (own === undefined) return undefined;
    if (own !== group) throw feedError('NotThisGroup', `contract ${address} is of group ${own}`);
    return script.contractId;
  }

  /** @throws ServiceError `NotThisGroup`, `UnknownBlock` */
  private async stored(hash: Hash): Promise<{ readonly node: DagNode; readonly body: Uint8Array }> {
    const { group, settings, memory } = this.node.state;
    const chain = chainOfBlockHash(hash, settings.groups);
    if (!bodyHoldersOf(chain, settings.groups).includes(group)) {
      throw feedError('NotThisGroup', `group ${group} does not have the blocks of chain (${chain.from},${chain.to})`);
    }
    const node = await memory.find(hash);
    const body = node && (await bodyOf(this.node, hash));
    if (!body) throw feedError('UnknownBlock', `there is no block ${hash}`);
    return { node, body };
  }

  /** In base64 it has four thirds of its bytes. */
  private get longestChunk(): number {
    return Math.min(bytesOfChunk, Math.floor((this.settings.longestMessage() - bytesAroundChunk) * 0.75));
  }

  private get longestReply(): number {
    return this.settings.longestMessage() - bytesBelowLongest;
  }
}

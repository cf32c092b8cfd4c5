import { Controller, Inject } from '@nestjs/common';
import { type BusContext } from '@shardnode/core/bus';
import { type ServiceError } from '@shardnode/core/errors';
import {
  type BlockReply,
  type ChainBlocks,
  type ChainSelector,
  type EventItem,
  HandlesGroupRequest,
  type HeaderReply,
  mostBytesOfBlocks,
  serviceError,
} from '@shardnode/messages';
import { chainIndexOfHash, workOf } from '@shardnode/protocol/block';
import { type DagNode, workOfHeaviestTips } from '@shardnode/protocol/dag';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type PublishedChain } from '../dag/published-chain.js';
import { bodiesOf, bodyOf, fittingBlocks, sizesOf } from '../view/blocks-within.js';
import { canonicalBlocksBetween, canonicalPagesBetween } from '../view/interval-blocks.js';
import { type NodeReads } from '../view/reads.js';
import { READS } from './tokens.js';

/** Chains, blocks and headers as stored (protocol 03 §7.4). */
@Controller()
export class ChainRpc {
  constructor(@Inject(READS) private readonly node: NodeReads) {}

  @HandlesGroupRequest('read.chain.info')
  info(chain: ChainSelector): { readonly currentHeight: number } {
    return { currentHeight: this.chains.currentHeight(this.checked(chain)) };
  }

  @HandlesGroupRequest('read.chain.hashes')
  async hashes({ from, to, height }: ChainSelector & { readonly height: number }): Promise<{
    readonly hashes: readonly string[];
  }> {
    const chain = this.checked({ from, to });
    return { hashes: await this.read((chains) => chains.hashesAt(chain, height)) };
  }

  @HandlesGroupRequest('read.chain.block')
  async block({
    hash,
    withEvents,
    maxBytes,
  }: {
    readonly hash: string;
    readonly withEvents?: boolean;
    readonly maxBytes?: number;
  }): Promise<BlockReply> {
    const { height, isCanonical } = await this.place(hash);
    if (maxBytes !== undefined) await this.checkSize(hash, maxBytes);
    const events = withEvents ? await this.node.store.blockEvents(hash, maxBytes ?? mostBytesOfBlocks) : undefined;
    const block = await bodyOf(this.node, hash);
    if (!block) throw blockNotFound(hash);
    return { block, height, isCanonical, ...(events ? { events } : {}) };
  }

  @HandlesGroupRequest('read.chain.header')
  async header({ hash }: { readonly hash: string }): Promise<HeaderReply> {
    const { node, ...place } = await this.place(hash);
    return { header: node.header.raw, height: place.height, isCanonical: place.isCanonical };
  }

  @HandlesGroupRequest('read.chain.is-canonical')
  async isCanonical({ hash }: { readonly hash: string }): Promise<{ readonly isCanonical: boolean }> {
    return { isCanonical: (await this.place(hash)).isCanonical };
  }

  @HandlesGroupRequest('read.chain.blocks')
  async blocks(
    {
      fromTs,
      toTs,
      withEvents = false,
      maxBytes,
    }: {
      readonly fromTs: number;
      readonly toTs: number;
      readonly withEvents?: boolean;
      readonly maxBytes?: number;
    },
    { deadlineMs }: Pick<BusContext, 'deadlineMs'>,
  ): Promise<{ readonly chains: readonly ChainBlocks[]; readonly until?: number }> {
    const checkDeadline = this.deadline(deadlineMs);
    const budget = maxBytes ?? budgetOf({ fromTs, toTs });
    const interval = { fromTime: BigInt(fromTs), toTime: BigInt(toTs) };
    const chains = await Promise.all(
      this.ownChains().map(async (chain) => ({
        chain,
        found: await canonicalBlocksBetween(this.node, chain, interval, mostBlocksOf(budget)),
      })),
    );
    const { hashes, until } = await fittingBlocks(
      this.node,
      chains.map(({ found }) => found),
      { maxBytes: budget, withEvents, checkDeadline },
    );
    // A caller that does not know of `until` would take a part for the whole.
    if (until !== undefined && maxBytes === undefined) throw tooManyBlocks(fromTs, until);
    const bodyAt = await bodiesOf(this.node, hashes, checkDeadline);
    const events = withEvents ? await this.eventsOf(hashes) : undefined;
    const fitting = new Set(hashes);
    return {
      chains: chains.map(({ chain, found }) => ({
        ...chain,
        blocks: found
          .filter(({ hash }) => fitting.has(hash))
          .map(({ hash, height }) => ({
            block: bodyAt(hash),
            height,
            ...(events ? { events: events.get(hash) ?? [] } : {}),
          })),
      })),
      ...(until === undefined ? {} : { until }),
    };
  }

  @HandlesGroupRequest('read.chain.work')
  async work({ fromTs, toTs }: { readonly fromTs: number; readonly toTs: number }): Promise<{ readonly work: string }> {
    const interval = { fromTime: BigInt(fromTs), toTime: BigInt(toTs) };
    let work = 0n;
    for (const chain of this.ownChains()) {
      for await (const blocks of canonicalPagesBetween(this.node, chain, interval)) {
        for (const { target } of blocks) work += workOf(target);
      }
    }
    return { work: work.toString() };
  }

  @HandlesGroupRequest('read.chain.difficulty')
  difficulty(): { readonly work: string } {
    return { work: workOfHeaviestTips(this.chains, this.ownChains()).toString() };
  }

  /** A check that throws when the caller has stopped waiting. */
  private deadline(deadlineMs = Number.POSITIVE_INFINITY): () => void {
    const { clock } = this.node;
    const end = clock.monotonic() + deadlineMs;
    return () => {
      if (clock.monotonic() > end) throw serviceError('DeadlineExceeded', `nobody waits for it after ${deadlineMs} ms`);
    };
  }

  /** @throws ServiceError `AnswerTooLarge` */
  private async checkSize(hash: Hash, maxBytes: number): Promise<void> {
    const bytes = (await sizesOf(this.node, [hash], false))(hash);
    if (bytes > maxBytes) {
      throw serviceError('AnswerTooLarge', `block ${hash} has ${bytes} bytes, at most ${maxBytes} are wanted`);
    }
  }

  /** Only blocks of the intra-group chain run scripts. */
  private eventsOf(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, readonly EventItem[]>> {
    return this.node.store.eventsOfBlocks(
      hashes.filter((hash) => chainIndexOfHash(hash, this.node.state.settings.groups).to === this.node.state.group),
    );
  }

  private ownChains(): ChainIndex[] {
    const { group, settings } = this.node.state;
    return Array.from({ length: settings.groups }, (_, to) => ({ from: group, to }));
  }

  private get chains() {
    return this.node.state.memory.published;
  }

  private checked(chain: ChainSelector): ChainSelector {
    const { groups } = this.node.state.settings;
    for (const [field, value] of Object.entries({ from: chain.from, to: chain.to })) {
      if (!Number.isInteger(value) || value < 0 || value >= groups) {
        throw serviceError('InvalidGroup', `${field} must be a group from 0 to ${groups - 1}`, {
          field,
        });
      }
    }
    return { from: chain.from, to: chain.to };
  }

  private async place(
    hash: Hash,
  ): Promise<{ readonly node: DagNode; readonly height: number; readonly isCanonical: boolean }> {
    const found = await this.read((chains) => {
      if (!chains.has(hash)) return undefined;
      const node = chains.node(hash);
      return { node, height: node.height, isCanonical: chains.isCanonical(hash) };
    });
    if (!found) throw blockNotFound(hash);
    return found;
  }

  /** Settled blocks are loaded. */
  private read<Result>(run: (chains: PublishedChain) => Result): Promise<Result> {
    const { memory } = this.node.state;
    return memory.loaded(() => run(memory.published));
  }
}

/** The shortest interval is always answered, whatever its blocks have: there is nothing less to ask for. */
const budgetOf = ({ fromTs, toTs }: { readonly fromTs: number; readonly toTs: number }): number =>
  toTs <= fromTs + 1 ? Number.POSITIVE_INFINITY : mostBytesOfBlocks;

/** Bytes that every block has: more of its header alone. */
const leastBytesOfBlock = 300;

/** More blocks than fit. */
const mostBlocksOf = (bytes: number): number => Math.min(1_000_000, Math.floor(bytes / leastBytesOfBlock) + 1);

const tooManyBlocks = (fromTs: number, until: number): ServiceError =>
  serviceError(
    'AnswerTooLarge',
    `the blocks have more than ${mostBytesOfBlocks} bytes: ask for a shorter interval, fromTs=${fromTs}&toTs=${Math.max(until, fromTs + 1)}`,
  );

const blockNotFound = (hash: Hash): ServiceError =>
  serviceError('BlockNotFound', `Block ${hash} not found`, { resource: `Block ${hash}` });

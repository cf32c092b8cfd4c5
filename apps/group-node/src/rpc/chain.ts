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
import { blocksBetweenTimes, workBetweenTimes, workOfHeaviestTips } from '@shardnode/protocol/dag';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { bodiesOf, bodyOf, fittingBlocks, sizesOf } from '../view/blocks-within.js';
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
  hashes({ from, to, height }: ChainSelector & { readonly height: number }): { readonly hashes: readonly string[] } {
    return { hashes: this.chains.hashesAt(this.checked({ from, to }), height) };
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
    const { height, isCanonical } = this.place(hash);
    if (maxBytes !== undefined) await this.checkSize(hash, maxBytes);
    const events = withEvents ? await this.node.store.blockEvents(hash, maxBytes ?? mostBytesOfBlocks) : undefined;
    const block = await bodyOf(this.node, hash);
    if (!block) throw blockNotFound(hash);
    return { block, height, isCanonical, ...(events ? { events } : {}) };
  }

  @HandlesGroupRequest('read.chain.header')
  header({ hash }: { readonly hash: string }): HeaderReply {
    return { header: this.chains.has(hash) ? this.chains.header(hash).raw : new Uint8Array(), ...this.place(hash) };
  }

  @HandlesGroupRequest('read.chain.is-canonical')
  isCanonical({ hash }: { readonly hash: string }): { readonly isCanonical: boolean } {
    return { isCanonical: this.place(hash).isCanonical };
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
    const chains = this.ownChains().map((chain) => ({
      chain,
      hashes: blocksBetweenTimes(this.chains, chain, BigInt(fromTs), BigInt(toTs)),
    }));
    const { hashes, until } = await fittingBlocks(
      this.node,
      chains.map((each) => each.hashes),
      { maxBytes: maxBytes ?? budgetOf({ fromTs, toTs }), withEvents, checkDeadline },
    );
    // A caller that does not know of `until` would take a part for the whole.
    if (until !== undefined && maxBytes === undefined) throw tooManyBlocks(fromTs, until);
    const bodyAt = await bodiesOf(this.node, hashes, checkDeadline);
    const events = withEvents ? await this.eventsOf(hashes) : undefined;
    const fitting = new Set(hashes);
    return {
      chains: chains.map(({ chain, hashes: all }) => ({
        ...chain,
        blocks: all
          .filter((hash) => fitting.has(hash))
          .map((hash) => ({
            block: bodyAt(hash),
            height: this.chains.height(hash),
            ...(events ? { events: events.get(hash) ?? [] } : {}),
          })),
      })),
      ...(until === undefined ? {} : { until }),
    };
  }

  @HandlesGroupRequest('read.chain.work')
  work({ fromTs, toTs }: { readonly fromTs: number; readonly toTs: number }): { readonly work: string } {
    return { work: workBetweenTimes(this.chains, this.ownChains(), BigInt(fromTs), BigInt(toTs)).toString() };
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
      hashes.filter((hash) => this.chains.header(hash).chainIndex.to === this.node.state.group),
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

  private place(hash: Hash): { readonly height: number; readonly isCanonical: boolean } {
    if (!this.chains.has(hash)) throw blockNotFound(hash);
    return { height: this.chains.height(hash), isCanonical: this.chains.isCanonical(hash) };
  }
}

/** The shortest interval is always answered, whatever its blocks have: there is nothing less to ask for. */
const budgetOf = ({ fromTs, toTs }: { readonly fromTs: number; readonly toTs: number }): number =>
  toTs <= fromTs + 1 ? Number.POSITIVE_INFINITY : mostBytesOfBlocks;

const tooManyBlocks = (fromTs: number, until: number): ServiceError =>
  serviceError(
    'AnswerTooLarge',
    `the blocks have more than ${mostBytesOfBlocks} bytes: ask for a shorter interval, fromTs=${fromTs}&toTs=${Math.max(until, fromTs + 1)}`,
  );

const blockNotFound = (hash: Hash): ServiceError =>
  serviceError('BlockNotFound', `Block ${hash} not found`, { resource: `Block ${hash}` });

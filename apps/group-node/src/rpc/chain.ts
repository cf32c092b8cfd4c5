import { Controller, Inject } from '@nestjs/common';
import { type ServiceError } from '@shardnode/core/errors';
import {
  type BlockReply,
  type ChainBlocks,
  type ChainSelector,
  type EventItem,
  HandlesGroupRequest,
  type HeaderReply,
  serviceError,
} from '@shardnode/messages';
import { blocksBetweenTimes, workBetweenTimes, workOfHeaviestTips } from '@shardnode/protocol/dag';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
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
  async block({ hash, withEvents }: { readonly hash: string; readonly withEvents?: boolean }): Promise<BlockReply> {
    const { height, isCanonical } = this.place(hash);
    const { state, store } = this.node;
    const block = state.memory.blocks.get(hash)?.raw ?? (await store.blockBody(hash));
    if (!block) throw blockNotFound(hash);
    return { block, height, isCanonical, ...(withEvents ? { events: await store.blockEvents(hash) } : {}) };
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
  async blocks({
    fromTs,
    toTs,
    withEvents,
  }: {
    readonly fromTs: number;
    readonly toTs: number;
    readonly withEvents?: boolean;
  }): Promise<{ readonly chains: readonly ChainBlocks[] }> {
    const { memory } = this.node.state;
    const chains = this.ownChains().map((chain) => ({
      chain,
      hashes: blocksBetweenTimes(this.chains, chain, BigInt(fromTs), BigInt(toTs)),
    }));
    const missing = chains.flatMap(({ hashes }) => hashes.filter((hash) => !memory.blocks.get(hash)));
    const stored = missing.length > 0 ? await this.node.store.blockBodies(missing) : undefined;
    const bodyOf = (hash: Hash): Uint8Array => {
      const body = stored?.get(hash) ?? memory.blocks.get(hash)?.raw;
      if (!body) throw new Error(`the store has no body of block ${hash}`);
      return body;
    };
    const events = withEvents ? await this.eventsOf(chains.flatMap(({ hashes }) => hashes)) : undefined;
    return {
      chains: chains.map(({ chain, hashes }) => ({
        ...chain,
        blocks: hashes.map((hash) => ({
          block: bodyOf(hash),
          height: this.chains.height(hash),
          ...(events ? { events: events.get(hash) ?? [] } : {}),
        })),
      })),
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

const blockNotFound = (hash: Hash): ServiceError =>
  serviceError('BlockNotFound', `Block ${hash} not found`, { resource: `Block ${hash}` });

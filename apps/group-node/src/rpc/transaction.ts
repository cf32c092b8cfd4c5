import { Controller, Inject } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import {
  HandlesGroupRequest,
  type OptionalChain,
  type TransactionDetailsReply,
  type TransactionStatusReply,
} from '@shardnode/messages';
import { decodeBlock } from '@shardnode/protocol/block';
import { confirmations } from '@shardnode/protocol/dag';
import { encode } from '@shardnode/protocol/encoding';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { transactionCodec } from '@shardnode/protocol/transaction';
import { type GroupNode } from '../group-node.js';
import { type TransactionLocation } from '../store/index.js';
import { NODE } from './node-token.js';

const matches = (chain: ChainIndex, { from, to }: OptionalChain): boolean =>
  (from === undefined || chain.from === from) && (to === undefined || chain.to === to);

/** Status and details of transactions (protocol 02 §15). */
@Controller()
export class TransactionRpc {
  constructor(@Inject(NODE) private readonly node: GroupNode) {}

  @HandlesGroupRequest('read.transaction.status')
  async status(request: OptionalChain & { readonly txId: string }): Promise<TransactionStatusReply> {
    const { state, store } = this.node;
    // Before the chains: a transaction that is mined meanwhile is found there then.
    const before = state.pool.get(request.txId);
    const location = await this.canonicalLocation(request);
    if (location) return this.confirmed(location);
    // After them, too: a reorganisation may have brought it back meanwhile.
    const pooled = before ?? state.pool.get(request.txId);
    if (pooled && (request.to === undefined || pooled.chainIndex.to === request.to) && this.isAsked(request)) {
      return { type: 'MemPooled', chainFrom: pooled.chainIndex.from, chainTo: pooled.chainIndex.to };
    }
    const dropped = await store.dropReason(request.txId);
    if (!dropped) return { type: 'TxNotFound' };
    const { code, detail, conflictingTxId } = dropped;
    return { type: 'TxNotFound', reason: { code, detail, conflictingTxId } };
  }

  @HandlesGroupRequest('read.transaction.details')
  async details(request: OptionalChain & { readonly txId: string }): Promise<TransactionDetailsReply> {
    const location = await this.canonicalLocation(request);
    if (!location) {
      const resource = `Transaction ${request.txId}`;
      throw new ServiceError('not-found', 'TransactionNotFound', `${resource} not found`, { resource });
    }
    const { blockHash, txIndex } = location;
    const { memory, settings } = this.node.state;
    const raw = memory.blocks.get(blockHash) ? undefined : await this.node.store.blockBody(blockHash);
    const block = raw ? decodeBlock(raw, settings.groups, { genesis: 'accepted' }) : memory.blocks.get(blockHash);
    const transaction = block?.transactions[txIndex];
    if (!transaction) throw new Error(`block ${blockHash} has no transaction ${txIndex}`);
    return { transaction: encode(transactionCodec, transaction), blockHash, txIndex };
  }

  /** A pending transaction is held by both its groups, and found from either side (protocol 07 §8.5). */
  private isAsked({ from }: OptionalChain): boolean {
    return from === undefined || from === this.node.state.group;
  }

  /** The first recorded place whose block is canonical (protocol 02 §15.1). */
  private async canonicalLocation(
    request: OptionalChain & { readonly txId: Hash },
  ): Promise<TransactionLocation | undefined> {
    const { state, store } = this.node;
    if (!this.isAsked(request)) return undefined;
    const recent = this.firstCanonical(state.locations.get(request.txId), request);
    return recent ?? this.firstCanonical(await store.transactionLocations(request.txId), request);
  }

  private firstCanonical(
    locations: readonly TransactionLocation[],
    request: OptionalChain,
  ): TransactionLocation | undefined {
    const { published } = this.node.state.memory;
    return locations.find(
      ({ blockHash }) =>
        published.has(blockHash) &&
        published.isCanonical(blockHash) &&
        matches(published.header(blockHash).chainIndex, request),
    );
  }

  private confirmed({ blockHash, txIndex }: TransactionLocation): TransactionStatusReply {
    const { published } = this.node.state.memory;
    const { from, to } = published.header(blockHash).chainIndex;
    return {
      type: 'Confirmed',
      blockHash,
      txIndex,
      chainFrom: from,
      chainTo: to,
      ...confirmations(published, blockHash),
    };
  }
}

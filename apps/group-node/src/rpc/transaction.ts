import { Controller, Inject } from '@nestjs/common';
import {
  HandlesGroupRequest,
  type OptionalChain,
  type TransactionDetailsReply,
  type TransactionStatusReply,
  serviceError,
} from '@shardnode/messages';
import { type Block, chainIndexOfHash, decodeBlock } from '@shardnode/protocol/block';
import { confirmations } from '@shardnode/protocol/dag';
import { encode } from '@shardnode/protocol/encoding';
import { type PooledTransaction } from '@shardnode/protocol/policy';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { transactionCodec } from '@shardnode/protocol/transaction';
import { type GroupState } from '../view/group-state.js';
import { type TransactionLocation } from '../store/index.js';
import { type NodeReads } from '../view/reads.js';
import { READS } from './tokens.js';

type ConfirmedReply = Extract<TransactionStatusReply, { type: 'Confirmed' }>;

const matches = (chain: ChainIndex, { from, to }: OptionalChain): boolean =>
  (from === undefined || chain.from === from) && (to === undefined || chain.to === to);

type TransactionQuestion = OptionalChain & { readonly txId: Hash };

/** Both groups of a pending transaction hold it, and either finds it (protocol 07 §8.5). */
const concernsGroup = ({ group }: GroupState, { from }: OptionalChain): boolean => from === undefined || from === group;

const pooledReply = (
  state: GroupState,
  { chainIndex: { from, to } }: PooledTransaction,
  request: OptionalChain,
): TransactionStatusReply | undefined =>
  (request.to === undefined || to === request.to) && concernsGroup(state, request)
    ? { type: 'MemPooled', chainFrom: from, chainTo: to }
    : undefined;

const firstCanonical = (
  { memory }: GroupState,
  locations: readonly TransactionLocation[],
  question: OptionalChain,
): Promise<TransactionLocation | undefined> =>
  memory.loaded(() =>
    locations.find(
      ({ blockHash }) =>
        memory.published.has(blockHash) &&
        memory.published.isCanonical(blockHash) &&
        matches(memory.published.node(blockHash).chainIndex, question),
    ),
  );

const confirmedReply = (
  { memory, settings }: GroupState,
  { blockHash, txIndex }: TransactionLocation,
): Promise<ConfirmedReply> => {
  const { from, to } = chainIndexOfHash(blockHash, settings.groups);
  return memory.loaded(() => ({
    type: 'Confirmed',
    blockHash,
    txIndex,
    chainFrom: from,
    chainTo: to,
    ...confirmations(memory.published, blockHash),
  }));
};

const detailsReply = (
  block: Block | undefined,
  { blockHash, txIndex }: TransactionLocation,
): TransactionDetailsReply => {
  const transaction = block?.transactions[txIndex];
  if (!transaction) throw new Error(`block ${blockHash} has no transaction ${txIndex}`);
  return { transaction: encode(transactionCodec, transaction), blockHash, txIndex };
};

/** Status and details of transactions (protocol 02 §15). */
@Controller()
export class TransactionRpc {
  constructor(@Inject(READS) private readonly node: NodeReads) {}

  @HandlesGroupRequest('read.transaction.status')
  async status(request: OptionalChain & { readonly txId: string }): Promise<TransactionStatusReply> {
    const { state } = this.node;
    // Read before the chains: a transaction that is mined meanwhile is then found in the chains.
    const before = state.pool.get(request.txId);
    const recent = concernsGroup(state, request)
      ? await firstCanonical(state, state.locations.get(request.txId), request)
      : undefined;
    if (recent) return confirmedReply(state, recent);
    // It leaves the pool with the commit of its block, and a start looks in the store: clients poll pending ones most.
    if (before) return pooledReply(state, before, request) ?? this.droppedReply(request.txId);
    const location = await this.canonicalLocation(request);
    if (location) return confirmedReply(state, location);
    // Read after the chains, too: a reorganisation may have returned it to the pool meanwhile.
    const pooled = state.pool.get(request.txId);
    return (pooled && pooledReply(state, pooled, request)) ?? this.droppedReply(request.txId);
  }

  private async droppedReply(txId: Hash): Promise<TransactionStatusReply> {
    const dropped = await this.node.store.dropReason(txId);
    if (!dropped) return { type: 'TxNotFound' };
    const { code, detail, conflictingTxId } = dropped;
    return { type: 'TxNotFound', reason: { code, detail, conflictingTxId } };
  }

  @HandlesGroupRequest('read.transaction.details')
  async details(request: OptionalChain & { readonly txId: string }): Promise<TransactionDetailsReply> {
    const location = await this.canonicalLocation(request);
    if (!location) {
      const resource = `Transaction ${request.txId}`;
      throw serviceError('TransactionNotFound', `${resource} not found`, { resource });
    }
    const { blockHash } = location;
    const { memory, settings } = this.node.state;
    const raw = memory.blocks.get(blockHash) ? undefined : await this.node.store.blockBody(blockHash);
    const block = raw ? decodeBlock(raw, settings.groups, { genesis: 'accepted' }) : memory.blocks.get(blockHash);
    return detailsReply(block, location);
  }

  /** The first recorded location whose block is canonical (protocol 02 §15.1). */
  private async canonicalLocation(request: TransactionQuestion): Promise<TransactionLocation | undefined> {
    const { state, store } = this.node;
    if (!concernsGroup(state, request)) return undefined;
    const recent = await firstCanonical(state, state.locations.get(request.txId), request);
    return recent ?? firstCanonical(state, await store.transactionLocations(request.txId), request);
  }
}

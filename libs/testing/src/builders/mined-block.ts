import {
  type Block,
  type BlockHeader,
  buildCoinbase,
  sealBlock,
  sealHeader,
  type SealedHeader,
  transactionsRoot,
} from '@shardnode/protocol/block';
import { searchNonce } from '@shardnode/protocol/mining';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type AssetLockupScript, type ChainIndex, type Hash, nonceLength } from '@shardnode/protocol/primitives';
import { type Transaction } from '@shardnode/protocol/transaction';

/** A block over explicit dependencies, without checks, so that tests can break any rule. */
export interface BlockRequest {
  readonly settings: NetworkSettings;
  readonly chain: ChainIndex;
  /** 2G-1 hashes. */
  readonly blockDeps: readonly Hash[];
  readonly depStateHash: Hash;
  /** Milliseconds. */
  readonly timestamp: bigint;
  /** Compact. */
  readonly target: number;
  /** Without the coinbase, which is added. */
  readonly transactions: readonly Transaction[];
  /** Of group `chain.to`. */
  readonly miner: AssetLockupScript;
}

/** Seals the header with the first nonce, counting from 0, that gives the chain and the work. */
export const searchHeader = (
  header: Omit<BlockHeader, 'nonce'>,
  chain: ChainIndex,
  settings: NetworkSettings,
): SealedHeader => {
  const nonce = searchNonce(header, chain, settings, new Uint8Array(nonceLength), 2 ** 32);
  if (!nonce) throw new Error('no nonce gives the wanted chain and work');
  return sealHeader({ ...header, nonce }, settings.groups);
};

/** A block on the wanted chain with its coinbase and enough work. */
export const buildMinedBlock = (request: BlockRequest): Block => {
  const { settings, chain, timestamp, target, miner, blockDeps, depStateHash } = request;
  const transactions = [...request.transactions, buildCoinbase(settings, chain, timestamp, target, miner)];
  const txsHash = transactionsRoot(transactions);
  const header = searchHeader({ version: 0, blockDeps, depStateHash, txsHash, timestamp, target }, chain, settings);
  return sealBlock(header, transactions, settings.groups);
};

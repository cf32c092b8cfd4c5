import { byteaArray, hashArray, int2Array, int4Array, int8Array, textArray } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type BlockRow } from '../blocks/block-rows.js';
import { targetBytes } from './block-arrays.js';
import { type IndexTransaction } from './index-transaction.js';

/** The newest applied block of a chain. */
export interface Head {
  readonly chain: ChainIndex;
  readonly hash: Hash;
  readonly height: number;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
}

interface HeadColumns {
  readonly chain_from: number;
  readonly chain_to: number;
  readonly hash: Buffer;
  readonly height: number;
  readonly block_timestamp: bigint;
}

/** The heads of all chains that have blocks, by flat index. */
export const loadHeads = async (transaction: IndexTransaction): Promise<Head[]> => {
  const rows = await transaction.run<HeadColumns>('heads', []);
  return rows.map((row) => ({
    chain: { from: row.chain_from, to: row.chain_to },
    hash: bytesToHex(row.hash),
    height: row.height,
    timestamp: row.block_timestamp,
  }));
};

const chainKey = ({ from, to }: ChainIndex): string => `${from}/${to}`;

const describeBlock = ({ chain, height, hash }: BlockRow): string =>
  `block ${hash} (chain ${chain.from}-${chain.to}, height ${height})`;

/**
 * Checks that each block continues its chain (protocol 08 §4.1).
 * @throws RangeError for one that does not: nothing of the batch may be applied
 */
export const checkContinuation = (heads: readonly Head[], blocks: readonly BlockRow[]): void => {
  const tips = new Map(heads.map(({ chain, hash, height }) => [chainKey(chain), { hash, height }]));
  for (const block of blocks) {
    const key = chainKey(block.chain);
    const tip = tips.get(key);
    if (block.height !== (tip?.height ?? -1) + 1 || block.parent !== tip?.hash) {
      throw new RangeError(`${describeBlock(block)} does not continue ${tip?.hash ?? 'an empty chain'}`);
    }
    tips.set(key, { hash: block.hash, height: block.height });
  }
};

/** Sets the head of each chain to its last block of the batch, and counts the transactions (protocol 08 §4.5 step 10). */
export const advanceHeads = (transaction: IndexTransaction, blocks: readonly BlockRow[]): void => {
  const heads = new Map<string, { block: BlockRow; transactions: number }>();
  for (const block of blocks) {
    const key = chainKey(block.chain);
    heads.set(key, { block, transactions: (heads.get(key)?.transactions ?? 0) + block.txCount });
  }
  const chains = [...heads.values()];
  const last = chains.map(({ block }) => block);
  transaction.write('addHeads', [
    int2Array(last.map(({ chain }) => chain.from)),
    int2Array(last.map(({ chain }) => chain.to)),
    hashArray(last.map(({ hash }) => hash)),
    int4Array(last.map(({ height }) => height)),
    int8Array(last.map(({ timestamp }) => timestamp)),
    byteaArray(last.map(({ target }) => targetBytes(target))),
    textArray(last.map(({ hashRate }) => hashRate.toString())),
    int8Array(chains.map(({ transactions }) => BigInt(transactions))),
  ]);
};

/** Sets the head of a chain back to its applied block of a height, and takes the transactions off. */
export const setBackHead = (
  transaction: IndexTransaction,
  chain: ChainIndex,
  height: number,
  transactions: number,
): void => transaction.write('setBackHead', [chain.from, chain.to, height, transactions]);

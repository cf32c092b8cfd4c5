import { blake3Twice, merkleRoot } from '../crypto/index.js';
import { bytesToHex } from '../encoding/index.js';
import { type ChainIndex, type Hash, chainFromFlatIndex } from '../primitives/index.js';
import { type Transaction, merkleLeaf } from '../transaction/index.js';
import { targetValue } from './compact-target.js';

/** blake3 twice over the header bytes as received (protocol 01 §14.3). */
export const blockHash = (headerBytes: Uint8Array): Hash => bytesToHex(blake3Twice(headerBytes));

/** The chain of a block: the last two bytes of its hash modulo G*G (protocol 01 §14.3, 03 §2.1). */
export const chainIndexOfHash = (hash: Hash, groups: number): ChainIndex =>
  chainFromFlatIndex(parseInt(hash.slice(60), 16) % (groups * groups), groups);

/** Whether a block hash is small enough for its target (protocol 01 §14.3). */
export const hasEnoughWork = (hash: Hash, target: number): boolean => BigInt(`0x${hash}`) <= targetValue(target);

/** Merkle root over all transactions, the coinbase included; the zero hash for none (protocol 01 §14.2, §4.5). */
export const transactionsRoot = (transactions: readonly Transaction[]): Hash =>
  merkleRoot(transactions.map(merkleLeaf));

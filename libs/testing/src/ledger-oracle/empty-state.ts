import { blake2bHash } from '@shardnode/protocol/crypto';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { rootHash, type TrieNode } from './naive-trie.js';

/** The key of the permanent initial entry of every output trie (protocol 04 §3.4). */
export const seedOutputKey = '00'.repeat(36);

/** The output trie before any output (protocol 04 §3.4). */
export const emptyOutputs: TrieNode = { path: seedOutputKey, data: hexToBytes(`0101${'00'.repeat(33)}`) };

const placeholderRecord =
  'c49d951065f85d0c673d33930e8476240c010a52313f99889ae06d9f0d92d2f9' +
  'e195a4e597e62a6802a456224008b896566b7c961023954fab808a0f83d8ad63' +
  `00${'00'.repeat(36)}`;

/** The key of the permanent initial entry of every contract trie (protocol 04 §3.4). */
export const seedContractId = '00'.repeat(32);

/** The contract trie without contracts (protocol 04 §3.4). */
export const emptyContracts: TrieNode = { path: seedContractId, data: hexToBytes(placeholderRecord) };

/** The state hash of these two roots, as in headers (protocol 04 §3.2). */
export const hashOfRoots = (outputRoot: string, contractRoot: string): string =>
  blake2bHash(hexToBytes(outputRoot + contractRoot));

/** The state hash of a group with these outputs and no contracts. */
export const stateHashOf = (outputs: TrieNode): string => hashOfRoots(rootHash(outputs), rootHash(emptyContracts));

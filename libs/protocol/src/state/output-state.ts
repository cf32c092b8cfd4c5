import { decode, DecodeError, encode, hexToBytes } from '../encoding/index.js';
import { type Hash, type OutputReference, referenceId } from '../primitives/index.js';
import { type Output, outputCodec } from '../transaction/index.js';
import { trieGet } from './trie/trie-get.js';
import { TrieFault } from './trie/trie-fault.js';
import { type TrieNodesInMemory } from './trie-node-source.js';

/** Key of an output in the output trie: the 36 bytes of its reference (protocol 04 §5.1). */
export const outputStateKey = (reference: OutputReference): Uint8Array => hexToBytes(referenceId(reference));

/** The reference that a key of the output trie encodes. */
export const referenceOfKey = (key: Uint8Array): OutputReference => {
  let hex = '';
  for (let i = 4; i < 36; i++) hex += key[i]!.toString(16).padStart(2, '0');
  return { hint: (key[0]! << 24) | (key[1]! << 16) | (key[2]! << 8) | key[3]!, key: hex };
};

/** Value of an output in the output trie: `00` and an asset output or `01` and a contract output (protocol 04 §1). */
export const outputStateValue = (output: Output): Uint8Array => encode(outputCodec, output);

/** The output that a value of the output trie encodes. Throws TrieFault(DecodingError). */
export const outputOfStateValue = (value: Uint8Array): Output => {
  try {
    return decode(outputCodec, value);
  } catch (error) {
    if (error instanceof DecodeError) throw new TrieFault('DecodingError', `an output of the state: ${error.message}`);
    throw error;
  }
};

/** The output under a reference, its lock time as stored; undefined when absent. Throws StateMiss, TrieFault. */
export const readOutput = (
  nodes: TrieNodesInMemory,
  outputRoot: Hash,
  reference: OutputReference,
): Output | undefined => {
  const value = trieGet(nodes, outputRoot, outputStateKey(reference));
  return value && outputOfStateValue(value);
};

/** Whether the output trie has the reference. Throws StateMiss, TrieFault. */
export const hasOutput = (nodes: TrieNodesInMemory, outputRoot: Hash, reference: OutputReference): boolean =>
  trieGet(nodes, outputRoot, outputStateKey(reference)) !== undefined;

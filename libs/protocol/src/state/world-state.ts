import { blake2bHash } from '../crypto/index.js';
import { hexToBytes } from '../encoding/index.js';
import { type Hash } from '../primitives/index.js';
import { trieFromEntries } from './trie/trie-update.js';

/** The state of one group after an intra-group block: roots into one store of nodes (protocol 04 §3.1). */
export interface WorldState {
  readonly outputRoot: Hash;
  readonly contractRoot: Hash;
  /** The legacy code trie: constant under these rules, outside the state hash (protocol 04 §3.4). */
  readonly codeRoot: Hash;
}

/** A world state together with nodes to store for it. */
export interface WorldStateNodes {
  readonly state: WorldState;
  readonly nodes: ReadonlyMap<Hash, Uint8Array>;
}

/** State hash in headers: H(outputRoot | contractRoot) (protocol 04 §3.2). */
export const stateHash = (state: WorldState): Hash => blake2bHash(hexToBytes(state.outputRoot + state.contractRoot));

const zeros = (bytes: number): string => '00'.repeat(bytes);

/** Initial entries as [key, value]: a trie is never empty (protocol 04 §3.4, 03 §8.9). */
const initialEntries = {
  output: [zeros(36), `0101${zeros(32)}00`],
  contract: [
    zeros(32),
    'c49d951065f85d0c673d33930e8476240c010a52313f99889ae06d9f0d92d2f9' +
      'e195a4e597e62a6802a456224008b896566b7c961023954fab808a0f83d8ad63' +
      `00${zeros(36)}`,
  ],
  code: [zeros(32), '0001070000000000011800'],
} as const;

const initialTrie = ([key, value]: readonly [string, string]): ReturnType<typeof trieFromEntries> =>
  trieFromEntries([{ key: hexToBytes(key), value: hexToBytes(value) }]);

/** The state with the initial entries only (protocol 04 §3.4). */
export const emptyWorldState = (): WorldStateNodes => {
  const output = initialTrie(initialEntries.output);
  const contract = initialTrie(initialEntries.contract);
  const code = initialTrie(initialEntries.code);
  return {
    state: { outputRoot: output.root, contractRoot: contract.root, codeRoot: code.root },
    nodes: new Map([...output.added, ...contract.added, ...code.added]),
  };
};

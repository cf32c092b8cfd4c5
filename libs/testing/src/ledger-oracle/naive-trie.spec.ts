import { describe, expect, it } from '@jest/globals';
import { fc } from '../properties/index.js';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { readVectors } from '../vectors/index.js';
import { emptyOutputs, stateHashOf } from './empty-state.js';
import { nodeBytes, rootHash, trieEntries, trieGet, type TrieNode, triePut, trieRemove } from './naive-trie.js';

interface Step {
  readonly op: string;
  readonly key?: string;
  readonly value?: string;
  readonly root: string;
}
interface TrieVectors {
  readonly nodeEncoding: readonly {
    readonly name: string;
    readonly kind: string;
    readonly pathNibbles: string;
    readonly data?: string;
    readonly bytes: string;
  }[];
  readonly sequences: readonly {
    readonly name: string;
    readonly genesisKey: string;
    readonly genesisValue: string;
    readonly steps: readonly Step[];
  }[];
  readonly orderIndependence: { readonly insertionOrders: readonly (readonly number[])[]; readonly root: string };
  readonly outputTrie: { readonly steps: readonly Step[] };
}

const vectors = readVectors<TrieVectors>('state-trie.json');

const run = (start: TrieNode, steps: readonly Step[]): void => {
  let root = start;
  for (const { op, key, value, root: expected } of steps) {
    if (op === 'put') root = triePut(root, key!, hexToBytes(value!));
    if (op === 'remove' && trieGet(root, key!)) root = trieRemove(root, key!)!;
    expect(rootHash(root)).toBe(expected);
  }
};

/** Builds the trie from sorted entries with another algorithm, which must give the same root. */
const built = (entries: readonly { key: string; data: Uint8Array }[]): TrieNode => {
  const [first, ...rest] = entries;
  if (rest.length === 0) return { path: first!.key, data: first!.data };
  let shared = 0;
  while (entries.every(({ key }) => key[shared] === first!.key[shared])) shared++;
  const children = [...'0123456789abcdef'].map((digit) => {
    const below = entries.filter(({ key }) => key[shared] === digit);
    return below.length > 0 ? built(below.map(({ key, data }) => ({ key: key.slice(shared + 1), data }))) : undefined;
  });
  return { path: first!.key.slice(0, shared), children };
};

describe('the naive trie (protocol 04 §2)', () => {
  it('encodes leaves as the vectors do', () => {
    const leaves = vectors.nodeEncoding.filter(({ kind }) => kind === 'leaf');
    expect(leaves.length).toBeGreaterThan(3);
    for (const { pathNibbles, data, bytes } of leaves) {
      expect(bytesToHex(nodeBytes({ path: pathNibbles, data: hexToBytes(data!) }))).toBe(bytes);
    }
  });

  it.each(vectors.sequences)('goes through the sequence $name', ({ genesisKey, genesisValue, steps }) => {
    run({ path: genesisKey, data: hexToBytes(genesisValue) }, steps);
  });

  it('goes through the outputs of the vectors', () => {
    run(emptyOutputs, vectors.outputTrie.steps);
  });

  it('does not mind the order', () => {
    const start: TrieNode = { path: '0'.repeat(64), data: new Uint8Array(32) };
    const hashed = (text: string): string => blake2bHash(new TextEncoder().encode(text));
    for (const order of vectors.orderIndependence.insertionOrders) {
      const put = (node: TrieNode, i: number) => triePut(node, hashed(`key-${i}`), hexToBytes(hashed(`value-${i}`)));
      expect(rootHash(order.reduce(put, start))).toBe(vectors.orderIndependence.root);
    }
  });

  it('has the state hash of the empty world state (protocol 03 §8.9)', () => {
    expect(stateHashOf(emptyOutputs)).toBe('2838862e5a7f8a2b784a2826e06f136d11db6c89ee98473c0a0d18a8b88372dc');
  });

  it('is the trie of its entries, whatever was put and removed on the way', () => {
    const key = fc
      .array(fc.constantFrom('0', '1', 'f'), { minLength: 6, maxLength: 6 })
      .map((digits) => digits.join(''));
    const change = fc.record({ key, data: fc.uint8Array({ maxLength: 40 }), isPut: fc.boolean() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 60 }), (changes) => {
        const model = new Map<string, Uint8Array>([['000000', Uint8Array.of(7)]]);
        let root: TrieNode = { path: '000000', data: Uint8Array.of(7) };
        for (const { key: name, data, isPut } of changes) {
          if (isPut) model.set(name, data);
          if (isPut) root = triePut(root, name, data);
          else if (model.size > 1 && model.delete(name)) root = trieRemove(root, name)!;
        }
        const entries = [...model]
          .map(([name, data]) => ({ key: name, data }))
          .sort((a, b) => (a.key < b.key ? -1 : 1));
        expect(trieEntries(root)).toEqual(entries);
        expect(rootHash(root)).toBe(rootHash(built(entries)));
      }),
      { numRuns: 200 },
    );
  });
});

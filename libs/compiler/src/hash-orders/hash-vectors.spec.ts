import { describe, expect, it } from '@jest/globals';
import { readVectors, sectionsClaimedBy, vectorOrigin } from '@shardnode/testing/vectors';
import { textSelector } from '../project/selectors.js';
import { tableOrder } from './table-order.js';
import { productHash, textHash } from './text-hash.js';
import { duplicatesInTrieOrder } from './trie-order.js';

interface Vectors {
  readonly enumNames: readonly {
    readonly names: readonly string[];
    readonly hashes: Readonly<Record<string, string>>;
    readonly order: readonly string[];
  }[];
  /** The whole set only: `errors.json` has measured orders of duplicates, too. */
  readonly duplicateNames?: readonly { readonly names: readonly string[]; readonly order: readonly string[] }[];
  readonly selectors: readonly { readonly signature: string; readonly selector: string }[];
}

const file = 'compiler/hashes.json';
const vectors = readVectors<Vectors>(file);
const hexOf = (hash: number): string => (hash >>> 0).toString(16).padStart(8, '0');
const enumHash = (name: string): number => productHash('TypeId', textHash(name));

const handlers: Readonly<Record<string, () => void>> = {
  enumNames: () => {
    for (const { names, hashes, order } of vectors.enumNames) {
      expect(Object.fromEntries(names.map((name) => [name, hexOf(enumHash(name))]))).toEqual(hashes);
      for (const given of [names, [...names].reverse()]) expect(tableOrder(given, enumHash)).toEqual(order);
    }
  },
  duplicateNames: () => {
    for (const { names, order } of vectors.duplicateNames ?? []) {
      for (const given of [names, [...names].reverse()]) {
        expect(duplicatesInTrieOrder([...given, 'other', ...given])).toEqual(order);
      }
    }
  },
  selectors: () => {
    const found = vectors.selectors.map(({ signature }) => ({ signature, selector: hexOf(textSelector(signature)) }));
    expect(found).toEqual(vectors.selectors);
  },
};

describe(file, () => {
  it.each(sectionsClaimedBy(file, 'compiler'))('%s', (section) => handlers[section]!());

  it('has so many cases', () => {
    expect(vectors.enumNames.length).toBe(4);
    expect(vectors.duplicateNames?.length ?? 0).toBe(vectorOrigin === 'original' ? 3 : 0);
    expect(vectors.selectors.length).toBe(8);
  });
});

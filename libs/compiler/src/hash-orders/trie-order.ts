import { textHash } from './text-hash.js';

const bitsOfLevel = 5;

const improved = (hash: number): number => {
  let spread = (hash + ~(hash << 9)) | 0;
  spread ^= spread >>> 14;
  spread = (spread + (spread << 4)) | 0;
  return spread ^ (spread >>> 10);
};

interface Hashed {
  readonly name: string;
  readonly hash: number;
}

const ordered = (names: readonly Hashed[], shift: number): string[] => {
  if (names.length <= 1 || shift > 32) return names.map(({ name }) => name);
  const slots = Array.from({ length: 2 ** bitsOfLevel }, (): Hashed[] => []);
  for (const each of names) slots[(each.hash >>> shift) & (2 ** bitsOfLevel - 1)]!.push(each);
  const alone = slots.filter(({ length }) => length === 1).map(([only]) => only!.name);
  const shared = slots.filter(({ length }) => length > 1);
  return [...alone, ...shared.flatMap((slot) => ordered(slot, shift + bitsOfLevel))];
};

/** The order in which a hash trie lists names (protocol 06 §9.4). */
const trieOrder = (names: Iterable<string>): string[] =>
  ordered(
    [...new Set(names)].map((name) => ({ name, hash: improved(textHash(name)) })),
    0,
  );

/** The names that are given more than once, in the order of a hash trie of all. */
export const duplicatesInTrieOrder = (names: readonly string[]): string[] => {
  if (new Set(names).size === names.length) return [];
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return trieOrder(counts.keys()).filter((name) => counts.get(name)! > 1);
};

import { type OutputReference } from '../primitives/index.js';
import { type Token } from '../transaction/index.js';

/** An unspent asset output as the builders see it (protocol 02 §3.3). */
export interface Utxo {
  readonly reference: OutputReference;
  /** attoCoin */
  readonly amount: bigint;
  readonly tokens: readonly Token[];
  /** 0: in the world state, 1: in a pending block, 2: in the mempool. */
  readonly level: 0 | 1 | 2;
  /** As the view shows it, milliseconds since 1970; scripts can read it. Default: 0. */
  readonly lockTime?: bigint;
}

export type Direction = 'ascending' | 'descending';

/**
 * The usable outputs of a sender. `withoutTokens` and `withTokens` are sorted `byCoin` in the requested direction
 * (stable with regard to `all`), so that an index or a sorted cache can serve them without sorting a long list on each
 * build.
 */
export interface UtxoSource {
  /** In the order of protocol 02 §3.3. */
  all(): readonly Utxo[];
  withoutTokens(direction: Direction): Iterable<Utxo>;
  withTokens(direction: Direction): Iterable<Utxo>;
}

const sign = (difference: bigint): number => (difference < 0n ? -1 : difference > 0n ? 1 : 0);

/** By level, then by coin (protocol 02 §4.4, `byCoin` ascending). */
export const compareByCoin = (a: Utxo, b: Utxo): number => a.level - b.level || sign(a.amount - b.amount);

export const tokenAmount = (utxo: Utxo, id: string): bigint => {
  for (const token of utxo.tokens) if (token.id === id) return token.amount;
  return 0n;
};

/** Holders of the token first, by level, token amount, coin; then the others `byCoin` (protocol 02 §4.4). */
export const compareByToken =
  (id: string) =>
  (a: Utxo, b: Utxo): number => {
    const inA = a.tokens.some((token) => token.id === id);
    const inB = b.tokens.some((token) => token.id === id);
    if (inA !== inB) return inA ? -1 : 1;
    if (!inA) return compareByCoin(a, b);
    return a.level - b.level || sign(tokenAmount(a, id) - tokenAmount(b, id)) || sign(a.amount - b.amount);
  };

/** A stable sort; descending reverses the comparison, not the list (protocol 02 §4.4). */
export const sortUtxos = (list: readonly Utxo[], compare: (a: Utxo, b: Utxo) => number, direction: Direction): Utxo[] =>
  [...list].sort(direction === 'ascending' ? compare : (a, b) => compare(b, a));

/** A source over a plain list, which it sorts once for each order. */
export const utxoSourceOf = (list: readonly Utxo[]): UtxoSource => {
  const sorted = new Map<string, readonly Utxo[]>();
  const ordered = (hasTokens: boolean, direction: Direction): readonly Utxo[] => {
    const key = `${hasTokens} ${direction}`;
    const known = sorted.get(key);
    if (known) return known;
    const own = list.filter((utxo) => utxo.tokens.length > 0 === hasTokens);
    const inOrder = sortUtxos(own, compareByCoin, direction);
    sorted.set(key, inOrder);
    return inOrder;
  };
  return {
    all: () => list,
    withoutTokens: (direction) => ordered(false, direction),
    withTokens: (direction) => ordered(true, direction),
  };
};

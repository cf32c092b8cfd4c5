import { type Chain } from './forms.js';

/** A chain as one number, `from * G + to` (protocol 08 §1). */
export const indexOfChain = ({ chainFrom, chainTo }: Chain, groups: number): number => chainFrom * groups + chainTo;

export const chainOfIndex = (index: number, groups: number): Chain => ({
  chainFrom: Math.floor(index / groups),
  chainTo: index % groups,
});

export const allChains = (groups: number): Chain[] =>
  Array.from({ length: groups * groups }, (_, index) => chainOfIndex(index, groups));

/** The chain of a block, from its hash (protocol 01 §14.3). */
export const chainOfHash = (hash: string, groups: number): Chain =>
  chainOfIndex(parseInt(hash.slice(60), 16) % (groups * groups), groups);

/** The group of the address of an output, from the hint of the output (protocol 01 §4.3). */
export const groupOfHint = (hint: number, groups: number): number => {
  const value = hint | 1;
  const halves = value ^ (value >>> 16);
  return ((halves ^ (halves >>> 8)) & 0xff) % groups;
};

export const isZeroHash = (hash: string): boolean => /^0+$/.test(hash);

/** Genesis blocks rest on zero hashes, which are no blocks. */
const orNone = (hash: string | undefined): string | undefined =>
  hash === undefined || isZeroHash(hash) ? undefined : hash;

/** The dependency of a block of group `own` on another group. Dependencies on others come first, in their order. */
export const dependencyOnGroup = (deps: readonly string[], own: number, other: number): string | undefined =>
  orNone(deps[other < own ? other : other - 1]);

/** The newest block of the chain `(own, to)` that a block of group `own` rests on. */
export const dependencyOnChain = (deps: readonly string[], to: number): string | undefined =>
  orNone(deps[(deps.length - 1) / 2 + to]);

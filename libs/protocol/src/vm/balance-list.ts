import { compareSignedBytes, type Hash, isU256, type LockupScript, lockupScriptId } from '../primitives/index.js';
import { type Token } from '../transaction/index.js';

/** Assets of one owner in a balance list (protocol 05 §9.1). */
export interface BalanceEntry {
  readonly lockupScript: LockupScript;
  /** attoCoin */
  coin: bigint;
  /** Smallest units by token id, in order of first appearance; an amount that became 0 stays. */
  readonly tokens: Map<Hash, bigint>;
  /**
   * Number of calls between the entry and its owner's own list; determines its destination on return (protocol 05
   * §9.5).
   */
  readonly depth: number;
  /** Places of the token table: doubles as tokens are approved, and matters only for §18 item 9. */
  tokenPlaces: number;
}

/** Places of the token table of an entry created by an amount of COIN, or of a token (protocol 05 §18 item 9). */
const placesMadeByCoin = 16;
const placesMadeByToken = 8;

const growTokenPlaces = (entry: BalanceEntry): void => {
  if (entry.tokens.size + 1 >= 0.75 * entry.tokenPlaces) entry.tokenPlaces *= 2;
};

export const newBalanceEntry = (
  lockupScript: LockupScript,
  coin: bigint,
  tokens: readonly Token[],
  depth = 0,
): BalanceEntry => ({
  lockupScript,
  coin,
  tokens: new Map(tokens.map(({ id, amount }) => [id, amount])),
  depth,
  tokenPlaces: placesMadeByCoin,
});

/** The tokens of an output: amounts above 0 by token id, compared as signed bytes (protocol 05 §9.1). */
export const tokensInOutputOrder = (tokens: ReadonlyMap<Hash, bigint>): Token[] =>
  [...tokens]
    .filter(([, amount]) => amount > 0n)
    .sort(([a], [b]) => compareSignedBytes(a, b))
    .map(([id, amount]) => ({ id, amount }));

/**
 * Amounts by owner, in order of first appearance (protocol 05 §9.1). Operations return whether they succeeded: adding
 * fails on an overflow of u256, subtracting if the entry, the token or a sufficient amount is missing.
 */
export class BalanceList {
  private readonly byOwner = new Map<string, BalanceEntry>();

  get isEmpty(): boolean {
    return this.byOwner.size === 0;
  }

  /** In list order. */
  entries(): IterableIterator<BalanceEntry> {
    return this.byOwner.values();
  }

  entryOf(owner: LockupScript): BalanceEntry | undefined {
    return this.byOwner.get(lockupScriptId(owner));
  }

  /** Makes the entry of the owner when there is none, also for an amount of 0. */
  addCoin(owner: LockupScript, amount: bigint): boolean {
    const entry = this.entryOf(owner) ?? this.append(newBalanceEntry(owner, 0n, []));
    const sum = entry.coin + amount;
    if (!isU256(sum)) return false;
    entry.coin = sum;
    return true;
  }

  /** Makes the entry of the owner, and of the token in it, when there is none, also for an amount of 0. */
  addToken(owner: LockupScript, tokenId: Hash, amount: bigint): boolean {
    const known = this.entryOf(owner);
    if (known) growTokenPlaces(known);
    const entry = known ?? this.append({ ...newBalanceEntry(owner, 0n, []), tokenPlaces: placesMadeByToken });
    const sum = (entry.tokens.get(tokenId) ?? 0n) + amount;
    if (!isU256(sum)) return false;
    entry.tokens.set(tokenId, sum);
    return true;
  }

  /** Needs the entry of the owner, also for an amount of 0. */
  subtractCoin(owner: LockupScript, amount: bigint): boolean {
    const entry = this.entryOf(owner);
    if (!entry || entry.coin < amount) return false;
    entry.coin -= amount;
    return true;
  }

  /** Needs the entry of the token, also for an amount of 0; an amount that becomes 0 stays as a zero entry. */
  subtractToken(owner: LockupScript, tokenId: Hash, amount: bigint): boolean {
    const entry = this.entryOf(owner);
    const held = entry?.tokens.get(tokenId);
    if (held === undefined || held < amount) return false;
    entry!.tokens.set(tokenId, held - amount);
    return true;
  }

  /** Adds the amounts to the owner's entry, which retains its depth; without an entry appends an unchanged copy. */
  add(added: BalanceEntry): boolean {
    const known = this.entryOf(added.lockupScript);
    if (!known) {
      this.append({ ...added, tokens: new Map(added.tokens) });
      return true;
    }
    if (!this.addCoin(added.lockupScript, added.coin)) return false;
    for (const [id, amount] of added.tokens) {
      if (!this.addToken(added.lockupScript, id, amount)) return false;
    }
    return true;
  }

  /** Adds all entries of another list, in its order. */
  merge(other: BalanceList): boolean {
    for (const entry of other.entries()) {
      if (!this.add(entry)) return false;
    }
    return true;
  }

  /** Removes the owner's entry and returns it. */
  takeEntry(owner: LockupScript): BalanceEntry | undefined {
    const entry = this.entryOf(owner);
    if (entry) this.byOwner.delete(lockupScriptId(owner));
    return entry;
  }

  /** Removes all entries and returns them, each `deeper` calls deeper (protocol 05 §9.4). */
  takeAll(deeper = 0): BalanceList {
    const taken = new BalanceList();
    for (const entry of this.byOwner.values()) taken.append({ ...entry, depth: entry.depth + deeper });
    this.byOwner.clear();
    return taken;
  }

  private append(entry: BalanceEntry): BalanceEntry {
    this.byOwner.set(lockupScriptId(entry.lockupScript), entry);
    return entry;
  }
}

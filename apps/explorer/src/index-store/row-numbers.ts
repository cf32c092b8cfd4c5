import { RecentMap } from '@shardnode/core/eviction';
import { hashArray, textArray } from '@shardnode/core/database';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type IndexTransaction } from './index-transaction.js';

/** Addresses and tokens whose numbers stay in memory (protocol 08 §4.5). */
const remembered = 1_000_000;

/** The numbers of the addresses and tokens of one transaction: `address_id` and `token_id`. */
export class RowNumbers {
  readonly addresses = new Map<string, bigint>();
  readonly tokens = new Map<Hash, number>();

  constructor(
    private readonly known: KnownNumbers,
    private readonly transaction: IndexTransaction,
  ) {}

  /** Looks the addresses up, and inserts those that are new. */
  async obtainAddresses(texts: Iterable<string>): Promise<void> {
    const missing = missingOf(texts, this.addresses, this.known.addresses);
    if (missing.size === 0) return;
    for (const name of ['addressIds', 'newAddresses'] as const) {
      const values = [textArray([...missing])];
      const rows = await this.transaction.run<{ address: string; address_id: bigint }>(name, values);
      for (const { address, address_id } of rows) {
        this.addresses.set(address, address_id);
        missing.delete(address);
      }
      if (missing.size === 0) return;
    }
  }

  /** Looks the tokens up, and inserts those that are new. */
  async obtainTokens(ids: Iterable<Hash>): Promise<void> {
    const missing = missingOf(ids, this.tokens, this.known.tokens);
    if (missing.size === 0) return;
    for (const name of ['tokenIds', 'newTokens'] as const) {
      const rows = await this.transaction.run<{ token: Buffer; token_id: number }>(name, [hashArray([...missing])]);
      for (const { token, token_id } of rows) {
        const id = bytesToHex(token);
        this.tokens.set(id, token_id);
        missing.delete(id);
      }
      if (missing.size === 0) return;
    }
  }

  /** To be called after the commit only: numbers of a transaction that is rolled back name nothing. */
  remember(): void {
    for (const [text, number] of this.addresses) this.known.addresses.set(text, number);
    for (const [id, number] of this.tokens) this.known.tokens.set(id, number);
  }
}

/** Numbers that are committed; the least recently used are dropped. */
export class KnownNumbers {
  readonly addresses = new RecentMap<string, bigint>(remembered);
  readonly tokens = new RecentMap<Hash, number>(remembered);
}

/** Copies known numbers to `found`; returns the keys without one. */
const missingOf = <Key, Id>(keys: Iterable<Key>, found: Map<Key, Id>, known: RecentMap<Key, Id>): Set<Key> => {
  const missing = new Set<Key>();
  for (const key of keys) {
    if (found.has(key) || missing.has(key)) continue;
    const number = known.get(key);
    if (number === undefined) missing.add(key);
    else found.set(key, number);
  }
  return missing;
};

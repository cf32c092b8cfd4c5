import { describe, expect, it } from '@jest/globals';
import { selectUtxos, type Utxo, utxoSourceOf } from '@shardnode/protocol/building';
import { type AssetLockupScript, referenceId } from '@shardnode/protocol/primitives';
import { type SelectionQuery, type Utxo as StoredUtxo } from '../store/index.js';
import { asUtxo, farReads, pagedSource, readingOn } from './paged-source.js';

const lockupScript: AssetLockupScript = { kind: 'p2pkh', publicKeyHash: '11'.repeat(32) };

const stored = (number: number, amount: bigint, token?: bigint): StoredUtxo => ({
  reference: { hint: 1, key: number.toString(16).padStart(64, '0') },
  output: {
    kind: 'asset',
    amount,
    lockupScript,
    lockTime: 0n,
    tokens: token === undefined ? [] : [{ id: 'aa'.repeat(32), amount: token }],
    additionalData: new Uint8Array(0),
  },
});

/** The results of the store (by amount, equal ones by ascending key), over a list. */
const storeOf = (list: readonly StoredUtxo[]) => {
  let pages = 0;
  const selectPage = async (query: SelectionQuery): Promise<readonly StoredUtxo[]> => {
    pages += 1;
    const withToken = query.class.kind === 'withToken';
    const sorted = list
      .filter(({ output }) => output.tokens.length > 0 === withToken)
      .sort((a, b) => {
        const order = a.output.amount < b.output.amount ? -1 : a.output.amount > b.output.amount ? 1 : 0;
        const turned = query.direction === 'ascending' ? order : -order;
        return turned || (a.reference.key < b.reference.key ? -1 : 1);
      });
    const start = query.after ? sorted.findIndex((utxo) => utxo === query.after) + 1 : 0;
    return sorted.slice(start, start + query.limit);
  };
  return { selectUtxos: selectPage, pages: () => pages };
};

describe('paged source of outputs', () => {
  const far = farReads({ monotonic: () => 0 });
  // Amounts repeat, so that ties occur.
  const persisted = Array.from({ length: 1_000 }, (_, i) =>
    stored(i, BigInt((i * 7919) % 97) + 1n, i % 10 === 0 ? BigInt(i) + 1n : undefined),
  );
  const newer: Utxo[] = [1, 2].map((level) => ({
    ...asUtxo({ ...stored(5_000 + level, 50n), level: 0 }),
    level: level as 1 | 2,
  }));
  const isSpent = ({ reference }: StoredUtxo): boolean => parseInt(reference.key.slice(-2), 16) % 5 === 0;
  const all = [...persisted.filter((utxo) => !isSpent(utxo)).map((utxo) => asUtxo({ ...utxo, level: 0 })), ...newer];

  it.each([1n, 5n, 300n, 2_000n, 20_000n, 36_000n])('selects for %d what the whole list would give', async (coin) => {
    for (const tokens of [[], [{ id: 'aa'.repeat(32), amount: 500n }]]) {
      const request = { coin, tokens, gasPrice: 1n, gasAmount: undefined, estimateGas: (count: number) => count };
      const outcome = (run: () => ReturnType<typeof selectUtxos>) => {
        try {
          return run().picked.map(({ reference }) => referenceId(reference));
        } catch (error) {
          return (error as Error).message;
        }
      };
      const expected = outcome(() => selectUtxos(utxoSourceOf(all), request));
      const store = storeOf(persisted);
      const parts = { store, lockupScript, usableAt: 0n, isSpent, created: newer, all: async () => all };
      const source = pagedSource(parts);
      const actual = await readingOn(() => {
        try {
          return selectUtxos(source, request).picked.map(({ reference }) => referenceId(reference));
        } catch (error) {
          if ((error as Error).name === 'BuildRefusal') return (error as Error).message;
          throw error;
        }
      }, far);
      expect(actual).toEqual(expected);
    }
  });

  it('reads no more than the selection walks', async () => {
    const store = storeOf(persisted);
    const parts = { store, lockupScript, usableAt: 0n, isSpent, created: newer, all: async () => all };
    const request = { coin: 5n, tokens: [], gasPrice: 1n, gasAmount: 1, estimateGas: () => 1 };
    const source = pagedSource(parts);
    await readingOn(() => selectUtxos(source, request), far);
    expect(store.pages()).toBe(1);
  });

  it('reads very many outputs for one build at a time, beside any number of builds that need few', async () => {
    const many = Array.from({ length: 6_000 }, (_, i) => stored(i, 1n));
    let far = 0;
    let mostFar = 0;
    const build = async (coin: bigint): Promise<string> => {
      const store = storeOf(many);
      let read = 0;
      let isFar = false;
      const selectPage: typeof store.selectUtxos = async (query) => {
        if (read > 2_000 && !isFar) mostFar = Math.max(mostFar, (far += 1));
        isFar = read > 2_000;
        const page = await store.selectUtxos(query);
        read += page.length;
        await new Promise(setImmediate);
        return page;
      };
      const parts = { store: { selectUtxos: selectPage }, lockupScript, usableAt: 0n, isSpent: () => false };
      const source = pagedSource({ ...parts, created: [], all: async () => [] });
      const request = { coin, tokens: [], gasPrice: 0n, gasAmount: 1, estimateGas: () => 1 };
      try {
        return `${(await readingOn(() => selectUtxos(source, request), semaphore)).picked.length}`;
      } catch (error) {
        return (error as Error).name;
      } finally {
        if (isFar) far -= 1;
      }
    };
    const semaphore = farReads({ monotonic: () => 0 });
    const builds = Array.from({ length: 10 }, () => [build(7_000n), build(100n)]).flat();
    expect(await Promise.all(builds)).toEqual(Array.from({ length: 10 }, () => ['BuildRefusal', '100']).flat());
    expect(mostFar).toBe(1);
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Hash } from '@shardnode/protocol/primitives';
import { type BlockCommit, type GroupStore, type HeaderRow } from '../src/store/index.js';
import { InventedChain } from './support/invented-chain.js';
import { type TestStores } from './support/embedded-stores.js';
import { overEachStore } from './support/server-stores.js';

const group = 1;
const chain = { from: group, to: group };
const length = 150;
const start = 1_700_000_000_000n;

/** Milliseconds at which the block of a height was made. */
const timeAt = (height: number): bigint => start + BigInt(height - 1) * 1000n;

const hashesOf = (rows: readonly { readonly hash: Hash }[]): Hash[] => rows.map(({ hash }) => hash);

overEachStore('headers by height and by time', (openStores) => {
  let stores: TestStores;
  let store: GroupStore;
  const main: BlockCommit[] = [];
  let side: BlockCommit;

  beforeAll(async () => {
    stores = await openStores();
    store = await stores.store(group);
    const invented = new InventedChain(group);
    await store.commitBlocks(invented.genesis);
    for (let height = 1; height <= length; height++) {
      main.push(invented.block(main.at(-1)?.header.hash ?? invented.genesisHash, {}));
    }
    await store.commitBlocks(main);
    const [parent, beside] = [main[98]!.header.hash, main[99]!.header.hash];
    const alone = invented.block(parent, {});
    side = {
      ...alone,
      orders: [{ height: 100, hashes: [beside, alone.header.hash] }],
      tips: [main.at(-1)!.header.hash],
      projection: undefined,
    };
    await store.commitBlock(side);
  });
  afterAll(() => stores.remove());

  const at = (height: number): Hash => main[height - 1]!.header.hash;
  const newest = async (heights: number): Promise<HeaderRow[]> => {
    const rows: HeaderRow[] = [];
    for await (const page of store.newestHeights(heights)) rows.push(...page);
    return rows;
  };

  it('the newest heights of every chain come with genesis, and all branches of a height', async () => {
    const rows = (await newest(51)).filter(({ height }) => height > 0);
    expect(hashesOf(rows).sort()).toEqual([...main.slice(99), side].map(({ header }) => header.hash).sort());
    expect(rows.find(({ hash }) => hash === side.header.hash)).toMatchObject({ height: 100, rank: 1, weight: 100n });
    expect(hashesOf(await newest(50))).not.toContain(at(100));
    expect((await newest(1)).filter(({ height }) => height === 0)).toHaveLength(16);
    expect(await newest(Number.POSITIVE_INFINITY)).toHaveLength(16 + length + 1);
  });

  it('a page has every block of its heights, by a block or a height of it', async () => {
    const byHash = await store.headerPages({ hashes: [side.header.hash, 'ab'.repeat(32)], heights: [] });
    const byHeight = await store.headerPages({ hashes: [], heights: [{ chain, height: 100 }] });
    const byHashes = await store.headerPages({
      hashes: [at(100), side.header.hash],
      heights: [{ chain, height: 100 }],
    });
    expect(hashesOf(byHash)).toEqual(expect.arrayContaining([at(100), side.header.hash]));
    const sorted = (rows: readonly HeaderRow[]): Hash[] => hashesOf(rows).sort();
    expect(sorted(byHeight)).toEqual(sorted(byHash));
    expect(sorted(byHashes)).toEqual(sorted(byHash));
    const heights = byHash.map(({ height }) => height);
    for (let height = Math.min(...heights); height <= Math.max(...heights); height++) expect(heights).toContain(height);
    expect(await store.headerPages({ hashes: ['ab'.repeat(32)], heights: [] })).toEqual([]);
    const [row] = byHash.filter(({ hash }) => hash === at(100));
    expect(row).toEqual({ hash: at(100), raw: main[99]!.header.raw, height: 100, weight: 100n, rank: 0 });
  });

  it('canonical blocks of an interval ascend, both ends included, below a height and up to a limit', async () => {
    const between = async (fromTime: bigint, toTime: bigint, below = length, limit = 1000): Promise<Hash[]> =>
      hashesOf(await store.canonicalBetween({ chain, fromTime, toTime, below, limit }));
    expect(await between(timeAt(99), timeAt(101))).toEqual([at(99), at(100), at(101)]);
    expect(await between(timeAt(99) + 1n, timeAt(101) - 1n)).toEqual([at(100)]);
    expect(await between(timeAt(99), timeAt(101), 101)).toEqual([at(99), at(100)]);
    expect(await between(timeAt(99), timeAt(101), length, 1)).toEqual([at(99)]);
    expect(await between(timeAt(length) + 1n, timeAt(length) + 2n)).toEqual([]);
    expect(await between(timeAt(50) + 1n, timeAt(50) + 2n)).toEqual([]);
    const [block] = await store.canonicalBetween({
      chain,
      fromTime: timeAt(7),
      toTime: timeAt(7),
      below: 20,
      limit: 9,
    });
    const { hash, timestamp, target } = main[6]!.header;
    expect(block).toEqual({ hash, height: 7, timestamp, target });
  });
});

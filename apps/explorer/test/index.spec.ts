import { describe, expect, it } from '@jest/globals';
import { systemClock } from '@shardnode/core/lifecycle';
import { type Logger, silentLogger } from '@shardnode/core/observability';
import { maxCoinValue } from '@shardnode/protocol/primitives';
import { readVectors } from '@shardnode/testing/vectors';
import { type FeedBlock, openIndex, supplyJob } from '../src/index.js';
import { bodyOf } from '../src/blocks/side-body.js';
import { runJob } from './support/run-job.js';
import { TreeIndex } from './support/tree-index.js';
import { groups, type TreeBlock } from './trees/random-tree.js';
import { emptyIndex } from './trees/run-tree.js';
import { storedIndex } from './trees/stored-index.js';

interface ReorgVector {
  readonly tree: Readonly<Record<string, string>>;
  readonly steps: readonly {
    readonly mainChain: readonly string[];
    readonly undo: readonly string[];
    readonly apply: readonly string[];
  }[];
}

const hashOf = ({ block }: FeedBlock): string => block.header.hash;

describe('the index', () => {
  const indexed = new TreeIndex(7);

  const mainChain = async (): Promise<string[]> => {
    const rows = await indexed.database.query<{ hash: string }>(
      'main-chain',
      `SELECT encode(hash, 'hex') AS hash FROM explorer.blocks
       WHERE main_chain AND chain_from = 0 AND chain_to = 0 ORDER BY height`,
    );
    return rows.map(({ hash }) => hash);
  };
  const bodies = async (): Promise<Map<string, Buffer | null>> => {
    const rows = await indexed.database.query<{ hash: string; body: Buffer | null }>(
      'side-bodies',
      `SELECT encode(hash, 'hex') AS hash, body FROM explorer.blocks WHERE NOT main_chain`,
    );
    return new Map(rows.map(({ hash, body }) => [hash, body]));
  };
  const grow = (parent: TreeBlock, count: number): TreeBlock[] => {
    const grown: TreeBlock[] = [];
    for (let i = 0; i < count; i++) grown.push(indexed.tree.grow(grown.at(-1) ?? parent));
    return grown;
  };

  it('follows the reorganisations of the vectors', async () => {
    const { tree: parents, steps } = readVectors<{ reorg: ReorgVector }>('explorer-examples.json').reorg;
    const blocks = new Map<string, TreeBlock>([['0', indexed.tree.blocks[0]!]]);
    const names = [...new Set(['0', ...Object.keys(parents)])];
    // Parents first: a parent may have the greater number.
    while (blocks.size < names.length) {
      for (const name of names) {
        const parent = blocks.get(parents[name] ?? '');
        if (parent && !blocks.has(name)) blocks.set(name, indexed.tree.grow(parent));
      }
    }
    for (const { mainChain: expected, undo, apply } of steps) {
      const added = apply.filter((name) => name !== '0').map((name) => blocks.get(name)!);
      const fork = undo.length > 0 ? blocks.get(undo.at(-1)!)!.height - 1 : added[0]!.height - 1;
      await indexed.index.reorganise({ from: 0, to: 0 }, fork, added);
      expect(await mainChain()).toEqual(expected.map((name) => hashOf(blocks.get(name)!)));
      expect([...(await bodies()).keys()]).toEqual(
        expect.arrayContaining(undo.map((name) => hashOf(blocks.get(name)!))),
      );
    }
  });

  it('reports its heads', async () => {
    const [block] = grow(indexed.tree.blocks[0]!, 1);
    await indexed.index.apply([block!]);
    const heads = await indexed.index.heads();
    expect(heads.length).toBe(groups * groups);
    expect(heads[0]).toEqual({
      chain: { from: 0, to: 0 },
      hash: hashOf(block!),
      height: 1,
      timestamp: block!.block.header.timestamp,
    });
  });

  it('refuses a block that does not continue its chain, and nothing of the batch is applied', async () => {
    const before = await storedIndex(indexed.database);
    const [first, second, third] = grow(indexed.tree.blocks[0]!, 3);
    const [other] = grow(indexed.tree.blocks[1]!, 1);
    await expect(indexed.index.apply([other!, first!, third!])).rejects.toThrow(/does not continue/);
    await expect(indexed.index.apply([second!])).rejects.toThrow(/does not continue/);
    await expect(indexed.index.apply([indexed.tree.blocks[0]!])).rejects.toThrow(/does not continue/);
    expect(await storedIndex(indexed.database)).toEqual(before);
  });

  it('a batch that fails in the end leaves no trace, in memory neither', async () => {
    const blocks = grow(indexed.tree.blocks[0]!, 6);
    await indexed.database.script('ALTER TABLE explorer.chain_heads ADD CONSTRAINT low CHECK (height < 3)');
    const before = await storedIndex(indexed.database);
    await expect(indexed.index.apply(blocks)).rejects.toThrow();
    expect(await storedIndex(indexed.database)).toEqual(before);
    await indexed.database.script('ALTER TABLE explorer.chain_heads DROP CONSTRAINT low');
    // The numbers of new addresses and tokens must not come from the batch that failed.
    await indexed.index.apply(blocks);
    const after = await storedIndex(indexed.database);
    await emptyIndex(indexed.database);
    const fresh = openIndex({ database: indexed.database, groups });
    await fresh.apply([...indexed.tree.blocks]);
    expect(after).toEqual(await storedIndex(indexed.database));
  });

  it('one by one or all at once is the same', async () => {
    const blocks = [
      ...grow(indexed.tree.blocks[0]!, 5),
      ...grow(indexed.tree.blocks[4]!, 5),
      ...grow(indexed.tree.blocks[1]!, 5),
    ];
    for (const block of blocks) await indexed.index.apply([block]);
    const single = await storedIndex(indexed.database);
    await emptyIndex(indexed.database);
    await openIndex({ database: indexed.database, groups }).apply([...indexed.tree.blocks]);
    expect(await storedIndex(indexed.database)).toEqual(single);
  });

  it('stores a block beside the main chain once, and applies it like any other', async () => {
    const [block] = grow(indexed.tree.blocks[0]!, 1);
    await indexed.index.storeSide(block!);
    await indexed.index.storeSide(block!);
    expect(await bodies()).toEqual(new Map([[hashOf(block!), Buffer.from(bodyOf(block!))]]));
    await indexed.index.apply([block!]);
    await indexed.index.storeSide(block!);
    expect(await bodies()).toEqual(new Map());
    const stored = await storedIndex(indexed.database);
    await emptyIndex(indexed.database);
    await openIndex({ database: indexed.database, groups }).apply([...indexed.tree.blocks]);
    expect(await storedIndex(indexed.database)).toEqual(stored);
  });

  it('after a restart bodies of undone blocks are fetched; without one the block has none', async () => {
    const [first, second] = grow(indexed.tree.blocks[0]!, 2);
    await indexed.index.apply([first!, second!]);
    const asked: string[] = [];
    const restarted = openIndex({
      database: indexed.database,
      groups,
      fetchBlock: async (hash) => {
        asked.push(hash);
        return hash === hashOf(first!) ? first : undefined;
      },
    });
    await restarted.reorganise({ from: 0, to: 0 }, 0, []);
    expect(asked).toEqual([hashOf(second!), hashOf(first!)]);
    const stored = await bodies();
    expect(stored.get(hashOf(second!))).toBeNull();
    expect(Buffer.compare(stored.get(hashOf(first!))!, bodyOf(first!))).toBe(0);
  });

  const storedDays = async (): Promise<number> =>
    (await indexed.database.query('days-of-test', 'SELECT at FROM explorer.supply_days')).length;
  const countedDays = async (logger: Logger = silentLogger): Promise<number> => {
    await runJob(supplyJob([]), { database: indexed.database, groups, clock: systemClock, logger });
    return storedDays();
  };

  it('forgets the supply of a day that a chain has no longer passed, because others may follow on it', async () => {
    const first = grow(indexed.tree.blocks[0]!, 1);
    await indexed.index.apply([...first, ...[...indexed.tree.blocks].slice(1).flatMap((genesis) => grow(genesis, 1))]);
    expect(await countedDays()).toBeGreaterThan(0);
    await indexed.index.reorganise({ from: 0, to: 0 }, 0, []);
    expect([await storedDays(), await countedDays()]).toEqual([0, 0]);
    await indexed.index.apply(first);
    expect(await countedDays()).toBeGreaterThan(0);
  });

  it('has no supply of a day on which there were more coins than can be (protocol 08 §5.9)', async () => {
    await indexed.index.apply([...indexed.tree.blocks].flatMap((genesis) => grow(genesis, 1)));
    const logged: string[] = [];
    const error = (_: object, text: string): void => void logged.push(text);
    const logger = { ...silentLogger, error } as unknown as Logger;
    await indexed.database.script(`UPDATE explorer.outputs SET amount = amount + ${maxCoinValue}`);
    expect(await countedDays(logger)).toBe(0);
    expect(logged).toEqual(['WrongSupply']);
    await indexed.database.script(`UPDATE explorer.outputs SET amount = amount - ${maxCoinValue}`);
    expect(await countedDays(logger)).toBeGreaterThan(0);
    expect(logged).toHaveLength(1);
  });

  it('an empty batch changes nothing', async () => {
    const before = await storedIndex(indexed.database);
    await indexed.index.apply([]);
    await indexed.index.reorganise({ from: 0, to: 0 }, 0, []);
    expect(await storedIndex(indexed.database)).toEqual(before);
  });
});

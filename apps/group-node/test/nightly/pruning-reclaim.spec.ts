import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { embeddedStores, schemaOf, type TestStores } from '../support/embedded-stores.js';
import { group, PrunedChain } from '../support/pruned-chain.js';
import { describeWithPostgres, serverStores } from '../support/server-stores.js';

const horizon = 4;

/** Bytes of the table of nodes. */
const sizeOf = async ({ host }: TestStores): Promise<number> => {
  const text = `SELECT pg_relation_size('${schemaOf(group)}.trie_node')::int AS size`;
  const rows = await host.service(schemaOf(group)).query<{ size: number }>('node-bytes', text);
  return rows[0]!.size;
};

describe('the space of pruned rows', () => {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await embeddedStores();
  });
  afterEach(() => stores.remove());

  /** Each step tells that it has deleted so many nodes. */
  const prunedWith = async (deleted: number, reclaimSpace: () => Promise<boolean>) => {
    const store = await stores.store(group);
    let steps = 0;
    const pruning = {
      ...store.pruning!,
      prune: async (step: Parameters<NonNullable<typeof store.pruning>['prune']>[0]) => {
        await store.pruning!.prune(step);
        steps += 1;
        return deleted;
      },
      reclaimSpace,
    };
    const chain = await PrunedChain.open({ ...store, pruning }, horizon);
    for (let i = 0; i < 12; i++) {
      await chain.add(chain.top, [i % 12, (i * 5 + 1) % 12]);
      await chain.grow(chain.top);
      // At least one step for each height below the horizon.
      await chain.pruner.finish();
    }
    expect(steps).toBeGreaterThanOrEqual(4);
    expect(chain.pruner.lag().heights).toBe(0);
    return steps;
  };

  it.each([
    ['after each 50,000 deleted nodes', 25_000, 2],
    ['not one before', 49_999, 2],
  ])('is reclaimed %s', async (_, deleted, stepsEach) => {
    let reclaimed = 0;
    const steps = await prunedWith(deleted, async () => (reclaimed += 1) > 0);
    expect(reclaimed).toBe(Math.floor(steps / stepsEach));
  });

  it('holds no pruning up when it cannot be reclaimed, and is tried again', async () => {
    let attempts = 0;
    const steps = await prunedWith(50_000, () => {
      attempts += 1;
      return Promise.reject(new Error('a statement took too long'));
    });
    expect(attempts).toBe(steps);
  });
});

describe('the store of pruned rows', () => {
  it('gives the space of deleted rows back, where no server does', async () => {
    const stores = await embeddedStores();
    const { pruning } = await stores.store(group);
    const database = stores.host.service(schemaOf(group));
    await database.script(
      `INSERT INTO ${database.schema}.trie_node (hash, data, added_seq)
       SELECT sha256(i::text::bytea), repeat('x', 200)::bytea, 0 FROM generate_series(1, 500) i`,
    );
    await database.script(`DELETE FROM ${database.schema}.trie_node`);
    expect(await sizeOf(stores)).toBeGreaterThan(100_000);
    expect(await pruning!.reclaimSpace()).toBe(true);
    expect(await sizeOf(stores)).toBe(0);
    await stores.remove();
  });

  describeWithPostgres('over a server', (server) => {
    it('leaves it to the server', async () => {
      const stores = await serverStores(server());
      expect(await (await stores.store(group)).pruning!.reclaimSpace()).toBe(false);
      await stores.remove();
    });
  });
});

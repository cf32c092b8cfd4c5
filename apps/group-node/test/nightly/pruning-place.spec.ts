import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Hash } from '@shardnode/protocol/primitives';
import { until } from '@shardnode/testing/waiting';
import { PrismaClient } from '../../src/generated/prisma/client.js';
import { schemaOf, type TestStores } from '../support/embedded-stores.js';
import { group, PrunedChain } from '../support/pruned-chain.js';
import { overEachDatabase } from '../support/server-stores.js';

const horizon = 4;

overEachDatabase('a place of pruning that is not canonical', (openStores) => {
  let stores: TestStores;
  let before: PrunedChain;
  let chain: PrunedChain;
  let orphan: Hash;
  beforeAll(async () => {
    stores = await openStores();
    before = await PrunedChain.open(await stores.store(group), horizon);
    for (let i = 0; i < 30; i++) {
      await before.add(before.top, [i % 12, (i * 5 + 1) % 12]);
      await before.grow(before.top);
      // Their hashes decide which of the two stays.
      if (i === 9) await before.add(before.below(before.top, 1), [11]);
    }
    const { dag } = before.memory;
    orphan = dag.hashesAt({ from: group, to: group }, 10).find((hash) => !dag.isCanonical(hash))!;
    // No chain that the node imports leads there: a database that was restored from parts of two does.
    const database = stores.host.service(schemaOf(group));
    const value = { blockHash: orphan, height: 10, isComplete: true };
    await new PrismaClient({ adapter: database.prismaAdapter() }).nodeMeta.create({ data: { key: 'pruning', value } });
    chain = await PrunedChain.open(await stores.store(group), horizon, { before });
  }, 60_000);
  afterAll(() => stores.remove());

  it('ends all pruning: no state goes that may still be needed', async () => {
    expect(chain.memory.dag.isCanonical(orphan)).toBe(false);
    expect(chain.memory.horizon.place).toEqual({ blockHash: orphan, height: 10, isComplete: true });
    const nodes = await chain.storedNodes();
    await expect(chain.pruner.finish()).rejects.toThrow(
      `states were pruned up to block ${orphan} of height 10, which is not canonical any more`,
    );
    expect(await chain.storedNodes()).toEqual(nodes);
  });

  it('is told as the reason', async () => {
    const behind = chain.pruner.lag().heights;
    expect(behind).toBeGreaterThan(0);
    chain.pruner.wake();
    await until('a place that is lost', () => chain.pruner.lag().reason === 'place-lost');
    expect(chain.pruner.lag()).toEqual({ heights: behind, reason: 'place-lost' });
  });
});

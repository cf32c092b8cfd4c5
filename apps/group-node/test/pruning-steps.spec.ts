import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { until } from '@shardnode/testing/waiting';
import { type GroupStore, type PruningStore } from '../src/store/index.js';
import { schemaOf, type TestStores } from './support/embedded-stores.js';
import { group, PrunedChain } from './support/pruned-chain.js';
import { overEachDatabase } from './support/server-stores.js';

const horizon = 4;
const blocks = 60;
/** No step takes any time. */
const timeless: Clock = { ...systemClock, monotonic: () => 0 };

/** What the steps of a pruner ask of the store. */
interface Seen {
  reads: number;
  /** Nodes of each step. */
  readonly steps: number[];
  /** The next step with more nodes fails. */
  failsAbove: number | undefined;
}

const watched = (store: GroupStore, seen: Seen): GroupStore => {
  const { pruning } = store;
  const watching: PruningStore = {
    ...pruning!,
    replacedNodes: (hashes) => {
      seen.reads += 1;
      return pruning!.replacedNodes(hashes);
    },
    prune: (step) => {
      seen.steps.push(step.nodes.length);
      if (step.nodes.length <= (seen.failsAbove ?? Number.POSITIVE_INFINITY)) return pruning!.prune(step);
      seen.failsAbove = undefined;
      return Promise.reject(new Error('query read timeout'));
    },
  };
  return { ...store, pruning: watching };
};

overEachDatabase('steps of pruning', (openStores) => {
  let stores: TestStores;
  let chain: PrunedChain;
  const seen: Seen = { reads: 0, steps: [], failsAbove: undefined };

  beforeAll(async () => {
    stores = await openStores();
    chain = await PrunedChain.open(watched(await stores.store(group), seen), horizon, { clock: timeless });
    for (let i = 0; i < blocks; i++) {
      await chain.add(chain.top, [i % 12, (i * 5 + 1) % 12, (i * 7 + 2) % 12]);
      await chain.grow(chain.top);
    }
  }, 60_000);
  afterAll(() => stores.remove());

  it('give a store few heights of those that replaced many nodes, each with all of its blocks', async () => {
    const [low, middle, high] = [5, 6, 7].map((height) => chain.blocksFrom(height)[0]!) as [string, string, string];
    const orphan = await chain.add(chain.below(middle, 1), [3]);
    const database = stores.host.service(schemaOf(group));
    const { schema } = database;
    const many = (count: number) =>
      `UPDATE ${schema}.world_state SET replaced_nodes = decode(repeat('ab', ${32 * count}), 'hex')
       FROM ${schema}.block_header h WHERE h.seq = block_seq AND h.height IN (5, 6, 7)`;
    const { pruning } = await stores.store(group);
    const all = await pruning!.replacedNodes([high, orphan, middle, low]);
    expect(all.size).toBe(4);
    await database.script(`CREATE TABLE ${schema}.kept AS SELECT block_seq, replaced_nodes FROM ${schema}.world_state`);
    await database.script(many(10_000));
    const two = await pruning!.replacedNodes([high, orphan, middle, low]);
    expect(new Set(two.keys())).toEqual(new Set([low, middle, orphan]));
    await database.script(many(20_000));
    const one = await pruning!.replacedNodes([high, orphan, middle, low]);
    expect([...one.keys()]).toEqual([low]);
    expect(one.get(low)!.hashes).toHaveLength(20_000);
    await database.script(
      `UPDATE ${schema}.world_state s SET replaced_nodes = k.replaced_nodes FROM ${schema}.kept k
       WHERE k.block_seq = s.block_seq; DROP TABLE ${schema}.kept`,
    );
  });

  it('tell how far behind they are, and that the last one failed', async () => {
    expect(chain.pruner.lag()).toEqual({ heights: chain.height - horizon + 1, reason: 'at-work' });
    seen.failsAbove = 0;
    chain.pruner.wake();
    await until('a step that failed', () => chain.pruner.lag().reason === 'step-failed');
    expect(chain.pruner.lag()).toEqual({ heights: chain.height - horizon + 1, reason: 'step-failed' });
  });

  it('begin small, and are small again after one that failed', async () => {
    seen.failsAbove = 32;
    await expect(chain.pruner.finish()).rejects.toThrow('query read timeout');
    const failed = seen.steps.length;
    expect(seen.steps[0]).toBeLessThanOrEqual(32);
    expect(seen.steps.at(-1)).toBeGreaterThan(32);
    await chain.pruner.finish();
    expect(seen.steps[failed]).toBeLessThanOrEqual(32);
  });

  it('read what was replaced once, not once a step', async () => {
    const { place } = chain.memory.horizon;
    expect(place).toMatchObject({ isComplete: true });
    expect(seen.reads).toBeLessThan(seen.steps.length);
    for (const block of chain.blocksFrom(chain.height - horizon)) {
      expect(await chain.storedNodesOf(block)).toEqual(await chain.allNodesOf(block));
    }
  });

  it('tell what holds them back: a chain to another group that stands still', async () => {
    expect(chain.pruner.lag()).toEqual({ heights: 0, reason: 'at-work' });
    for (let i = 0; i < 10; i++) await chain.add(chain.top, [i]);
    await chain.pruner.finish();
    const { heights, reason } = chain.pruner.lag();
    expect([heights > 5, reason]).toEqual([true, 'chain']);
    await chain.grow(chain.top, horizon + 2);
    expect(chain.pruner.lag()).toEqual({ heights, reason: 'at-work' });
    await chain.pruner.finish();
    expect(chain.pruner.lag()).toEqual({ heights: 0, reason: 'at-work' });
  });

  it('are followed by no pause for who stops meanwhile', async () => {
    const never: Clock = { ...timeless, after: () => ({ cancel: () => undefined }) };
    const before = chain.memory.horizon.place!;
    await new Promise((resolve, reject) => {
      const crashPoint = (name: string): void => void (name === 'after-prune' && resolve(again.pruner.stop()));
      let again: PrunedChain;
      stores
        .store(group)
        .then((store) => PrunedChain.open(store, 1, { before: chain, clock: never, crashPoint }))
        .then((opened) => (again = opened).pruner.wake(), reject);
    });
    const after = await (await stores.store(group)).pruning!.place();
    expect(after!.height).toBeGreaterThan(before.height);
  }, 20_000);
});

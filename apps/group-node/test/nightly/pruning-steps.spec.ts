import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { until } from '@shardnode/testing/waiting';
import { type GroupStore, type PruningStore } from '../../src/store/index.js';
import { schemaOf, type TestStores } from '../support/embedded-stores.js';
import { group, PrunedChain } from '../support/pruned-chain.js';
import { overEachDatabase } from '../support/server-stores.js';

const horizon = 4;
const blocks = 60;
/** No step takes any time; the clock is past its begin. */
const timeless: Clock = { ...systemClock, monotonic: () => 5_000 };

/** What the steps of a pruner ask of the store. */
interface Seen {
  reads: number;
  /** Reads under way, and the most at once. */
  readonly reading: { now: number; most: number };
  /** Called once, between the next read and its step. */
  afterRead: (() => Promise<void>) | undefined;
  /** Nodes of each step. */
  readonly steps: number[];
  /** The next step with more nodes fails. */
  failsAbove: number | undefined;
}

const watched = (store: GroupStore, seen: Seen): GroupStore => {
  const { pruning } = store;
  const watching: PruningStore = {
    ...pruning!,
    replacedNodes: async (hashes) => {
      const { reading, afterRead } = seen;
      seen.reads += 1;
      reading.now += 1;
      reading.most = Math.max(reading.most, reading.now);
      const replaced = await pruning!.replacedNodes(hashes);
      reading.now -= 1;
      seen.afterRead = undefined;
      await afterRead?.();
      return replaced;
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
  const seen: Seen = {
    reads: 0,
    reading: { now: 0, most: 0 },
    afterRead: undefined,
    steps: [],
    failsAbove: undefined,
  };
  /** Blocks of all chains, and so something to prune. */
  const goOn = async (on: PrunedChain, count: number): Promise<void> => {
    for (let i = 0; i < count; i++) {
      await on.add(on.top, [i % 12, (i * 5 + 1) % 12, (i * 7 + 2) % 12]);
      await on.grow(on.top);
    }
  };

  beforeAll(async () => {
    stores = await openStores();
    chain = await PrunedChain.open(watched(await stores.store(group), seen), horizon, { clock: timeless });
    await goOn(chain, blocks);
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

  it('leave what a reorganisation has brought back since it was read', async () => {
    await goOn(chain, horizon);
    const place = chain.memory.horizon.place!;
    // The branch that loses is higher than nothing that is kept.
    const longer = chain.height - place.height + horizon + 1;
    seen.afterRead = async () => {
      let at = place.blockHash;
      for (let i = 0; i < longer; i++) at = await chain.add(at, [i]);
      expect(chain.top).toBe(at);
    };
    await chain.pruner.finish();
    expect(chain.memory.horizon.place).toEqual(place);
    await chain.grow(chain.top, horizon + 2);
    await chain.pruner.finish();
    expect(chain.memory.horizon.place!.height).toBeGreaterThan(place.height);
    for (const block of chain.blocksFrom(chain.height - horizon)) {
      expect(await chain.storedNodesOf(block)).toEqual(await chain.allNodesOf(block));
    }
  });

  it('follow each other by themselves, however often they are woken', async () => {
    const store = watched(await stores.store(group), seen);
    const again = await PrunedChain.open(store, horizon, { before: chain, clock: timeless });
    await goOn(again, 20);
    seen.reading.most = 0;
    const before = seen.steps.length;
    for (let i = 0; i < 3; i++) again.pruner.wake();
    await until('all is pruned', () => again.pruner.lag().heights === 0);
    expect(seen.steps.length).toBeGreaterThan(before + 1);
    expect(seen.reading.most).toBe(1);
  });

  it('ask for no node twice when all is finished while they are woken', async () => {
    const store = await stores.store(group);
    const asked: string[] = [];
    const prune: PruningStore['prune'] = (step) => {
      asked.push(...step.nodes.map(({ hash, before }) => `${hash} ${before}`));
      return store.pruning!.prune(step);
    };
    const twoLoops = { ...store, pruning: { ...store.pruning!, prune } };
    const again = await PrunedChain.open(twoLoops, horizon, { before: chain, clock: timeless });
    await goOn(again, 12);
    const finished = again.pruner.finish();
    again.pruner.wake();
    await finished;
    await again.pruner.finish();
    expect(again.pruner.lag().heights).toBe(0);
    expect(asked.length).toBeGreaterThan(64);
    expect(new Set(asked).size).toBe(asked.length);
  });

  it('wait until some heights have gathered', async () => {
    const store = watched(await stores.store(group), seen);
    const wide = 32;
    const again = await PrunedChain.open(store, wide, { before: chain, clock: timeless });
    const { height } = again.memory.horizon.place!;
    // Two gather at a horizon of 32: the first height that is not pruned, and two more.
    await goOn(again, height + wide + 2 - again.height);
    const { length } = seen.steps;
    again.pruner.wake();
    await again.pruner.stop();
    expect(seen.steps).toHaveLength(length);
    const woken = await PrunedChain.open(store, wide, { before: again, clock: timeless });
    await goOn(woken, 1);
    woken.pruner.wake();
    await until('all is pruned', () => woken.pruner.lag().heights === 0);
    expect(seen.steps.length).toBeGreaterThan(length);
  });

  it('pause for no longer than who stops them wants to wait', async () => {
    let pauses = 0;
    const never: Clock = { ...timeless, after: () => ({ cancel: () => void (pauses += 1) }) };
    const again = await PrunedChain.open(await stores.store(group), horizon, { before: chain, clock: never });
    await goOn(again, 3);
    const before = again.memory.horizon.place!.height;
    again.pruner.wake();
    await until('a pause', () => again.memory.horizon.place!.height > before);
    await again.pruner.stop();
    expect(pauses).toBe(1);
  }, 20_000);

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

  it('have at most 500 nodes, however fast they are and however many a height replaced', async () => {
    const again = await PrunedChain.open(watched(await stores.store(group), seen), 1, {
      before: chain,
      clock: timeless,
    });
    await goOn(again, 5);
    // More nodes than one read returns: the heights above come with the next one.
    const database = stores.host.service(schemaOf(group));
    const { schema } = database;
    await database.script(
      `UPDATE ${schema}.world_state SET replaced_nodes = decode(repeat('ab', ${32 * 20_000}), 'hex')
       FROM ${schema}.block_header h WHERE h.seq = block_seq AND h.height = ${again.height - 3}`,
    );
    const before = seen.steps.length;
    await again.pruner.finish();
    expect(Math.max(...seen.steps.slice(before))).toBe(500);
    expect(again.pruner.lag().heights).toBe(0);
  }, 60_000);
});

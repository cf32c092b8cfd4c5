import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Hash } from '@shardnode/protocol/primitives';
import { type TestStores } from '../support/embedded-stores.js';
import { group, PrunedChain } from '../support/pruned-chain.js';
import { overEachDatabase } from '../support/server-stores.js';

/** As deep as the fork depth lets a branch begin (protocol 03 §6.4). */
const depth = 200;

overEachDatabase('reorganisations at the horizon', (openStores) => {
  let stores: TestStores;
  let chain: PrunedChain;
  const branch = async (from: Hash, blocks: number, first: number): Promise<void> => {
    let last = from;
    for (let i = 0; i < blocks; i++) last = await chain.add(last, [(first + i) % 12, (first + i * 5 + 1) % 12]);
  };
  beforeAll(async () => {
    stores = await openStores();
    chain = await PrunedChain.open(await stores.store(group), depth);
    await branch(chain.genesis, 30, 0);
    await chain.grow(chain.top, depth + 5);
    await branch(chain.top, depth, 3);
  }, 60_000);
  afterAll(() => stores.remove());

  it('go back and forth by 200 blocks between states that are all there', async () => {
    const { dag, horizon } = chain.memory;
    await chain.pruner.finish();
    expect(horizon.place).toMatchObject({ height: 30, isComplete: true });
    const fork = chain.below(chain.top, depth);
    const before = chain.top;
    await branch(fork, depth + 1, 7);
    expect(dag.height(chain.top)).toBe(30 + depth + 1);
    expect(dag.isCanonical(before)).toBe(false);
    expect(await chain.store.checkProjection()).toMatchObject({ equal: true });
    // The fork point stays as long as both branches reach the horizon.
    await chain.pruner.finish();
    expect(horizon.place).toMatchObject({ blockHash: fork });
    for (const block of chain.blocksFrom(30)) {
      expect(horizon.isReadable(block)).toBe(true);
      expect(await chain.storedNodesOf(block)).toEqual(await chain.allNodesOf(block));
    }
    await branch(before, 2, 1);
    expect(dag.isCanonical(before)).toBe(true);
    expect(await chain.store.checkProjection()).toMatchObject({ equal: true });
  }, 60_000);

  it('beyond it are told what they miss', async () => {
    const { dag, horizon } = chain.memory;
    const { store } = chain;
    const gone = { name: 'ServiceError', kind: 'not-found', code: 'StateNotAvailable' };
    const old = dag.canonicalAt({ from: group, to: group }, 29)!;
    expect(horizon.isReadable(old)).toBe(false);
    await expect(horizon.reading(old, () => Promise.resolve())).rejects.toMatchObject(gone);
    // Roots and hashes of states stay: later headers are checked against them.
    expect(await store.worldState(old)).toHaveProperty('stateHash');
    const undo = chain
      .blocksFrom(29)
      .filter((hash) => dag.isCanonical(hash))
      .reverse();
    expect(undo.at(-1)).toBe(old);
    await expect(store.moveProjection({ undo, apply: [] })).rejects.toMatchObject(gone);
    expect(await store.checkProjection()).toMatchObject({ equal: true });
    const back = undo.slice(0, -2);
    await store.moveProjection({ undo: back, apply: [] });
    expect(await store.checkProjection()).toMatchObject({ equal: true });
    await store.moveProjection({ undo: [], apply: [...back].reverse() });
    expect(await store.checkProjection()).toMatchObject({ equal: true });
  }, 60_000);

  it('does not read what was pruned when it starts', async () => {
    const again = await PrunedChain.open(await stores.store(group), depth, { before: chain });
    expect(again.memory.horizon.place).toEqual(chain.memory.horizon.place);
    expect(again.top).toBe(chain.top);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unlockedWriter } from '@shardnode/core/database';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { childHashes, decodeTrieNode } from '@shardnode/protocol/state';
import { sweepOrphans } from '../../src/pruning/index.js';
import { reachableNodes } from '../../src/pruning/sweep.js';
import { embeddedStores, schemaOf, type TestStores } from '../support/embedded-stores.js';
import { group, PrunedChain } from '../support/pruned-chain.js';

const horizon = 4;

describe('the sweep of orphaned nodes (protocol 04 §9.6 step 5)', () => {
  let stores: TestStores;
  let chain: PrunedChain;
  beforeAll(async () => {
    stores = await embeddedStores();
    chain = await PrunedChain.open(await stores.store(group), horizon);
    for (let i = 0; i < 20; i++) {
      await chain.add(chain.top, [i % 12, (i * 5 + 1) % 12], [i % 4]);
      await chain.grow(chain.top);
      if (i === 8) await chain.add(await chain.add(chain.below(chain.top, 2), [3, 7]), [11], [2]);
    }
  }, 60_000);
  afterAll(() => stores.remove());

  const sweep = async () => {
    const database = stores.host.service(schemaOf(group));
    const seen = { mark: 0, sweep: 0 };
    const onProgress = (phase: 'mark' | 'sweep', nodes: number): void => void (seen[phase] = nodes);
    const result = await sweepOrphans({ database, writer: unlockedWriter(database), group, settings, onProgress });
    return { ...result, seen };
  };
  const readable = (): Hash[] => chain.blocksFrom(0).filter((block) => chain.memory.horizon.isReadable(block));
  const needed = async (): Promise<Set<Hash>> => {
    const all = new Set<Hash>();
    for (const block of readable()) for (const hash of await chain.allNodesOf(block)) all.add(hash);
    return all;
  };

  it('deletes nothing where nothing is pruned', async () => {
    const { size } = await chain.storedNodes();
    expect(await sweep()).toEqual({
      states: chain.blocksFrom(0).length,
      kept: size,
      deleted: 0,
      seen: { mark: size, sweep: size },
    });
    expect(await chain.store.pruning!.place()).toBeUndefined();
  });

  it('marks all that a single root reaches', async () => {
    const { outputRoot } = (await chain.store.worldState(chain.top))!;
    const marked = await reachableNodes(chain.store, [outputRoot]);
    expect(marked.size).toBeGreaterThan(3);
    for (const raw of (await chain.store.loadNodes([...marked])).values()) {
      const node = decodeTrieNode(raw);
      if (node.kind === 'branch') expect(childHashes(node).filter((child) => !marked.has(child))).toEqual([]);
    }
  });

  it('deletes what only orphans need, and leaves every readable state whole', async () => {
    await chain.pruner.finish();
    const before = await chain.storedNodes();
    const wanted = await needed();
    expect(before.size).toBeGreaterThan(wanted.size);
    const result = { states: readable().length, kept: wanted.size, deleted: before.size - wanted.size };
    expect(await sweep()).toEqual({ ...result, seen: { mark: wanted.size, sweep: before.size } });
    expect(await chain.storedNodes()).toEqual(wanted);
    expect(await chain.store.pruning!.place()).toEqual(chain.memory.horizon.place);
    expect(await sweep()).toMatchObject({ ...result, deleted: 0 });
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { allocationTransfer } from '@shardnode/testing/builders';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { type GroupNode } from '../../src/group-node.js';
import { CommandRpc } from '../../src/rpc/commands.js';
import { type GroupStore } from '../../src/store/index.js';
import { embeddedStores, type EmbeddedStores } from '../support/embedded-stores.js';
import { openLoneNode } from '../support/lone-node.js';
import { until } from '../support/network.js';

const chain = { from: 0, to: 0 };

type Away = 'nothing' | 'blocks' | 'all';

/** A store whose database can be taken away, for blocks or altogether. */
const removable = (store: GroupStore): { readonly store: GroupStore; readonly setAway: (away: Away) => void } => {
  let away: Away = 'nothing';
  const guarded =
    <Args extends unknown[], Result>(kind: Away, run: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      away === 'all' || away === kind ? Promise.reject(new Error('the database went away')) : run(...args);
  return {
    setAway: (next) => (away = next),
    store: {
      ...store,
      commitBlocks: guarded('blocks', store.commitBlocks),
      changePool: guarded('all', store.changePool),
      loadTips: guarded('all', store.loadTips),
      listPending: guarded('all', store.listPending),
      transactionLocations: guarded('all', store.transactionLocations),
    },
  };
};

describe('a database that goes away', () => {
  let stores: EmbeddedStores;
  let node: GroupNode;
  let setAway: (away: Away) => void;

  beforeEach(async () => {
    stores = await embeddedStores();
    const taken = removable(await stores.store(0));
    setAway = taken.setAway;
    node = await openLoneNode(taken.store);
  });
  afterEach(async () => {
    setAway('nothing');
    await node.stop();
    await stores.remove();
  });

  it('and stays away: nothing is built on what is not stored, and all goes on when it is back', async () => {
    const first = await node.miner.mine(chain);
    setAway('all');
    await expect(node.miner.mine(chain)).rejects.toThrow('the database went away');
    expect(node.sync.notReadyBecause()).toBe('its database does not answer');
    await expect(node.miner.mine(chain)).rejects.toMatchObject({ kind: 'unavailable', code: 'StoreUnavailable' });
    expect(node.state.memory.published.hashesAt(chain, 1)).toEqual([first]);
    setAway('nothing');
    // Nobody asks for anything: the node comes back on its own.
    await until('the node is ready', async () => node.sync.notReadyBecause() === undefined);
    const second = await node.miner.mine(chain);
    expect(node.state.memory.published.height(second)).toBe(2);
    expect(node.state.memory.published.header(second).blockDeps).toContain(first);
    expect((await node.store.checkProjection()).equal).toBe(true);
  });

  it('for the moment of a commit: the submit that wanted the block is acknowledged as pending, and mined later', async () => {
    setAway('blocks');
    const { txId } = await node.submission.submit(await allocationTransfer());
    expect((await node.store.listPending()).map((row) => row.txId)).toEqual([txId]);
    expect(node.state.pool.get(txId)).toBeDefined();
    setAway('nothing');
    await until('it is mined', async () => node.state.locations.get(txId).length > 0);
    expect(node.state.pool.size).toBe(0);
  });

  it('for the moment of a commit: who waits for a received block is told, and the block may come again', async () => {
    const { raw } = nextBlock(new MemoryNode(developmentNetwork), chain);
    const stored = async (): Promise<void> => {
      const outcome = await node.intake.accept(raw, 'block', { kind: 'submitted' });
      if (outcome.kind !== 'added') throw new Error(`the block is ${outcome.kind}`);
      await outcome.stored;
    };
    setAway('blocks');
    await expect(stored()).rejects.toThrow('the database went away');
    setAway('nothing');
    // Memory, which knows the block, is rebuilt without it first.
    const isStored = (): Promise<boolean> =>
      stored().then(
        () => true,
        () => false,
      );
    await until('it is stored', isStored);
  }, 30_000);

  it('for the moment of a commit: a block that comes again meanwhile is known only once it is stored', async () => {
    const { raw: block } = nextBlock(new MemoryNode(developmentNetwork), chain);
    const { header } = decodeBlock(block, developmentNetwork.groups);
    const rpc = new CommandRpc(node.intake, node.importer, node.indexCheck);
    const answers = async (): Promise<unknown[]> => {
      const submitted = Array.from({ length: 3 }, () => rpc.submitBlock({ block }));
      const settled = await Promise.allSettled(submitted);
      return settled.map((one) => (one.status === 'fulfilled' ? one.value.outcome : (one.reason as Error).message));
    };
    setAway('all');
    const first = rpc.submitBlock({ block }).catch((error: Error) => error.message);
    await until('it is in memory', async () => node.state.memory.dag.has(header.hash));
    expect(await answers()).not.toContain('known');
    expect(await first).toBe('the database went away');
    // The commit has failed, and memory cannot be rebuilt: it still has the block.
    expect(node.state.memory.dag.has(header.hash)).toBe(true);
    expect(await answers()).not.toContain('known');
    setAway('nothing');
    await until('the node is ready', async () => node.sync.notReadyBecause() === undefined);
    expect((await rpc.submitBlock({ block })).outcome).toBe('added');
    expect((await rpc.submitBlock({ block })).outcome).toBe('known');
  });
});

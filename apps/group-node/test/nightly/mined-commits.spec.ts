import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setImmediate as tick, setTimeout as sleep } from 'node:timers/promises';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { genesisBlock } from '@shardnode/protocol/block';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { maximalGasPerTx } from '@shardnode/protocol/primitives';
import { blockEffects } from '@shardnode/protocol/state';
import { type Transaction } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer } from '@shardnode/testing/builders';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { type GroupNode } from '../../src/group-node.js';
import { type ImportMeasures, noMeasures } from '../../src/import/import-measures.js';
import { type GroupStore } from '../../src/store/index.js';
import { unspentOf } from '../../src/view/address-outputs.js';
import { embeddedStores, type EmbeddedStores } from '../support/embedded-stores.js';
import { openLoneNode } from '../support/lone-node.js';
import { minerAddresses } from '../support/network.js';

const chains = [0, 1, 2, 3].map((to) => ({ from: 0, to }));
const [intra, cross] = chains as [(typeof chains)[0], (typeof chains)[0]];
/** No commit happens because some time is over. */
const clock: Clock = { ...systemClock, after: () => ({ cancel: () => undefined }) };

let stores: EmbeddedStores;
let node: GroupNode;
/** The blocks of each commit. */
let commits: string[][] = [];

/** Called after a commit is in the database, before the importer knows of it. */
let afterCommit: () => Promise<void>;

const openNode = async (nodeClock: Clock, settings?: NetworkSettings, measures?: ImportMeasures): Promise<void> => {
  const store = await stores.store(0);
  const watched: GroupStore = {
    ...store,
    commitBlocks: async (blocks) => {
      commits.push(blocks.map(({ header }) => header.hash));
      await store.commitBlocks(blocks);
      await afterCommit();
    },
  };
  afterCommit = async () => undefined;
  node = await openLoneNode(watched, settings, undefined, nodeClock, measures);
  commits = [];
};
beforeEach(async () => {
  stores = await embeddedStores();
});
afterEach(async () => {
  await node.stop();
  await stores.remove();
});

describe('commits of mined blocks', () => {
  beforeEach(() => openNode(clock));

  it('are one for the requests of all chains at the same time, round by round', async () => {
    for (const _ of [1, 2, 3]) {
      commits = [];
      const hashes = await Promise.all(chains.map((chain) => node.miner.mine(chain)));
      expect(commits).toEqual([hashes]);
    }
  });

  it('come before the next block of the same chain, whose template contains what is still in the pool', async () => {
    const first = node.miner.mine(intra);
    const other = node.miner.mine(cross);
    // A request from now on is for another block, as soon as the task of the first one runs.
    let next = node.miner.mine(intra);
    for (; next === first; next = node.miner.mine(intra)) await tick();
    const [one, two, three] = await Promise.all([first, other, next]);
    expect(commits.flat()).toEqual([one, two, three]);
    expect(commits.at(-1)).toEqual([three]);
  });

  it('hold up reads of addresses until memory is of the same moment as the database', async () => {
    const miner = minerAddresses[0]!;
    let reading: Promise<unknown> | undefined;
    let isPublished = false;
    afterCommit = async () => {
      reading = unspentOf(node, miner, { pool: true }).then((outputs) => [isPublished, outputs.length]);
      await Promise.race([reading, sleep(300)]);
      isPublished = true;
    };
    await node.miner.mine(intra);
    expect(await reading).toEqual([true, 1]);
  });

  it('change the outputs of an address in memory, so that the next read needs no query', async () => {
    const miner = minerAddresses[0]!;
    expect(await unspentOf(node, miner, { pool: false })).toEqual([]);
    await node.miner.mine(intra);
    expect(node.state.addresses.peek(miner)).toMatchObject({ kind: 'small', outputs: [{ output: { kind: 'asset' } }] });
  });
});

describe('commits of received blocks', () => {
  /** A block of group 0, or a header of a sibling, from outside. */
  const receive = async (maker: MemoryNode, from: number): Promise<string> => {
    const { raw, header } = nextBlock(maker, { from, to: from });
    maker.importBlock(raw);
    const [bytes, form] = from === 0 ? ([raw, 'block'] as const) : ([header.raw, 'header'] as const);
    expect((await node.intake.accept(bytes, form, { kind: 'announced', from })).kind).toBe('added');
    return header.hash;
  };

  /** Three headers, each committed at once: what follows within 20 ms is under load. */
  const beginLoad = async (maker: MemoryNode): Promise<void> => {
    for (const sibling of [1, 2, 1]) {
      const hash = await receive(maker, sibling);
      await node.queue.idle();
      expect(commits.splice(0)).toEqual([[hash]]);
    }
  };

  it('follow at once while there are few', async () => {
    const stopped = createStoppedClock(Date.now());
    await openNode(stopped);
    const maker = new MemoryNode(developmentNetwork);
    await beginLoad(maker);
    stopped.advance(21);
    await beginLoad(maker);
  });

  it('under load follow an own block after 5 ms, a header of a sibling after 20 ms; what is staged meanwhile comes with it', async () => {
    const stopped = createStoppedClock(Date.now());
    await openNode(stopped);
    const maker = new MemoryNode(developmentNetwork);
    const commitsAfter = async (milliseconds: number): Promise<string[][]> => {
      stopped.advance(milliseconds);
      await node.queue.idle();
      return commits.splice(0);
    };
    await beginLoad(maker);
    const first = await receive(maker, 1);
    expect(await commitsAfter(15)).toEqual([]);
    const second = await receive(maker, 2);
    expect(await commitsAfter(4)).toEqual([]);
    expect(await commitsAfter(1)).toEqual([[first, second]]);
    const third = await receive(maker, 1);
    const own = await receive(maker, 0);
    expect(await commitsAfter(4)).toEqual([]);
    expect(await commitsAfter(1)).toEqual([[third, own]]);
    expect(await commitsAfter(4)).toEqual([]);
  });

  it('are a reorganisation when they replace others, which is measured by the number of those', async () => {
    const depths: number[] = [];
    await openNode(clock, developmentNetwork, { ...noMeasures, reorganised: (depth) => void depths.push(depth) });
    for (const [i, { lockupScript: miner }] of testKeysOfGroup(0, 2).entries()) {
      const maker = new MemoryNode(developmentNetwork);
      for (let height = 1; height <= 2 + i; height++) {
        const { raw } = nextBlock(maker, intra, { miner });
        maker.importBlock(raw);
        expect((await node.intake.accept(raw, 'block', { kind: 'announced', from: 0 })).kind).toBe('added');
        await node.settle();
      }
    }
    expect(depths).toEqual([2]);
  });

  it('follow at once when blocks of 2 MiB wait', async () => {
    const owners = testKeysOfGroup(0, 70);
    const amount = 100n * 10n ** 18n;
    const settings: NetworkSettings = {
      ...developmentNetwork,
      allocations: owners.map(({ lockupScript }) => ({ lockupScript, amount, lockDuration: 0n })),
    };
    const { outputs } = blockEffects(genesisBlock(settings, intra)).transactions[0]!;
    /** Outputs with 256 bytes each, as many as gas allows. */
    const longTransfer = (i: number): Transaction => {
      const { reference, output } = outputs[i]!;
      if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
      const { lockupScript } = owners[i]!;
      const long = { ...assetOutput(lockupScript, 10n ** 16n), additionalData: new Uint8Array(256) };
      return buildSignedTransfer({
        settings,
        from: owners[i]!,
        spend: [{ reference, output }],
        outputs: Array.from({ length: 130 }, () => long),
        gasAmount: maximalGasPerTx,
      });
    };
    await openNode(createStoppedClock(Date.now()), settings);
    const maker = new MemoryNode(settings);
    await beginLoad(maker);
    const sent: string[] = [];
    for (let bytes = 0; bytes < 2 * 2 ** 20;) {
      expect(commits).toEqual([]);
      const first = 10 * sent.length;
      const { raw, header } = nextBlock(maker, intra, {
        transactions: Array.from({ length: 10 }, (_, i) => longTransfer(first + i)),
      });
      expect(maker.importBlock(raw)).toMatchObject({ kind: 'added' });
      expect((await node.intake.accept(raw, 'block', { kind: 'announced', from: 0 })).kind).toBe('added');
      await node.queue.idle();
      sent.push(header.hash);
      bytes += raw.length;
    }
    expect(sent.length).toBeLessThan(8);
    expect(commits).toEqual([sent]);
    // Once they are stored, they may leave the cache of blocks, which takes less than one of them.
    const { blocks } = node.state.memory;
    expect(sent.filter((hash) => blocks.get(hash)).length).toBeLessThan(sent.length);
  });
});

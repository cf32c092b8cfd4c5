import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { genesisBlock } from '@shardnode/protocol/block';
import { encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { blockEffects } from '@shardnode/protocol/state';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer } from '@shardnode/testing/builders';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { type GroupNode, openGroupNode } from '../src/group-node.js';
import { type GroupStore } from '../src/store/index.js';
import { embeddedStores, type EmbeddedStores } from './support/embedded-stores.js';
import { minerAddresses, until } from './support/network.js';

const chain = { from: 0, to: 0 };

/** A store whose database can be taken away: reads and writes fail then. */
const removable = (store: GroupStore): { store: GroupStore; setAway(away: 'no' | 'writes' | 'all'): void } => {
  let away: 'no' | 'writes' | 'all' = 'no';
  const guarded =
    <Args extends unknown[], Result>(kind: 'writes' | 'reads', run: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      away === 'all' || (away === 'writes' && kind === 'writes')
        ? Promise.reject(new Error('the database went away'))
        : run(...args);
  return {
    setAway: (next) => (away = next),
    store: {
      ...store,
      commitBlocks: guarded('writes', store.commitBlocks),
      changePool: guarded('reads', store.changePool),
      loadTips: guarded('reads', store.loadTips),
      listPending: guarded('reads', store.listPending),
      transactionLocations: guarded('reads', store.transactionLocations),
    },
  };
};

const transferOf = async (): Promise<Uint8Array> => {
  const [from] = await developmentKeys();
  const { reference, output } = blockEffects(genesisBlock(developmentNetwork, chain)).transactions[0]!.outputs[0]!;
  if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
  const { unsigned, inputSignatures } = buildSignedTransfer({
    settings: developmentNetwork,
    from: from!,
    spend: [{ reference, output }],
    outputs: [assetOutput(testKeyOfGroup(0).lockupScript, 10n ** 18n)],
  });
  return encode(transactionTemplateCodec, { unsigned, inputSignatures, scriptSignatures: [] });
};

describe('a database that goes away', () => {
  let stores: EmbeddedStores;
  let node: GroupNode;
  let setAway: (away: 'no' | 'writes' | 'all') => void;

  beforeEach(async () => {
    stores = await embeddedStores();
    const taken = removable(await stores.store(0));
    setAway = taken.setAway;
    node = await openGroupNode(
      {
        settings: developmentNetwork,
        group: 0,
        limits: { trieNodeBytes: 2 ** 20, blockBytes: 2 ** 20 },
        mining: { mode: 'instant', interval: 0, heartbeat: 0, followUp: 10 },
        minerAddresses,
        lazyCommit: 20,
        blocksPerCommit: 8,
      },
      {
        store: taken.store,
        clock: systemClock,
        logger: silentLogger,
        peers: { publish: () => undefined },
        groups: { request: () => Promise.reject(new Error('no siblings')) },
        randomBytes,
      },
    );
    node.sync.assumeSynced();
    node.schedule.start();
  });
  afterEach(async () => {
    setAway('no');
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
    setAway('no');
    // Nobody asks for anything: the node comes back on its own.
    await until('the node is ready', async () => node.sync.notReadyBecause() === undefined);
    const second = await node.miner.mine(chain);
    expect(node.state.memory.published.height(second)).toBe(2);
    expect(node.state.memory.published.header(second).blockDeps).toContain(first);
    expect((await node.store.checkProjection()).equal).toBe(true);
  });

  it('for the moment of a commit: the submit that wanted the block is acknowledged as pending, and mined later', async () => {
    setAway('writes');
    const { txId } = await node.submission.submit(await transferOf());
    expect((await node.store.listPending()).map((row) => row.txId)).toEqual([txId]);
    expect(node.state.pool.get(txId)).toBeDefined();
    setAway('no');
    await until('it is mined', async () => node.state.locations.get(txId).length > 0);
    expect(node.state.pool.size).toBe(0);
  });
});

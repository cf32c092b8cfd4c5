import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentNetwork } from '@shardnode/protocol/network';
import { allocationTransfer } from '@shardnode/testing/builders';
import { embeddedStores, type EmbeddedStores } from '../support/embedded-stores.js';
import { openLoneNode } from '../support/lone-node.js';

/** Nobody finds a nonce for this. */
const settings = { ...developmentNetwork, numZeros: 34 };

describe('a chain whose nonces are too rare to be found', () => {
  let stores: EmbeddedStores;
  beforeAll(async () => {
    stores = await embeddedStores();
  });
  afterAll(() => stores.remove());

  it('stops nobody: other work goes on, transactions are stored as pending, the node can be stopped', async () => {
    const node = await openLoneNode(await stores.store(0), settings);
    const mined = node.miner.mine({ from: 0, to: 1 });
    mined.catch(() => undefined);
    await expect(node.queue.run('other work', () => 'done')).resolves.toBe('done');
    const { txId } = await node.submission.submit(await allocationTransfer(settings));
    expect((await node.store.listPending()).map((row) => row.txId)).toEqual([txId]);
    await node.stop();
    await expect(mined).rejects.toThrow();
  });
});

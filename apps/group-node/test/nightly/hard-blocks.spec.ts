import { afterEach, describe, expect, it } from '@jest/globals';
import { developmentNetwork } from '@shardnode/protocol/network';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { embeddedStores } from '../support/embedded-stores.js';
import { coin, TestNetwork } from '../support/network.js';

/** A network whose blocks want so many leading zero bits. */
const openHardNetwork = async (numZeros: number): Promise<TestNetwork> => {
  const network = new TestNetwork(await embeddedStores(), { mining: 'off' }, { ...developmentNetwork, numZeros });
  await network.start();
  return network;
};

describe('blocks that take many nonces', () => {
  let network: TestNetwork;
  afterEach(() => network.close());

  const height = async (from: number, to: number): Promise<number> =>
    (await network.client.request(from, 'read.chain.info', { from, to })).currentHeight;

  it('are found, and whoever wants one of the same chain meanwhile shares it', async () => {
    network = await openHardNetwork(9);
    const rich = await developmentKeys();
    const { txId } = await network.transfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
    const first = await network.mine(0, 0);
    expect((await network.status(0, txId)).type).toBe('Confirmed');
    const [second, other] = await Promise.all([network.mine(0, 0), network.mine(0, 2)]);
    expect(new Set([first, second, other].map(({ blockHash }) => blockHash)).size).toBe(3);
    expect([await height(0, 0), await height(0, 2)]).toEqual([2, 1]);
  });

  it('have no rival at their height, whenever the next one is wanted', async () => {
    network = await openHardNetwork(9);
    const chain = { from: 0, to: 2 };
    const wanted: Promise<unknown>[] = [];
    for (let turn = 0; turn < 60; turn++) {
      wanted.push(network.mine(0, 2));
      await new Promise((resolve) => setTimeout(resolve, turn % 5));
    }
    await Promise.all(wanted);
    const last = await height(0, 2);
    expect(last).toBeGreaterThan(0);
    for (let at = 1; at <= last; at++) {
      const { hashes } = await network.client.request(0, 'read.chain.hashes', { ...chain, height: at });
      expect([at, hashes.length]).toEqual([at, 1]);
    }
  });

  it('leave the writer to others, and end with the node', async () => {
    network = await openHardNetwork(40);
    const rich = await developmentKeys();
    const never = network.client.request(0, 'command.mining.mine-one', { from: 0, to: 0 }, { deadlineMs: 1_000 });
    const ended = expect(never).rejects.toMatchObject({ kind: 'unavailable' });
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { txId } = await network.transfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
    expect((await network.status(0, txId)).type).toBe('MemPooled');
    expect(await height(0, 0)).toBe(0);
    await ended;
  });
});

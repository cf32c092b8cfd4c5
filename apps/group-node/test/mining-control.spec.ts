import { afterEach, describe, expect, it } from '@jest/globals';
import { decodeBlock } from '@shardnode/protocol/block';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { coin, lockupHex, minerAddresses, TestNetwork, until } from './support/network.js';

const groups = [0, 1, 2, 3];

describe('mining on request (protocol 07 §13)', () => {
  let network: TestNetwork;
  afterEach(() => network.close());

  const heights = async (): Promise<number[]> => {
    const chains = groups.flatMap((from) => groups.map((to) => ({ from, to })));
    const replies = await Promise.all(
      chains.map((chain) => network.client.request(chain.from, 'read.chain.info', chain)),
    );
    return replies.map(({ currentHeight }) => currentHeight);
  };
  const minerOf = async (from: number, to: number): Promise<string> => {
    const { blockHash } = await network.mine(from, to);
    const { block } = await network.client.request(from, 'read.chain.block', { hash: blockHash });
    const coinbase = decodeBlock(block, network.settings.groups).transactions.at(-1)!;
    return lockupHex(coinbase.unsigned.fixedOutputs[0]!.lockupScript);
  };

  it('pays the addresses that are set, in every group, until a restart', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const defaults = minerAddresses.map(lockupHex);
    const others = groups.map((group) => lockupHex(testKeyOfGroup(group).lockupScript));
    const told = async (group: number) =>
      (await network.client.request(group, 'read.mining.addresses', {})).lockupScripts;
    for (const group of groups) {
      expect(await told(group)).toEqual(defaults);
      await network.client.request(group, 'command.mining.set-addresses', { lockupScripts: others });
      expect(await told(group)).toEqual(others);
      expect(await minerOf(group, (group + 1) % 4)).toBe(others[(group + 1) % 4]);
    }
    for (const wrong of [[], others.slice(1), [...others.slice(1), others[0]!]]) {
      await expect(
        network.client.request(2, 'command.mining.set-addresses', { lockupScripts: wrong }),
      ).rejects.toMatchObject({ kind: 'invalid-request', code: 'InvalidMinerAddresses' });
    }
    expect(await told(2)).toEqual(others);
    await network.restart();
    expect(await told(2)).toEqual(defaults);
    expect(await minerOf(2, 2)).toBe(defaults[2]);
  });

  it('makes blocks on all chains between start and stop, and answers meanwhile', async () => {
    network = await TestNetwork.open({ mining: 'off', miningInterval: 0.1 });
    const all = async (name: 'command.mining.start' | 'command.mining.stop'): Promise<void> => {
      for (const group of groups) expect(await network.client.request(group, name, {})).toEqual({});
    };
    await all('command.mining.stop');
    await all('command.mining.start');
    await all('command.mining.start');
    const rich = await developmentKeys();
    const { txId } = await network.transfer(rich[0]!, [{ key: testKeyOfGroup(3), amount: coin }]);
    await until('all chains have two blocks', async () => (await heights()).every((height) => height >= 2));
    await until('the transfer counts everywhere', async () => {
      const status = await network.status(0, txId);
      return status.type === 'Confirmed' && status.toGroupConfirmations > 0;
    });
    await all('command.mining.stop');
    // The round that runs goes on to its end; then there is no other.
    let before = await heights();
    await until('the last round has ended', async () => {
      const now = await heights();
      const isStill = now.join() === before.join();
      before = now;
      return isStill;
    });
    const { work } = await network.client.request(1, 'read.chain.difficulty', {});
    expect(BigInt(work)).toBeGreaterThanOrEqual(4n);
    const toTs = Date.now() + 60_000;
    const made = await network.client.request(1, 'read.chain.work', { fromTs: toTs - 1_000_000, toTs });
    expect(BigInt(made.work)).toBeGreaterThanOrEqual(8n);
    expect(await network.client.request(1, 'read.chain.work', { fromTs: toTs, toTs: toTs + 1 })).toEqual({ work: '0' });
  });

  it('checks the height index, one check at a time, and mends the order of a height', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    for (let i = 0; i < 3; i++) await network.mine(0, 0);
    const { hashes } = await network.client.request(0, 'read.chain.hashes', { from: 0, to: 0, height: 2 });
    const store = await network.store(0);
    const rank = async () => (await store.chainRows(hashes)).map((row) => row.rank);
    expect(await rank()).toEqual([0]);
    const check = () => network.client.request(0, 'command.chain.check-index', {});
    const started = await Promise.all([check(), check()]);
    expect(started.map((reply) => reply.started)).toEqual([true, false]);
    // As if it had been second to a block that nobody knows.
    await store.writeOrders([{ height: 2, hashes: ['00'.repeat(32), hashes[0]!] }]);
    expect(await rank()).toEqual([1]);
    await until('the next check has mended it', async () => {
      await check();
      return (await rank())[0] === 0;
    });
  });
});

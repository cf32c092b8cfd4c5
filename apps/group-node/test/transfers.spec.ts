import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentKeys, testKeyOfGroup, type TestKey } from '@shardnode/testing/keys';
import { coin, TestNetwork, until } from './support/network.js';

describe('transfers with mining on demand', () => {
  let network: TestNetwork;
  let rich: readonly TestKey[];
  beforeAll(async () => {
    // The receiver's block comes for the third count alone: nothing below waits for it.
    network = await TestNetwork.open({ incomingFollowUp: 3_600_000 });
    rich = await developmentKeys();
  });
  afterAll(() => network.close());

  it('moves coins on each of the 16 chains, and receivers can spend them at once', async () => {
    for (const from of [0, 1, 2, 3]) {
      for (const to of [0, 1, 2, 3]) {
        const receiver = testKeyOfGroup(to);
        const before = await network.balance(receiver);
        const { txId, fromGroup, toGroup } = await network.transfer(rich[from]!, [
          { key: receiver, amount: 3n * coin },
        ]);
        expect([fromGroup, toGroup]).toEqual([from, to]);
        const status = await network.status(from, txId);
        expect(status.type).toBe('Confirmed');
        if (status.type !== 'Confirmed') continue;
        const { included } = await network.client.request(to, 'read.view.includes', { blockHash: status.blockHash });
        expect(included).toBe(true);
        expect(await network.balance(receiver)).toBe(before + 3n * coin);
        const back = await network.transfer(receiver, [{ key: rich[to]!, amount: coin }]);
        await until('it is spent', async () => (await network.status(to, back.txId)).type === 'Confirmed');
      }
    }
  });

  it('keeps every attoCoin: balances plus burned fees are genesis plus rewards', async () => {
    const keys = [...rich, ...[0, 1, 2, 3].map((group) => testKeyOfGroup(group))];
    const { held, created, burned } = await network.countMoney(keys);
    expect(burned).toBeGreaterThan(0n);
    expect(held + burned).toBe(4n * 10n ** 24n + created);
    for (const group of [0, 1, 2, 3])
      expect(await (await network.store(group)).checkProjection()).toMatchObject({ equal: true });
  });
});

describe('confirmations with mining on demand', () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await TestNetwork.open();
  });
  afterAll(() => network.close());

  it('come to 1,1,1 by themselves', async () => {
    const rich = await developmentKeys();
    const { txId } = await network.transfer(rich[0]!, [{ key: testKeyOfGroup(1), amount: coin }]);
    await until('both groups have included it', async () => {
      const status = await network.status(0, txId);
      return status.type === 'Confirmed' && status.fromGroupConfirmations > 0 && status.toGroupConfirmations > 0;
    });
  });
});

describe('confirmations with MINING=off', () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await TestNetwork.open({ mining: 'off' });
  });
  afterAll(() => network.close());

  it('shows 1,0,0, then 1,1,0, then 1,1,1', async () => {
    const rich = await developmentKeys();
    const { txId } = await network.transfer(rich[0]!, [{ key: testKeyOfGroup(2), amount: coin }]);
    expect((await network.status(0, txId)).type).toBe('MemPooled');
    const counts = async () => {
      const status = await network.status(0, txId);
      if (status.type !== 'Confirmed') return status.type;
      return [status.chainConfirmations, status.fromGroupConfirmations, status.toGroupConfirmations].join();
    };
    await network.mine(0, 2);
    expect(await counts()).toBe('1,0,0');
    await network.mine(0, 0);
    expect(await counts()).toBe('1,1,0');
    await network.mine(2, 2);
    await until('the header is there', async () => (await counts()) === '1,1,1');
  });
});

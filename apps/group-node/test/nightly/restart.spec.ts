import { afterEach, describe, expect, it } from '@jest/globals';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { coin, TestNetwork, until } from '../support/network.js';

const groups = [0, 1, 2, 3];

describe('restart', () => {
  let network: TestNetwork;
  afterEach(() => network.close());

  it('continues the same chain, with the pool as it was', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const rich = await developmentKeys();
    const receiver = testKeyOfGroup(1);
    const mined = await network.transfer(rich[0]!, [{ key: receiver, amount: coin }]);
    await network.mine(0, 1);
    await network.mine(0, 0);
    const pending = await network.transfer(rich[0]!, [{ key: receiver, amount: 2n * coin }]);
    const child = await network.transfer(rich[0]!, [{ key: receiver, amount: 3n * coin }]);
    const balance = await network.balance(rich[0]!);
    await network.restart();
    expect((await network.status(0, mined.txId)).type).toBe('Confirmed');
    expect((await network.status(0, pending.txId)).type).toBe('MemPooled');
    expect((await network.status(0, child.txId)).type).toBe('MemPooled');
    expect(await network.balance(rich[0]!)).toBe(balance);
    await network.mine(0, 1);
    await network.mine(0, 1);
    expect((await network.status(0, pending.txId)).type).toBe('Confirmed');
    expect((await network.status(0, child.txId)).type).toBe('Confirmed');
    for (const group of groups)
      expect(await (await network.store(group)).checkProjection()).toMatchObject({ equal: true });
  });

  it('a node that was away gets what the others made, and they what it makes then', async () => {
    network = await TestNetwork.open();
    const rich = await developmentKeys();
    await network.stopGroup(3);
    const sent = await network.transfer(rich[1]!, [{ key: testKeyOfGroup(3), amount: 5n * coin }]);
    await until('group 1 includes it', async () => {
      const status = await network.status(1, sent.txId);
      return status.type === 'Confirmed' && status.fromGroupConfirmations > 0;
    });
    await network.startGroup(3);
    await network.synced();
    await until('the receiver sees it', async () => (await network.balance(testKeyOfGroup(3))) === 5n * coin);
    await network.mine(3, 3);
    await until('group 1 hears of it', async () => {
      const status = await network.status(1, sent.txId);
      return status.type === 'Confirmed' && status.toGroupConfirmations > 0;
    });
    const back = await network.transfer(testKeyOfGroup(3), [{ key: rich[1]!, amount: coin }]);
    expect((await network.status(3, back.txId)).type).toBe('Confirmed');
  });

  it('refuses the data of another network', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    await network.stopGroup(2);
    await expect(network.startGroup(2, { settings: { ...network.settings, networkId: 5 } })).rejects.toThrow(
      'Invalid genesis blocks, please wipe out the db history of your current network and resync',
    );
  });
});

describe('submitting', () => {
  let network: TestNetwork;
  afterEach(() => network.close());

  it('again gives the same answer, pending or confirmed; a conflict names the spender', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const rich = await developmentKeys();
    const template = await network.signedTransfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
    const rival = await network.signedTransfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: 2n * coin }]);
    const submit = (bytes: Uint8Array) => network.client.request(0, 'command.mempool.submit', { template: bytes });
    const answers = await Promise.all([submit(template), submit(template), submit(template)]);
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const { txId } = answers[0]!;
    await expect(submit(rival)).rejects.toMatchObject({ kind: 'refused', data: { conflictingTxId: txId } });
    await network.mine(0, 0);
    expect(await submit(template)).toEqual(answers[0]);
    await expect(submit(rival)).rejects.toMatchObject({
      kind: 'refused',
      code: 'NonExistInput',
      data: { conflictingTxId: txId },
    });
    expect((await network.status(0, txId)).type).toBe('Confirmed');
    // Memory knows nothing of blocks from before the start.
    await network.stopGroup(0);
    await network.startGroup(0);
    await network.synced();
    const refusals = await Promise.allSettled([submit(rival), submit(rival)]);
    expect(refusals).toMatchObject([{ reason: { data: { conflictingTxId: txId } } }, { status: 'rejected' }]);
    expect(await submit(template)).toEqual(answers[0]);
  });

  it('is taken in chains of pending transactions', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const rich = await developmentKeys();
    const ids: string[] = [];
    for (let i = 0; i < 20; i++) {
      ids.push((await network.transfer(rich[2]!, [{ key: testKeyOfGroup(2), amount: coin }])).txId);
    }
    expect(await network.balance(testKeyOfGroup(2))).toBe(20n * coin);
    for (let i = 0; i < 20; i++) await network.mine(2, 2);
    for (const id of ids) expect((await network.status(2, id)).type).toBe('Confirmed');
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { decode } from '@shardnode/protocol/encoding';
import { transactionId, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { developmentKeys, testKeyOfGroup } from '@shardnode/testing/keys';
import { coin, TestNetwork, until } from './support/network.js';

const groups = [0, 1, 2, 3];

describe('what operators do with the pool (protocol 07 §12)', () => {
  let network: TestNetwork;
  afterEach(() => network.close());

  const listed = async (group: number, page: { offset?: number; limit?: number } = {}) => {
    const { transactions, total } = await network.client.request(group, 'read.mempool.list', page);
    const ids = transactions.map(({ template }) => transactionId(decode(transactionTemplateCodec, template).unsigned));
    return { ids, total, chains: transactions.map(({ from, to }) => [from, to]) };
  };

  it('a group lists what waits at it, in pages, and not what comes from others', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const rich = await developmentKeys();
    const sent: string[] = [];
    for (const to of [1, 1, 0]) {
      sent.push((await network.transfer(rich[0]!, [{ key: testKeyOfGroup(to), amount: coin }])).txId);
    }
    expect(await listed(0)).toEqual({
      ids: sent,
      total: 3,
      chains: [
        [0, 1],
        [0, 1],
        [0, 0],
      ],
    });
    expect(await listed(0, { offset: 1, limit: 1 })).toEqual({ ids: [sent[1]], total: 3, chains: [[0, 1]] });
    expect(await listed(0, { offset: 3 })).toEqual({ ids: [], total: 3, chains: [] });
    await until('the receiver knows of both', async () => (await network.balance(testKeyOfGroup(1))) === 2n * coin);
    expect(await listed(1)).toEqual({ ids: [], total: 0, chains: [] });
    // Both groups hold it, so it is found from either side (protocol 07 §8.5).
    const from = async (group: number, to?: number) =>
      (await network.client.request(group, 'read.transaction.status', { txId: sent[0]!, from: group, to })).type;
    expect(await Promise.all(groups.map((group) => from(group)))).toEqual([
      'MemPooled',
      'MemPooled',
      'TxNotFound',
      'TxNotFound',
    ]);
    expect([await from(0, 1), await from(0, 2)]).toEqual(['MemPooled', 'TxNotFound']);
    await network.mine(0, 1);
    expect((await listed(0)).total).toBeLessThan(3);
  });

  it('cleared, nothing comes back: not for the receiver, not after a restart; and it can be submitted again', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const rich = await developmentKeys();
    const receiver = testKeyOfGroup(2);
    const first = await network.signedTransfer(rich[0]!, [{ key: receiver, amount: coin }]);
    const { txId } = await network.client.request(0, 'command.mempool.submit', { template: first });
    const child = await network.transfer(rich[0]!, [{ key: receiver, amount: coin }]);
    await until('the receiver knows', async () => (await network.balance(receiver)) === 2n * coin);
    const removed = await Promise.all(
      groups.map((group) => network.client.request(group, 'command.mempool.clear', {})),
    );
    expect(removed.map((reply) => reply.removed)).toEqual([2, 0, 2, 0]);
    const nothing = async () => {
      for (const id of [txId, child.txId]) {
        for (const group of groups) expect(await network.status(group, id)).toEqual({ type: 'TxNotFound' });
      }
      expect((await listed(0)).total).toBe(0);
      expect(await network.balance(receiver)).toBe(0n);
      expect(await network.balance(rich[0]!)).toBe(10n ** 24n);
      expect(await (await network.store(0)).listPending()).toEqual([]);
    };
    await nothing();
    await network.restart();
    await nothing();
    await network.client.request(0, 'command.mempool.submit', { template: first });
    expect((await network.status(0, txId)).type).toBe('MemPooled');
    await network.mine(0, 2);
    expect((await network.status(0, txId)).type).toBe('Confirmed');
  });

  it('cleared while others submit: what is left in memory is what is stored', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const rich = await developmentKeys();
    const templates: Uint8Array[] = [];
    // One pending chain of ten, known beforehand; then all at once, with a clear in their midst.
    for (let i = 0; i < 10; i++) {
      const template = await network.signedTransfer(rich[3]!, [{ key: testKeyOfGroup(3), amount: coin }]);
      templates.push(template);
      await network.client.request(3, 'command.mempool.submit', { template });
    }
    await network.client.request(3, 'command.mempool.clear', {});
    const submits = templates.map((template, index) => {
      const submit = network.client.request(3, 'command.mempool.submit', { template });
      const clear = index === 4 ? network.client.request(3, 'command.mempool.clear', {}) : undefined;
      return Promise.allSettled([submit, clear]);
    });
    await Promise.all(submits);
    const stored = (await (await network.store(3)).listPending()).map(({ txId }) => txId);
    expect([...stored].sort()).toEqual((await listed(3)).ids.sort());
    await network.restart();
    expect((await listed(3)).ids.sort()).toEqual([...stored].sort());
  });

  it('rebroadcast tells the receivers again; what does not wait there is not found', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const rich = await developmentKeys();
    const receiver = testKeyOfGroup(1);
    const { txId } = await network.transfer(rich[0]!, [{ key: receiver, amount: coin }]);
    await until('the receiver knows', async () => (await network.balance(receiver)) === coin);
    await network.client.request(1, 'command.mempool.clear', {});
    expect(await network.balance(receiver)).toBe(0n);
    await network.client.request(0, 'command.mempool.rebroadcast', { txId });
    await until('the receiver knows again', async () => (await network.balance(receiver)) === coin);
    const resource = `TxId: ${txId}`;
    // An incoming one is not the receiver's to announce.
    for (const group of [1, 2]) {
      await expect(network.client.request(group, 'command.mempool.rebroadcast', { txId })).rejects.toMatchObject({
        kind: 'not-found',
        detail: `${resource} not found`,
        data: { resource },
      });
    }
  });

  it('validation keeps what is good, parents and children alike, and drops the rest with its reason', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const rich = await developmentKeys();
    const [receiver, other] = [testKeyOfGroup(1), testKeyOfGroup(3)];
    const good = [
      await network.transfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]),
      await network.transfer(rich[0]!, [{ key: testKeyOfGroup(2), amount: coin }]),
    ];
    // The receivers spend what is not mined yet; then their groups forget that it was to come.
    const { txId } = await network.transfer(rich[2]!, [{ key: receiver, amount: 5n * coin }]);
    await network.transfer(rich[2]!, [{ key: other, amount: 5n * coin }]);
    for (const key of [receiver, other]) {
      await until('the receiver knows', async () => (await network.balance(key)) === 5n * coin);
    }
    const alone = await network.transfer(other, [{ key: rich[3]!, amount: coin }]);
    const early = await network.transfer(receiver, [{ key: rich[1]!, amount: coin }]);
    const next = await network.transfer(receiver, [{ key: rich[1]!, amount: coin }]);
    const validate = (group: number) => network.client.request(group, 'command.mempool.validate', {});
    for (const group of groups) expect(await validate(group)).toEqual({ removed: 0 });
    await network.client.request(2, 'command.mempool.clear', {});
    expect((await network.status(2, txId)).type).toBe('TxNotFound');
    for (const group of [1, 3]) {
      await network.stopGroup(group);
      await network.startGroup(group);
    }
    await network.synced();
    expect((await listed(1)).ids.sort()).toEqual([early.txId, next.txId].sort());
    expect(await Promise.all(groups.map(validate))).toEqual([0, 2, 0, 1].map((removed) => ({ removed })));
    expect((await listed(0)).ids).toEqual(good.map((sent) => sent.txId));
    expect((await listed(1)).ids).toEqual([]);
    const gone = { type: 'TxNotFound', reason: { code: 'NonExistInput' } };
    for (const dropped of [early, next]) expect(await network.status(1, dropped.txId)).toMatchObject(gone);
    expect(await network.status(3, alone.txId)).toMatchObject(gone);
    expect(await (await network.store(1)).listPending()).toEqual([]);
  });
});

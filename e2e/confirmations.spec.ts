import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testKeyOfGroup, testKeysOfGroup } from '@shardnode/testing/keys';
import { describeNetwork } from './kit/deployment-under-test.js';
import { type ApiClient } from './kit/api-client.js';
import { type StatusForm } from './kit/api-forms.js';
import { checkLedger } from './kit/ledger.js';
import { type Network, startNetwork } from './kit/network.js';
import { balanceOf, build, mineOneBlock, oneCoin, signOffline, statusOf, submit, transfer } from './kit/transfers.js';
import { waitFor } from './kit/wait-for.js';

const counts = (status: StatusForm): readonly number[] | string =>
  status.type === 'Confirmed'
    ? [status.chainConfirmations, status.fromGroupConfirmations, status.toGroupConfirmations]
    : status.type;

/** Polls until the counts are the expected ones; until then they are the ones before, and nothing else. */
const reach = async (
  api: ApiClient,
  txId: string,
  expected: readonly number[],
  before: readonly number[],
): Promise<void> => {
  const others = new Set<string>();
  await waitFor(`${txId} to have the counts ${expected.join()}`, async () => {
    const found = counts(await statusOf(api, txId)).toString();
    if (found === expected.join()) return true;
    others.add(found);
    return false;
  });
  expect([...others].filter((found) => found !== before.join())).toEqual([]);
};

const fee = 20_000n * 10n ** 11n;

/** protocol 02 §15.3, one block at a time; and what a status promises, the next read shows. */
describeNetwork('confirmations, block by block', () => {
  let network: Network;
  const receiver = testKeyOfGroup(1);
  beforeAll(async () => {
    network = await startNetwork({ MINING: 'off' });
  });
  afterAll(() => network?.remove());

  const shown = async (): Promise<{ from: bigint; to: bigint }> => ({
    from: await balanceOf(network.api, network.funded[0]!.address),
    to: await balanceOf(network.api, receiver.address),
  });

  it('an inter-group transaction shows 1,0,0, then 1,1,0, then 1,1,1', async () => {
    const { api, funded } = network;
    const before = await shown();
    const { txId } = await transfer(api, funded[0]!, [
      { address: receiver.address, attoCoinAmount: oneCoin.toString() },
    ]);
    expect(await statusOf(api, txId)).toEqual({ type: 'MemPooled' });
    const after = { from: before.from - oneCoin - fee, to: before.to + oneCoin };

    await mineOneBlock(api, 0, 1);
    expect(counts(await statusOf(api, txId))).toEqual([1, 0, 0]);
    expect(await shown()).toEqual(after);

    await mineOneBlock(api, 0, 0);
    expect(counts(await statusOf(api, txId))).toEqual([1, 1, 0]);
    expect(await shown()).toEqual(after);

    await mineOneBlock(api, 1, 1);
    await reach(api, txId, [1, 1, 1], [1, 1, 0]);
    expect(await shown()).toEqual(after);

    // The receiver's transfer needs no block but its own.
    const [third] = testKeysOfGroup(2, 1) as [typeof receiver];
    const half = (oneCoin / 2n).toString();
    const next = await transfer(api, receiver, [{ address: third.address, attoCoinAmount: half }]);
    await mineOneBlock(api, 1, 2);
    expect(counts(await statusOf(api, next.txId))).toEqual([1, 0, 0]);
    expect(await balanceOf(api, third.address)).toBe(oneCoin / 2n);

    // And the counts go on.
    await mineOneBlock(api, 0, 1);
    expect(counts(await statusOf(api, txId))).toEqual([2, 1, 1]);
    await mineOneBlock(api, 0, 0);
    expect(counts(await statusOf(api, txId))).toEqual([2, 2, 1]);
    await mineOneBlock(api, 1, 1);
    await reach(api, txId, [2, 2, 2], [2, 2, 1]);
  });

  it('an intra-group transaction shows one number three times', async () => {
    const { api, funded } = network;
    const [own] = testKeysOfGroup(3, 1) as [typeof receiver];
    const { txId } = await transfer(api, funded[3]!, [{ address: own.address, attoCoinAmount: oneCoin.toString() }]);
    for (const count of [1, 2, 3]) {
      await mineOneBlock(api, 3, 3);
      expect(counts(await statusOf(api, txId))).toEqual([count, count, count]);
      expect(await balanceOf(api, own.address)).toBe(oneCoin);
    }
  });

  it('pending transactions show in balances and builds, and are mined in order', async () => {
    const { api, funded } = network;
    const [next] = testKeysOfGroup(2, 2).slice(1) as [typeof receiver];
    const ids: string[] = [];
    const before = await balanceOf(api, funded[2]!.address);
    for (let i = 1; i <= 5; i++) {
      const sent = await transfer(api, funded[2]!, [{ address: next.address, attoCoinAmount: oneCoin.toString() }]);
      ids.push(sent.txId);
      expect(await balanceOf(api, next.address)).toBe(BigInt(i) * oneCoin);
      expect(await balanceOf(api, funded[2]!.address)).toBe(before - BigInt(i) * (oneCoin + fee));
    }
    const { balance } = await api.get<{ balance: string }>(`/addresses/${next.address}/balance?mempool=false`);
    expect(balance).toBe('0');
    await mineOneBlock(api, 2, 2);
    const statuses = await Promise.all(ids.map((id) => statusOf(api, id)));
    for (const [index, status] of statuses.entries()) {
      // Children of the same block's transactions may have to wait for the next one.
      if (index === 0) expect(status).toMatchObject({ type: 'Confirmed', txIndex: 0 });
      else expect(['Confirmed', 'MemPooled']).toContain(status.type);
    }
    for (let i = 0; i < 5; i++) await mineOneBlock(api, 2, 2);
    for (const id of ids) expect(await statusOf(api, id)).toMatchObject({ type: 'Confirmed' });
  });

  it('a conflicting transaction is refused with the id of the one that spends the output', async () => {
    const { api, funded } = network;
    const destination = (coins: bigint) => [
      { address: receiver.address, attoCoinAmount: (coins * oneCoin).toString() },
    ];
    const first = await build(api, funded[3]!, destination(1n));
    const second = await build(api, funded[3]!, destination(2n));
    await submit(api, first.unsignedTx, signOffline(first, funded[3]!));
    const again = (): ReturnType<typeof api.send> =>
      api.send('POST', '/transactions/submit', {
        body: { unsignedTx: second.unsignedTx, signature: signOffline(second, funded[3]!) },
      });
    const pending = await again();
    expect([pending.status, pending.headers['x-conflicting-transaction']]).toEqual([400, first.txId]);
    await mineOneBlock(api, 3, 1);
    const mined = await again();
    expect([mined.status, mined.headers['x-conflicting-transaction']]).toEqual([400, first.txId]);
    expect(mined.headers['x-error-next']).toBe(`GET /transactions/status?txId=${first.txId}`);
    expect(await statusOf(api, second.txId)).toMatchObject({ type: 'TxNotFound' });
  });

  it('leaves books that balance', async () => {
    await checkLedger(network.api);
  });
});

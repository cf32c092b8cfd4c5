import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { describeNetwork } from '../kit/deployment-under-test.js';
import { checkLedger, type Ledger } from '../kit/ledger.js';
import { chains, groups } from '../kit/chains.js';
import { type Network, startNetwork } from '../kit/network.js';
import { balanceOf, confirmed, oneCoin, transfer } from '../kit/transfers.js';

/** Coins move from any group to any group, and not one of the smallest units is lost on the way. */
describeNetwork('transfers on all 16 chains', () => {
  let network: Network;
  /** One of each group for each sending group: number f of group t receives on chain (f, t). */
  const receivers = groups.map((to) => testKeysOfGroup(to, 4));
  const receiver = (from: number, to: number): TestKey => receivers[to]![from]!;
  const amountOf = (from: number, to: number): bigint => (10n + BigInt(from * 4 + to)) * oneCoin + 7n;

  beforeAll(async () => {
    network = await startNetwork();
  });
  afterAll(() => network?.remove());

  it.each(chains)('a transfer from group $from to group $to, which its receiver spends', async ({ from, to }) => {
    const { api, funded } = network;
    const key = receiver(from, to);
    const amount = amountOf(from, to);
    const sent = await transfer(api, funded[from]!, [{ address: key.address, attoCoinAmount: amount.toString() }]);
    expect(sent).toMatchObject({ fromGroup: from, toGroup: to });
    await confirmed(api, sent.txId, ({ toGroupConfirmations }) => toGroupConfirmations >= 1);
    expect(await balanceOf(api, key.address)).toBe(amount);

    // With a confirmation in its own group the receiver's transfer is mined at once: the submit answers, it is confirmed.
    const back = await transfer(api, key, [{ address: funded[from]!.address, attoCoinAmount: oneCoin.toString() }]);
    expect(back).toMatchObject({ fromGroup: to, toGroup: from });
    const { chainConfirmations } = await confirmed(api, back.txId);
    expect(chainConfirmations).toBeGreaterThanOrEqual(1);
    expect(await balanceOf(api, key.address)).toBe(amount - oneCoin - 20_000n * 10n ** 11n);
  });

  it('60 transfers of one key at once all succeed', async () => {
    const { api, ready, funded } = network;
    await api.put('/wallets', { password: 'many', mnemonic: ready.mnemonic, walletName: 'many' });
    const [to] = testKeysOfGroup(3, 6).slice(5) as [TestKey];
    const destinations = [{ address: to.address, amount: '1 COIN' }];
    const paid = await Promise.all(
      Array.from({ length: 60 }, () => api.post<{ txId: string }>('/wallets/many/transfer', { destinations })),
    );
    expect(new Set(paid.map(({ txId }) => txId)).size).toBe(60);
    await Promise.all(paid.map(({ txId }) => confirmed(api, txId)));
    expect(await balanceOf(api, to.address)).toBe(60n * oneCoin);
    expect(funded[0]!.group).toBe(0);
  });

  it('the balances and the burned fees are what genesis and the miners made', async () => {
    const ledger: Ledger = await checkLedger(network.api);
    expect(ledger.genesis).toBe(4n * 10n ** 24n);
    expect(ledger.burned).toBeGreaterThanOrEqual(32n * 20_000n * 10n ** 11n);
    expect(ledger.mined).toBeGreaterThan(0n);
  });
});

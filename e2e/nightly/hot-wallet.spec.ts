import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { describeNetwork } from '../kit/deployment-under-test.js';
import { type Answer } from '../kit/api-client.js';
import { type SubmittedForm } from '../kit/api-forms.js';
import { type Network, startNetwork } from '../kit/network.js';
import { balanceOf, confirmed, oneCoin, transfer } from '../kit/transfers.js';

interface AddressInfo {
  readonly address: string;
  readonly group: number;
  readonly path: string;
}

const password = 'correct horse battery staple';
/** The gas of a transfer, or of a sweep of up to three outputs, at the default price. */
const leastFee = 20_000n * 10n ** 11n;

/** protocol 07 §3 and §4, 00-decisions 24. */
describeNetwork('a hot wallet', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
  });
  afterAll(() => network?.remove());

  const { address: customer } = testKeyOfGroup(2);
  const oneToCustomer = { destinations: [{ address: customer, amount: oneCoin.toString() }] };
  const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown): Promise<Answer> =>
    network.api.send(method, `/wallets${path}`, { body });
  const newWallet = async (walletName: string, more: object = {}): Promise<string> => {
    const { mnemonic } = await network.api.post<{ mnemonic: string }>('/wallets', { password, walletName, ...more });
    return mnemonic;
  };
  const activeOf = async (name: string): Promise<string> =>
    (await network.api.get<{ activeAddress: string }>(`/wallets/${name}/addresses`)).activeAddress;
  const fundFrom = async (group: number, address: string, amount: bigint): Promise<void> => {
    const { txId } = await transfer(network.api, network.funded[group]!, [
      { address, attoCoinAmount: amount.toString() },
    ]);
    await confirmed(network.api, txId);
  };

  it('60 transfers at once all succeed, and each is paid once', async () => {
    const { api, ready } = network;
    await api.put('/wallets', { password, mnemonic: ready.mnemonic, walletName: 'hot' });
    const hot = await activeOf('hot');
    const before = [await balanceOf(api, hot), await balanceOf(api, customer)];
    const sent = await Promise.all(
      Array.from({ length: 60 }, () => api.post<SubmittedForm>('/wallets/hot/transfer', oneToCustomer)),
    );
    expect(new Set(sent.map(({ txId }) => txId)).size).toBe(60);
    await Promise.all(sent.map(({ txId }) => confirmed(api, txId)));
    expect(await balanceOf(api, customer)).toBe(before[1]! + 60n * oneCoin);
    expect(await balanceOf(api, hot)).toBe(before[0]! - 60n * (oneCoin + leastFee));
  });

  it('as many as the funds last for succeed, the others are told that there is not enough', async () => {
    const { api } = network;
    await newWallet('small');
    const small = await activeOf('small');
    await fundFrom(0, small, 10n * oneCoin + oneCoin / 2n);
    const before = await balanceOf(api, customer);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask('POST', '/small/transfer', oneToCustomer)));
    const paid = answers.filter(({ status }) => status === 200);
    expect(paid.length).toBe(10);
    for (const { status, text } of answers.filter((answer) => !paid.includes(answer))) {
      expect(status).toBe(400);
      expect(text).toMatch(/Not enough balance/);
    }
    await Promise.all(paid.map(({ text }) => confirmed(api, (JSON.parse(text) as SubmittedForm).txId)));
    expect(await balanceOf(api, customer)).toBe(before + 10n * oneCoin);
    expect(await balanceOf(api, small)).toBe(oneCoin / 2n - 10n * leastFee);
  });

  it('sweeps deposit addresses of all groups into one, to the last of the smallest units', async () => {
    const { api } = network;
    await newWallet('deposits');
    for (const group of [0, 1, 2, 3]) await api.post(`/wallets/deposits/derive-next-address?group=${group}`);
    const { addresses } = await api.get<{ addresses: string[] }>('/wallets/deposits/addresses');
    for (const [index, address] of addresses.entries())
      for (let deposit = 0; deposit < 2; deposit++) await fundFrom(index % 4, address, oneCoin + BigInt(deposit));
    await newWallet('vault');
    const vault = await activeOf('vault');
    const { results } = await api.post<{ results: SubmittedForm[] }>('/wallets/deposits/sweep-all-addresses', {
      toAddress: vault,
    });
    expect(results.length).toBe(addresses.length);
    await Promise.all(results.map(({ txId }) => confirmed(api, txId)));
    for (const address of addresses) expect(await balanceOf(api, address)).toBe(0n);
    expect(await balanceOf(api, vault)).toBe(BigInt(addresses.length) * (2n * oneCoin + 1n - leastFee));
    expect(await api.post('/wallets/deposits/sweep-all-addresses', { toAddress: vault })).toEqual({ results: [] });
    expect(await api.post('/wallets/deposits/sweep-active-address', { toAddress: vault })).toEqual({ results: [] });
  });

  it('dust at an address stops no sweep of the others, and locked coins are named', async () => {
    const { api } = network;
    await newWallet('dusted');
    const addresses = [await activeOf('dusted')];
    for (const group of [1, 2, 3])
      addresses.push((await api.post<AddressInfo>(`/wallets/dusted/derive-next-address?group=${group}`)).address);
    const [first, dusted, , last] = addresses as [string, string, string, string];
    await fundFrom(0, first, 2n * oneCoin);
    await fundFrom(1, dusted, (15n * oneCoin) / 10_000n);
    await fundFrom(3, last, 3n * oneCoin);
    const { results, skipped } = await api.post<{ results: SubmittedForm[]; skipped: { detail: string }[] }>(
      '/wallets/dusted/sweep-all-addresses',
      { toAddress: customer },
    );
    expect(results.map(({ fromGroup }) => fromGroup)).toEqual([3, results[1]!.fromGroup]);
    expect(skipped).toMatchObject([{ address: dusted, code: 'NotEnoughBalanceForFee' }]);
    await Promise.all(results.map(({ txId }) => confirmed(api, txId)));
    expect(await balanceOf(api, first)).toBe(0n);
    expect(await balanceOf(api, last)).toBe(0n);
    const again = await ask('POST', '/dusted/sweep-all-addresses', { toAddress: customer });
    expect(again.status).toBe(400);
    expect(again.text).toContain(`No address was swept. ${dusted}: Not enough balance for the fee`);
  });

  it('a sweep straight after deposits takes those that are pending too', async () => {
    const { api } = network;
    await newWallet('quick');
    const quick = await activeOf('quick');
    const { group } = await api.get<AddressInfo>(`/wallets/quick/addresses/${quick}`);
    await fundFrom(group, quick, 3n * oneCoin);
    const paid = await api.post<SubmittedForm>('/wallets/quick/transfer', oneToCustomer);
    const { results } = await api.post<{ results: SubmittedForm[] }>('/wallets/quick/sweep-active-address', {
      toAddress: customer,
    });
    await Promise.all([paid, ...results].map(({ txId }) => confirmed(api, txId)));
    expect(await balanceOf(api, quick)).toBe(0n);
  });

  it('a miner wallet has an address of each group in each set', async () => {
    const { api } = network;
    await newWallet('mine', { isMiner: true });
    const next = await api.post<AddressInfo[]>('/wallets/mine/derive-next-miner-addresses');
    const sets = await api.get<{ addresses: AddressInfo[] }[]>('/wallets/mine/miner-addresses');
    expect(sets.length).toBe(2);
    expect(sets[1]!.addresses).toEqual(next);
    for (const { addresses } of sets) expect(addresses.map(({ group }) => group)).toEqual([0, 1, 2, 3]);
    expect((await ask('GET', '/hot/miner-addresses')).status).toBe(401);
    expect((await ask('POST', '/hot/derive-next-miner-addresses')).status).toBe(401);
  });

  it('shows its words again to who has the password, locked or not', async () => {
    const { api } = network;
    const mnemonic = await newWallet('words', { mnemonicPassphrase: 'tea' });
    expect(await api.post('/wallets/words/reveal-mnemonic', { password })).toEqual({ mnemonic });
    await api.post('/wallets/words/lock');
    expect(await api.post('/wallets/words/reveal-mnemonic', { password })).toEqual({ mnemonic });
    expect(await ask('POST', '/words/reveal-mnemonic', { password: 'wrong' })).toMatchObject({
      status: 401,
      text: '{"detail":"The password is wrong. After another wrong one there is a pause of 1 s, then of twice as long each time"}',
    });
    expect(await api.get('/wallets/words')).toEqual({ walletName: 'words', locked: true });
  });

  it.each([
    '..%2Fhot',
    '..%2F..%2Fhot',
    '%2Fhot',
    'hot%00',
    '%00',
    'hot%2F..%2Fhot',
    '..%5Chot',
    'h%C3%B6t',
    '%F0%9F%94%91',
  ])('a wallet of the name %s is never there', async (name) => {
    const resource = decodeURIComponent(name);
    const before = await network.api.get('/wallets');
    const asked: ['GET' | 'POST' | 'DELETE', string, object?][] = [
      ['GET', ''],
      ['GET', '/addresses'],
      ['GET', '/balances'],
      ['GET', '/miner-addresses'],
      ['POST', '/unlock', { password }],
      ['POST', '/reveal-mnemonic', { password }],
      ['POST', '/transfer', oneToCustomer],
      ['POST', '/sweep-all-addresses', { toAddress: customer }],
      ['POST', '/derive-next-address'],
      ['DELETE', '', { password }],
    ];
    for (const [method, path, body] of asked) {
      const { status, text } = await ask(method, `/${name}${path}`, body);
      expect([method, path, status, JSON.parse(text)]).toEqual([
        method,
        path,
        404,
        { resource, detail: `There is no wallet ${JSON.stringify(resource)}: GET /wallets lists all wallets` },
      ]);
    }
    expect((await ask('POST', `/${name}/lock`)).status).toBe(200);
    expect(await ask('POST', '', { password, walletName: resource })).toMatchObject({ status: 400 });
    expect(await network.api.get('/wallets')).toEqual(before);
  });
});

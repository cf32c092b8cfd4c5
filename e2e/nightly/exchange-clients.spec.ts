import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type TestKey } from '@shardnode/testing/keys';
import { apiClient, type ApiClient } from '../kit/api-client.js';
import { type DestinationForm, type TransactionForm } from '../kit/api-forms.js';
import { describeNetwork } from '../kit/deployment-under-test.js';
import { type Account, accountsElsewhere, type Custody, nodeWallets, ownKeys } from '../kit/exchange.js';
import { checkLedger } from '../kit/ledger.js';
import { groups } from '../kit/chains.js';
import { type Network, startNetwork } from '../kit/network.js';
import { balanceOf, confirmed, oneCoin, transfer } from '../kit/transfers.js';

/** What an exchange has written down: attoCoin by address. */
class Books {
  readonly balances = new Map<string, bigint>();
  credit(address: string, amount: bigint): void {
    this.balances.set(address, (this.balances.get(address) ?? 0n) + amount);
  }
  move(from: string, to: string, amount: bigint): void {
    this.credit(from, -amount);
    this.credit(to, amount);
  }
  /** Everything that an address has. */
  moveAll(from: string, to: string): void {
    this.move(from, to, this.balances.get(from)!);
  }
}

interface Client {
  readonly index: number;
  readonly api: ApiClient;
  readonly books: Books;
  /** Pays the deposits; no other client spends from it. */
  readonly treasury: TestKey;
  readonly custody: Custody;
  readonly elsewhere: readonly Account[];
}

const oddAmount = (client: Client, wholeCoins: number, turn: number): bigint =>
  BigInt(wholeCoins) * oneCoin + BigInt(client.index * 1_000_003 + turn * 101 + 1);

const inGroup = (accounts: readonly Account[], group: number): Account[] =>
  accounts.filter((account) => account.group === group);

const destination = ({ address }: Account, amount: bigint): DestinationForm => ({
  address,
  attoCoinAmount: amount.toString(),
});

/** Looks one by one: polls of hundreds at once would be what the network is busy with. */
const allConfirmed = async ({ api }: Client, sent: readonly { readonly txId: string }[]): Promise<void> => {
  for (const { txId } of sent) await confirmed(api, txId);
};

/** The transaction as it was mined; what it burned goes off the books of the payer. */
const chargeFee = async ({ api, books }: Client, payer: string, txId: string): Promise<TransactionForm> => {
  const mined = await api.get<TransactionForm>(`/transactions/details/${txId}`);
  books.credit(payer, -BigInt(mined.unsigned.gasAmount) * BigInt(mined.unsigned.gasPrice));
  return mined;
};

const receiveDeposits = async (client: Client): Promise<void> => {
  const { api, books, treasury, custody } = client;
  const sent = [];
  for (const round of [0, 1]) {
    for (const group of groups) {
      const destinations = inGroup(custody.depositAccounts, group).map((account, position) =>
        destination(account, oddAmount(client, 1 + position, 10 * group + position + round)),
      );
      sent.push(await transfer(api, treasury, destinations));
      for (const { address, attoCoinAmount } of destinations) {
        books.move(treasury.address, address, BigInt(attoCoinAmount));
      }
    }
  }
  await allConfirmed(client, sent);
  for (const { txId } of sent) await chargeFee(client, treasury.address, txId);
};

const sweepDeposits = async (client: Client): Promise<void> => {
  const { custody, books } = client;
  const sent = await custody.sweep();
  // Two deposits to each user, one transaction.
  expect(sent).toHaveLength(custody.depositAccounts.length);
  await allConfirmed(client, sent);
  for (const { address } of custody.depositAccounts) books.moveAll(address, custody.hot);
  for (const { txId } of sent) {
    const { unsigned } = await chargeFee(client, custody.hot, txId);
    expect([unsigned.inputs.length, unsigned.fixedOutputs.map(({ address }) => address)]).toEqual([2, [custody.hot]]);
  }
};

const payWithdrawals = async (client: Client): Promise<void> => {
  const { custody, books, elsewhere } = client;
  const lists = groups.flatMap((group) => {
    const all = inGroup(elsewhere, group).map((account, position) =>
      destination(account, oddAmount(client, 1 + (position % 5), 10 * group + position)),
    );
    return [all.slice(0, 5), all.slice(5)];
  });
  const sent = await custody.withdraw(lists);
  await allConfirmed(client, sent);
  for (const { address, attoCoinAmount } of lists.flat()) books.move(custody.hot, address, BigInt(attoCoinAmount));
  for (const { txId, chosen } of sent) {
    const { unsigned } = await chargeFee(client, custody.hot, txId);
    if (chosen) expect(unsigned.inputs.map(({ outputRef }) => outputRef)).toEqual(chosen);
  }
};

/** Clients of one network that know nothing of each other. */
describeNetwork('four exchanges with 40 users each', () => {
  let network: Network;
  let clients: readonly Client[];
  beforeAll(async () => {
    network = await startNetwork();
    clients = await Promise.all(
      groups.map(async (index) => {
        const api = apiClient(() => network.deployment.baseUrl, 16);
        const custody = index === 3 ? await nodeWallets(api, 'exchange') : ownKeys(api, index);
        const treasury = network.funded[index]!;
        const books = new Books();
        books.credit(treasury.address, await balanceOf(api, treasury.address));
        return { index, api, books, treasury, custody, elsewhere: accountsElsewhere(index) };
      }),
    );
  });
  afterAll(async () => {
    clients?.forEach(({ api }) => api.close());
    await network?.remove();
  });

  const compareBooks = async (): Promise<void> => {
    for (const { api, books } of clients) {
      const shown = await Promise.all(
        [...books.balances.keys()].map(async (address) => [address, await balanceOf(api, address)] as const),
      );
      expect(new Map(shown)).toEqual(books.balances);
    }
  };

  it('have deposit addresses of their own in all groups', () => {
    for (const { custody } of clients) {
      expect(groups.map((group) => inGroup(custody.depositAccounts, group).length)).toEqual([10, 10, 10, 10]);
    }
    const addresses = clients.flatMap(({ custody, elsewhere }) => [
      custody.hot,
      ...[...custody.depositAccounts, ...elsewhere].map(({ address }) => address),
    ]);
    expect(new Set(addresses).size).toBe(4 * 81);
  });

  it('receive deposits, sweep them into their hot wallets and pay withdrawals, all at the same time', async () => {
    await Promise.all(
      clients.map(async (client) => {
        await receiveDeposits(client);
        await sweepDeposits(client);
        await payWithdrawals(client);
      }),
    );
  });

  it('have on every address what their own books say, to the last of the smallest units', async () => {
    for (const { books, custody } of clients) {
      expect(books.balances.size).toBe(82);
      for (const { address } of custody.depositAccounts) expect(books.balances.get(address)).toBe(0n);
    }
    await compareBooks();
  });

  it('have it still after a restart, and the whole ledger balances', async () => {
    // No blocks from here on: hundreds of addresses are compared while the chains stand still.
    await network.deployment.restart({ MINING: 'off' });
    await compareBooks();
    const { balances } = await checkLedger(network.api);
    for (const { books } of clients) {
      for (const [address, balance] of books.balances) expect(balances.get(address)).toBe(balance);
    }
  });
});

import { bytesToHex } from '@shardnode/protocol/encoding';
import { type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { type ApiClient } from './api-client.js';
import {
  type BuiltForm,
  type DestinationForm,
  type OutputRef,
  type SubmittedForm,
  type UtxosForm,
} from './api-forms.js';
import { groups } from './chains.js';
import { build, oneCoin, signOffline, submit } from './transfers.js';

export interface Account {
  readonly address: string;
  readonly group: number;
}

/** A withdrawal that was sent, and the outputs that it had to spend if the exchange chose them. */
interface Withdrawal extends SubmittedForm {
  readonly chosen?: readonly OutputRef[];
}

/** Where an exchange keeps the keys of its users' deposit addresses and of its hot wallet. */
export interface Custody {
  readonly hot: string;
  readonly depositAccounts: readonly Account[];
  /** Everything from all deposit addresses to the hot wallet. */
  sweep(): Promise<readonly SubmittedForm[]>;
  /** A transaction for each list of destinations; the receivers of one list are of one group. */
  withdraw(lists: readonly (readonly DestinationForm[])[]): Promise<readonly Withdrawal[]>;
}

/** Keys `first` to `first + count` of each group, group by group. */
const keysOfAllGroups = (first: number, count: number): readonly TestKey[] =>
  groups.flatMap((group) => testKeysOfGroup(group, first + count).slice(first));

/** Keys that each exchange has of each group: users' deposit addresses, as many accounts elsewhere, and one. */
const keysPerGroup = 21;
const usersPerGroup = 10;

/** The accounts elsewhere that users of exchange number `index` withdraw to. */
export const accountsElsewhere = (index: number): readonly Account[] =>
  keysOfAllGroups(index * keysPerGroup + usersPerGroup, usersPerGroup);

const chooseOutputs = async (api: ApiClient, address: string, enough: bigint): Promise<readonly OutputRef[]> => {
  const { utxos } = await api.get<UtxosForm>(`/addresses/${address}/utxos`);
  const chosen: OutputRef[] = [];
  let sum = 0n;
  for (const { ref, amount } of utxos) {
    if (sum >= enough) break;
    chosen.push(ref);
    sum += BigInt(amount);
  }
  return chosen;
};

const total = (destinations: readonly DestinationForm[]): bigint =>
  destinations.reduce((sum, { attoCoinAmount }) => sum + BigInt(attoCoinAmount), 0n);

/** Keys that the node never sees; every second withdrawal spends outputs of the exchange's own choice. */
export const ownKeys = (api: ApiClient, index: number): Custody => {
  const depositKeys = keysOfAllGroups(index * keysPerGroup, usersPerGroup);
  const hotKey = testKeysOfGroup(index, (index + 1) * keysPerGroup).at(-1)!;
  const sweepOne = async (key: TestKey): Promise<SubmittedForm[]> => {
    const swept = await api.post<{ unsignedTxs: BuiltForm[] }>('/transactions/sweep-address/build', {
      fromPublicKey: bytesToHex(key.publicKey),
      toAddress: hotKey.address,
    });
    return Promise.all(swept.unsignedTxs.map((each) => submit(api, each.unsignedTx, signOffline(each, key))));
  };
  return {
    hot: hotKey.address,
    depositAccounts: depositKeys,
    sweep: async () => (await Promise.all(depositKeys.map(sweepOne))).flat(),
    withdraw: async (lists) => {
      const sent: Withdrawal[] = [];
      // One after the other: two builds at once may take the same outputs.
      for (const [position, destinations] of lists.entries()) {
        const enough = total(destinations) + oneCoin;
        const chosen = position % 2 === 0 ? undefined : await chooseOutputs(api, hotKey.address, enough);
        const built = await build(api, hotKey, destinations, chosen);
        sent.push({
          ...(await submit(api, built.unsignedTx, signOffline(built, hotKey))),
          ...(chosen === undefined ? {} : { chosen }),
        });
      }
      return sent;
    },
  };
};

/** Two wallets of the node: one with all deposit addresses, a hot one whose withdrawals are all sent at once. */
export const nodeWallets = async (api: ApiClient, name: string): Promise<Custody> => {
  const password = `${name}: correct horse battery staple`;
  const [deposits, hotWallet] = [`${name}-deposits`, `${name}-hot`];
  for (const walletName of [deposits, hotWallet]) await api.post('/wallets', { password, walletName });
  const depositAccounts: Account[] = [];
  for (const group of groups) {
    for (let user = 0; user < usersPerGroup; user++) {
      depositAccounts.push(await api.post<Account>(`/wallets/${deposits}/derive-next-address?group=${group}`));
    }
  }
  const { activeAddress: hot } = await api.get<{ activeAddress: string }>(`/wallets/${hotWallet}/addresses`);
  return {
    hot,
    depositAccounts,
    sweep: async () => {
      const path = `/wallets/${deposits}/sweep-all-addresses`;
      return (await api.post<{ results: SubmittedForm[] }>(path, { toAddress: hot })).results;
    },
    withdraw: (lists) =>
      Promise.all(
        lists.map((destinations) => api.post<SubmittedForm>(`/wallets/${hotWallet}/transfer`, { destinations })),
      ),
  };
};

import { addressOf } from '@shardnode/protocol/address';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { type AssetLockupScript, groupOfLockupScript } from '@shardnode/protocol/primitives';
import { type Account } from './announcement.js';
import { developmentPrivateKeys } from './development-accounts.js';
import { type OwnApi } from './own-api.js';

/** A genesis may pay hundreds of thousands of times; the announcement shows some accounts. */
const mostShown = 16;

/** An account whose balance is not read yet. */
export type FundedAccount = Omit<Account, 'balance'>;

/** The first addresses that the genesis blocks pay to, by group; with their private keys where these are public. */
export const fundedAccounts = (network: NetworkSettings): FundedAccount[] => {
  const funded = new Map<string, AssetLockupScript>();
  for (const { lockupScript } of network.allocations) {
    if (funded.size < mostShown) funded.set(addressOf(lockupScript), lockupScript);
  }
  return [...funded]
    .map(([address, lockupScript]) => ({ address, group: groupOfLockupScript(lockupScript, network.groups) }))
    .sort((a, b) => a.group - b.group)
    .map((account) =>
      network === developmentNetwork
        ? { ...account, privateKey: developmentPrivateKeys[account.group as 0 | 1 | 2 | 3] }
        : account,
    );
};

/** With the present balances from the API. */
export const withBalances = (accounts: readonly FundedAccount[], api: OwnApi): Promise<Account[]> =>
  Promise.all(
    accounts.map(async ({ address, group, ...more }) => {
      const { balanceHint = 'unknown' } = (await api.get(`/addresses/${address}/balance`)) as {
        balanceHint?: string;
      };
      return { address, group, balance: balanceHint, ...more };
    }),
  );

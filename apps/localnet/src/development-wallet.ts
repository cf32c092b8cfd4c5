import { developmentMnemonic } from './development-accounts.js';
import { type Account } from './announcement.js';
import { type OwnApi } from './own-api.js';

/** The wallet of the funded accounts of the development network, with which a newcomer can pay at once. */
export const developmentWallet = { name: 'dev', password: 'dev' } as const;

const { name, password } = developmentWallet;
const path = `/wallets/${name}`;

/** Restores it with the addresses of all funded accounts; the first one is active. */
const restore = async (api: OwnApi, accounts: readonly Pick<Account, 'address'>[]): Promise<boolean> => {
  const wanted = { walletName: name, password, mnemonic: developmentMnemonic };
  if ((await api.ask('PUT', '/wallets', wanted)).status !== 200) return false;
  for (let derived = 1; derived < accounts.length; derived++) await api.ask('POST', `${path}/derive-next-address`);
  await api.ask('POST', `${path}/change-active-address`, { address: accounts[0]!.address });
  return true;
};

/**
 * Unlocks the wallet, or restores it where it is not there yet. False when it cannot be had: somebody has made a wallet of that
 * name with another password, which stays as it is.
 */
export const openDevelopmentWallet = async (
  api: OwnApi,
  accounts: readonly Pick<Account, 'address'>[],
): Promise<boolean> => {
  const { status } = await api.ask('POST', `${path}/unlock`, { password });
  return status === 404 ? restore(api, accounts) : status === 200;
};

import { type DevelopmentAccount } from '@shardnode/explorer';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { fundedAccounts } from './accounts.js';
import { mayHaveDevelopmentWallet } from './development-wallet.js';

/** Whether the page of the explorer has development tools: where anybody on this machine may use the wallet, and no key is wanted for it. */
export const mayHaveDevelopmentTools = (
  network: NetworkSettings,
  settings: Parameters<typeof mayHaveDevelopmentWallet>[1] & { readonly API_KEY: string | undefined },
): boolean => mayHaveDevelopmentWallet(network, settings) && settings.API_KEY === undefined;

/** The accounts that the page names, by their groups; without their keys. */
export const developmentAccountsOf = (network: NetworkSettings): DevelopmentAccount[] =>
  fundedAccounts(network).map(({ address, group }) => ({ name: `dev ${group}`, address, group }));

import { type DevelopmentTools } from '@shardnode/explorer';
import { type Gateway } from '@shardnode/gateway';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { fundedAccounts } from './accounts.js';
import { type DevelopmentWallet, mayHaveDevelopmentWallet } from './development-wallet.js';

/** Whether the page of the explorer has them: where anybody on this machine may use the wallet, and no key is wanted for it. */
export const mayHaveDevelopmentTools = (
  network: NetworkSettings,
  settings: Parameters<typeof mayHaveDevelopmentWallet>[1] & { readonly API_KEY: string | undefined },
): boolean => mayHaveDevelopmentWallet(network, settings) && settings.API_KEY === undefined;

/** What the explorer's page offers to the person whose network this is: accounts by their groups, and names of sources. */
export const developmentToolsOf = (
  network: NetworkSettings,
  wallet: Pick<DevelopmentWallet, 'sendTestPayment'>,
  { compiledNames }: Pick<Gateway, 'compiledNames'>,
): DevelopmentTools => ({
  accounts: fundedAccounts(network).map(({ address, group }) => ({ name: `dev ${group}`, address, group })),
  sendTestPayment: wallet.sendTestPayment,
  contractOf: (codeHash) => compiledNames.ofCode(codeHash),
  codesNamed: async (text) => compiledNames.named(text),
  failureNames: (failure) => compiledNames.ofFailure(failure),
});

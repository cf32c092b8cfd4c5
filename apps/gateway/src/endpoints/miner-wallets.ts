import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { walletEndpoint, walletPath } from './wallet-endpoint.js';

/** Protocol 07 §4.17 to §4.19. */
export const minerWalletEndpoints = ({ requests, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      ...walletEndpoint,
      method: 'GET',
      path: '/wallets/{wallet_name}/miner-addresses',
      summary: 'Addresses of a miner wallet, set by set',
      description: 'A set has one address of each group, in the order of the groups.',
      params: walletPath(),
      answer: answers.wallet.minerSets,
      codes: ['WalletNotFound', 'WalletLocked', 'MinerWalletNeeded'],
    },
    (plan) =>
      plan.wallet('miner-addresses', {
        payload: ({ params }) => ({ walletName: params.wallet_name }),
        form: ({ sets }) => sets.map(({ addresses }) => ({ addresses: [...addresses] })),
      }),
  ),
  endpoint(
    {
      ...walletEndpoint,
      method: 'POST',
      path: '/wallets/{wallet_name}/derive-next-miner-addresses',
      summary: 'Derive the next set of addresses of a miner wallet',
      description: 'The active address stays the same.',
      params: walletPath(),
      answer: answers.wallet.minerSet,
      codes: ['WalletNotFound', 'WalletLocked', 'MinerWalletNeeded'],
    },
    (plan) =>
      plan.wallet('derive-next-miner-addresses', {
        payload: ({ params }) => ({ walletName: params.wallet_name }),
        form: ({ addresses }) => [...addresses],
      }),
  ),
  endpoint(
    {
      ...walletEndpoint,
      method: 'POST',
      path: '/wallets/{wallet_name}/reveal-mnemonic',
      summary: 'Show the words of a wallet again',
      description: 'Works on a locked wallet. The passphrase of the mnemonic, if it has one, is not shown.',
      params: walletPath(),
      body: requests.wallet.reveal,
      answer: answers.wallet.revealed,
      codes: ['WalletNotFound', 'InvalidPassword', 'TooManyWrongPasswords', 'TooManyPasswordChecks'],
    },
    (plan) =>
      plan.wallet('reveal-mnemonic', {
        payload: ({ params, body: { password } }) => ({ walletName: params.wallet_name, password }),
        form: ({ mnemonic }) => ({ mnemonic }),
      }),
  ),
];

import {
  assetAddress,
  buildingRefusals,
  groupIndex,
  optional,
  required,
  intakeRefusals,
  validationRefusals,
  walletBalancesForm,
} from '@shardnode/http';
import { endpoint, type Endpoint } from '../endpoint/endpoint.js';
import { type Edge } from '../endpoint/edge.js';
import { path, query } from '../endpoint/parameters.js';
import { walletEndpoint, walletName, walletPath } from './wallet-endpoint.js';

const nothing = (): void => undefined;

const newWallets = ({ requests, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      ...walletEndpoint,
      method: 'POST',
      path: '/wallets',
      summary: 'Create a wallet',
      description: 'Answers the words of the wallet: keep them, and keep them secret.',
      body: requests.wallet.create,
      answer: answers.wallet.created,
      codes: ['WalletExists', 'InvalidWalletName', 'InvalidMnemonicSize', 'TooManyPasswordChecks'],
    },
    (plan) =>
      plan.wallet('create', {
        payload: ({ body: { mnemonicPassphrase: passphrase, ...body } }) => ({ ...body, passphrase }),
        form: ({ walletName: name, mnemonic }) => ({ walletName: name, mnemonic }),
      }),
  ),
  endpoint(
    {
      ...walletEndpoint,
      method: 'PUT',
      path: '/wallets',
      summary: 'Restore a wallet from its words',
      description:
        'For a wallet that was deleted, or whose password is forgotten. Where a wallet of that name and mnemonic exists, it gets the new password and is unlocked; its addresses stay, and waiting times after wrong passwords end. Where the name belongs to another wallet, nothing changes and the answer is 409.',
      body: requests.wallet.restore,
      answer: answers.wallet.restored,
      codes: ['WalletExists', 'InvalidWalletName', 'InvalidMnemonic', 'TooManyPasswordChecks'],
    },
    (plan) =>
      plan.wallet('restore', {
        payload: ({ body: { mnemonicPassphrase: passphrase, ...body } }) => ({ ...body, passphrase }),
        form: ({ walletName: name }) => ({ walletName: name }),
      }),
  ),
];

const walletsThatAre = ({ requests, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      ...walletEndpoint,
      method: 'GET',
      path: '/wallets',
      summary: 'All wallets, by name',
      answer: answers.wallet.list,
    },
    (plan) => plan.wallet('list', { payload: () => ({}), form: ({ wallets }) => wallets.map(walletStatus) }),
  ),
  endpoint(
    {
      ...walletEndpoint,
      method: 'GET',
      path: '/wallets/{wallet_name}',
      summary: 'Whether a wallet is locked',
      params: walletPath(),
      answer: answers.wallet.status,
      codes: ['WalletNotFound'],
    },
    (plan) => plan.wallet('get', { payload: ({ params }) => ({ walletName: params.wallet_name }), form: walletStatus }),
  ),
  endpoint(
    {
      ...walletEndpoint,
      method: 'DELETE',
      path: '/wallets/{wallet_name}',
      summary: 'Delete a wallet',
      params: walletPath(),
      body: requests.wallet.delete,
      codes: ['WalletNotFound', 'InvalidPassword', 'TooManyWrongPasswords', 'TooManyPasswordChecks'],
    },
    (plan) =>
      plan.wallet('delete', {
        payload: ({ params, body: { password } }) => ({ walletName: params.wallet_name, password }),
        form: nothing,
      }),
  ),
];

const walletStatus = ({ walletName: name, locked }: { readonly walletName: string; readonly locked: boolean }) => ({
  walletName: name,
  locked,
});

const locking = ({ requests }: Edge): Endpoint[] => [
  endpoint(
    {
      ...walletEndpoint,
      method: 'POST',
      path: '/wallets/{wallet_name}/lock',
      summary: 'Lock a wallet',
      params: walletPath(),
      codes: ['WalletNotFound'],
    },
    (plan) => plan.wallet('lock', { payload: ({ params }) => ({ walletName: params.wallet_name }), form: nothing }),
  ),
  endpoint(
    {
      ...walletEndpoint,
      method: 'POST',
      path: '/wallets/{wallet_name}/unlock',
      summary: 'Unlock a wallet',
      params: walletPath(),
      body: requests.wallet.unlock,
      codes: [
        'WalletNotFound',
        'InvalidPassword',
        'InvalidPassphrase',
        'TooManyWrongPasswords',
        'TooManyPasswordChecks',
      ],
    },
    (plan) =>
      plan.wallet('unlock', {
        payload: ({ params, body: { password, mnemonicPassphrase: passphrase } }) => ({
          walletName: params.wallet_name,
          password,
          passphrase,
        }),
        form: nothing,
      }),
  ),
];

const addressesOfWallets = ({ answers, profile }: Edge): Endpoint[] => [
  endpoint(
    {
      ...walletEndpoint,
      method: 'GET',
      path: '/wallets/{wallet_name}/addresses',
      summary: 'Addresses of a wallet',
      params: walletPath(),
      answer: answers.wallet.addresses,
      codes: ['WalletNotFound', 'WalletLocked'],
    },
    (plan) =>
      plan.wallet('addresses', {
        payload: ({ params }) => ({ walletName: params.wallet_name }),
        form: ({ activeAddress, addresses }) => ({
          activeAddress,
          addresses: profile.walletAddresses === 'infos' ? [...addresses] : addresses.map(({ address }) => address),
        }),
      }),
  ),
  endpoint(
    {
      ...walletEndpoint,
      method: 'GET',
      path: '/wallets/{wallet_name}/addresses/{address}',
      summary: 'Public key, group and path of an address',
      params: path({ wallet_name: walletName(), address: required(assetAddress) }),
      answer: answers.wallet.addressInfo,
      codes: ['WalletNotFound', 'WalletLocked', 'UnknownAddress'],
    },
    (plan) =>
      plan.wallet('address-info', {
        payload: ({ params }) => ({ walletName: params.wallet_name, address: params.address.text }),
        form: (info) => info,
      }),
  ),
];

const choosingAddresses = ({ network: { groups }, requests, answers }: Edge): Endpoint[] => [
  endpoint(
    {
      ...walletEndpoint,
      method: 'POST',
      path: '/wallets/{wallet_name}/change-active-address',
      summary: 'Choose the address that signs and sends',
      params: walletPath(),
      body: requests.wallet.changeActiveAddress,
      codes: ['WalletNotFound', 'WalletLocked', 'UnknownAddress'],
    },
    (plan) =>
      plan.wallet('change-active-address', {
        payload: ({ params, body }) => ({ walletName: params.wallet_name, address: body.address.text }),
        form: nothing,
      }),
  ),
  endpoint(
    {
      ...walletEndpoint,
      method: 'POST',
      path: '/wallets/{wallet_name}/derive-next-address',
      summary: 'Derive the next address; it becomes the active one',
      params: walletPath(),
      query: query({ group: optional(groupIndex(groups, 'Derive until an address of this group appears')) }),
      answer: answers.wallet.addressInfo,
      codes: ['WalletNotFound', 'WalletLocked', 'MinerWalletNeeded'],
    },
    (plan) =>
      plan.wallet('derive-next-address', {
        payload: ({ params, query: { group } }) => ({ walletName: params.wallet_name, group }),
        form: (info) => info,
      }),
  ),
];

const spending = ({ requests, answers, profile, brand }: Edge): Endpoint[] => [
  endpoint(
    {
      ...walletEndpoint,
      method: 'GET',
      path: '/wallets/{wallet_name}/balances',
      summary: 'Balances of all addresses of a wallet',
      params: walletPath(),
      answer: answers.wallet.balances,
      codes: ['WalletNotFound', 'WalletLocked'],
    },
    (plan) =>
      plan.wallet('balances', {
        payload: ({ params }) => ({ walletName: params.wallet_name }),
        form: (reply) => walletBalancesForm(reply, brand, profile.walletBalances),
      }),
  ),
  endpoint(
    {
      ...walletEndpoint,
      method: 'POST',
      path: '/wallets/{wallet_name}/sign',
      summary: 'Sign the id of a transaction with the active address',
      params: walletPath(),
      body: requests.wallet.sign,
      answer: answers.wallet.signature,
      codes: ['WalletNotFound', 'WalletLocked'],
    },
    (plan) =>
      plan.wallet('sign', {
        payload: ({ params, body: { data } }) => ({ walletName: params.wallet_name, data }),
        form: ({ signature }) => ({ signature }),
      }),
  ),
  endpoint(
    {
      ...walletEndpoint,
      method: 'POST',
      path: '/wallets/{wallet_name}/transfer',
      summary: 'Build, sign and submit a transfer from the active address',
      params: walletPath(),
      body: requests.wallet.transfer,
      answer: answers.submitted,
      codes: ['WalletNotFound', 'WalletLocked', ...buildingRefusals, ...validationRefusals, ...intakeRefusals],
    },
    (plan) =>
      plan.wallet('transfer', {
        payload: ({ params, body: { destinations, gas, gasPrice } }) => ({
          walletName: params.wallet_name,
          destinations,
          gasAmount: gas,
          gasPrice: gasPrice?.toString(),
          gasFormula: profile.gasFormula,
          unminable: profile.unminable,
        }),
        form: ({ txId, fromGroup, toGroup }) => ({ txId, fromGroup, toGroup }),
      }),
  ),
];

/** Protocol 07 §4, without sweeps and what is only of miner wallets. */
export const walletEndpoints = (edge: Edge): Endpoint[] => [
  ...newWallets(edge),
  ...walletsThatAre(edge),
  ...locking(edge),
  ...addressesOfWallets(edge),
  ...choosingAddresses(edge),
  ...spending(edge),
];

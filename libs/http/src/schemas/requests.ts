import { type Brand } from '../brand/brand.js';
import {
  blockHashText,
  hash,
  hexText,
  publicKey,
  senderPublicKey,
  signature,
  transactionIdText,
  transactionText,
} from './bytes.js';
import { fields, list, optional, required } from './leaf.js';
import { wholeNumber } from './numbers.js';
import { contractRequests } from './requests/contracts.js';
import { scriptRequests } from './requests/script-transactions.js';
import { minerRequests } from './requests/miners.js';
import { peerRequests } from './requests/peers.js';
import { walletMoreRequests } from './requests/wallets.js';
import { manySendersRequests } from './requests/many-senders.js';
import { destinations, gasGiven, gasPrice, outputsToSpend } from './requests/spending.js';
import { sweepRequests } from './requests/sweeps.js';
import { assetAddress, choice, flag, secretText, text } from './texts.js';

const transactionRequests = (brand: Brand) => ({
  build: fields(
    {
      fromPublicKey: required(senderPublicKey),
      fromPublicKeyType: optional(choice(['default', 'bip340-schnorr'], 'Kind of key; default: default')),
      destinations: destinations(brand, 'atto'),
      utxos: outputsToSpend(),
      gasAmount: gasGiven(),
      gasPrice: gasPrice(),
      targetBlockHash: optional(blockHashText, { description: 'Build on the state that this block depends on' }),
    },
    { description: 'Transfer of one key', id: 'BuildTransaction' },
  ),
  submit: fields(
    { unsignedTx: required(transactionText), signature: required(signature) },
    { description: 'Signed transaction', id: 'SubmitTransaction' },
  ),
  decode: fields(
    { unsignedTx: required(transactionText) },
    { description: 'Transaction to decode', id: 'DecodeUnsignedTx' },
  ),
  multisigAddress: fields(
    {
      keys: list(required(publicKey), 'public keys', {
        description: 'Public keys; their order is part of the address',
        most: 64,
      }),
      mrequired: required(wholeNumber(-(2 ** 31), 2 ** 31 - 1, 'How many of them must sign', 2)),
    },
    { description: 'm of n keys', id: 'BuildMultisigAddress' },
  ),
  multisigBuild: fields(
    {
      fromAddress: required(assetAddress, { description: 'The multisig address' }),
      fromPublicKeys: list(required(publicKey), 'public keys', {
        description: 'The m keys that will sign, in the order in which the address was made',
        most: 64,
      }),
      destinations: destinations(brand, 'amount'),
      gas: gasGiven(),
      gasPrice: gasPrice(),
    },
    { description: 'Transfer from a multisig address', id: 'BuildMultisig' },
  ),
  multisigSubmit: fields(
    {
      unsignedTx: required(transactionText),
      signatures: list(required(signature), 'signatures', {
        description: 'm signatures in the order of the public keys',
        most: 64,
      }),
    },
    { description: 'Transaction with its signatures', id: 'SubmitMultisig' },
  ),
});

const utilityRequests = () => ({
  verifySignature: fields(
    {
      data: required(hexText, { description: 'What was signed, 32 bytes', example: transactionIdText.meaning.example }),
      signature: required(signature),
      publicKey: required(publicKey),
    },
    { description: 'Signature to verify', id: 'VerifySignature' },
  ),
  targetToHashrate: fields(
    { target: required(hexText, { description: 'Target in compact form, 4 bytes', example: '1b032b55' }) },
    { description: 'Target', id: 'TargetToHashrate' },
  ),
});

const password = () => required(secretText('Password of the wallet'));
const passphrase = () => optional(secretText('Passphrase of the mnemonic, if it has one'));
const mnemonicSizes = [12, 15, 18, 21, 24];

const walletRequests = (brand: Brand) => ({
  create: fields(
    {
      password: password(),
      walletName: required(text('Name of the wallet: letters, digits, _ and -', 'exchange-hot-1')),
      isMiner: optional(flag('Whether it is for mining rewards: an address in every group', false)),
      mnemonicPassphrase: passphrase(),
      mnemonicSize: optional({
        ...wholeNumber(12, 24, 'Number of words; default 24', 24),
        expects: `one of ${mnemonicSizes.join(', ')}`,
        read: (raw) => mnemonicSizes.find((size) => size === raw || String(size) === raw),
      }),
    },
    { description: 'New wallet', id: 'WalletCreation' },
  ),
  restore: fields(
    {
      password: required(secretText('New password of the wallet')),
      mnemonic: required(secretText('The words of the wallet, separated by spaces')),
      walletName: optional(
        text('Name of the wallet; default: a new one, wallet- and 8 hexadecimal digits', 'exchange-hot-1'),
      ),
      isMiner: optional(
        flag('Whether it is for mining rewards; default: as the wallet of that name is, or false', false),
      ),
      mnemonicPassphrase: passphrase(),
    },
    { description: 'Wallet to restore', id: 'WalletRestore' },
  ),
  unlock: fields(
    { password: password(), mnemonicPassphrase: passphrase() },
    { description: 'Password', id: 'WalletUnlock' },
  ),
  delete: fields({ password: password() }, { description: 'Password', id: 'WalletDeletion' }),
  transfer: fields(
    { destinations: destinations(brand, 'amount'), gas: gasGiven(), gasPrice: gasPrice() },
    { description: 'Transfer from the active address', id: 'Transfer' },
  ),
  sign: fields(
    {
      data: required(hash, {
        description: 'Id of the transaction to sign',
        example: transactionIdText.meaning.example,
      }),
    },
    { description: 'What to sign', id: 'Sign' },
  ),
  changeActiveAddress: fields(
    { address: required(assetAddress) },
    { description: 'Address of the wallet', id: 'ChangeActiveAddress' },
  ),
});

export const createRequestSchemas = (brand: Brand) => ({
  ...transactionRequests(brand),
  ...sweepRequests(brand),
  ...manySendersRequests(brand),
  ...scriptRequests(brand),
  ...contractRequests(brand),
  ...utilityRequests(),
  miners: minerRequests(),
  peers: peerRequests(),
  wallet: { ...walletRequests(brand), ...walletMoreRequests() },
});

export type RequestSchemas = ReturnType<typeof createRequestSchemas>;

import { z } from 'zod';
import { type DestinationItem } from '@shardnode/messages';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { lockupScriptCodec, type LockupScript } from '@shardnode/protocol/primitives';
import { attoAmountField, type Brand } from '../brand/brand.js';
import { blockHashText, hash, hexText, publicKey, signature, tokenIdText, transactionText } from './bytes.js';
import { fields, list, meanings, optional, optionalList, required } from './leaf.js';
import { amount, gas, hint, timestamp, uint256, wholeNumber } from './numbers.js';
import { walletMoreRequests } from './requests/wallets.js';
import { assetAddress, choice, flag, secretText, text } from './texts.js';

/** A lockup script as services tell it to each other. */
export const scriptHex = (lockupScript: LockupScript): string => bytesToHex(encode(lockupScriptCodec, lockupScript));

type AmountName = 'amount' | 'atto';

/**
 * Where coins go, as services tell it to each other. Both names of the amount are read everywhere, one of the two
 * (protocol 07 §1.7); `usual` is the one that an error names when both are absent.
 */
const destination = (brand: Brand, usual: AmountName) => {
  const attoName = attoAmountField(brand);
  const usualName = usual === 'amount' ? 'amount' : attoName;
  const anyAmount = () => optional(amount(brand));
  const fixed = {
    address: required(assetAddress),
    amount: anyAmount(),
    tokens: optionalList(
      fields(
        { id: required(tokenIdText), amount: required(uint256) },
        { description: 'Amount of a token', id: 'TokenAmount' },
      ),
      'tokens',
    ),
    lockTime: optional(timestamp, { description: 'When the receiver may spend it, milliseconds since 1970' }),
    message: optional(hexText, { description: 'Data of the output, hexadecimal' }),
  };
  // The second name of the amount depends on the brand, which types cannot tell.
  return fields({ ...fixed, [attoName]: anyAmount() } as typeof fixed, {
    description: `Where coins go: exactly one of amount and ${attoName}`,
  })
    .transform((read, context): DestinationItem => {
      const atto = (read as Record<string, unknown>)[attoName] as bigint | undefined;
      if ((atto === undefined) === (read.amount === undefined)) {
        const message =
          atto === undefined
            ? `missing keys in dictionary: ${usualName}`
            : `Invalid amount: both amount and ${attoName} are given`;
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
      return {
        lockupScript: scriptHex(read.address.lockupScript),
        amount: (atto ?? read.amount)!.toString(),
        tokens: (read.tokens ?? []).map((token) => ({ id: token.id, amount: token.amount.toString() })),
        ...(read.lockTime === undefined ? {} : { lockTime: read.lockTime.toString() }),
        ...(read.message === undefined ? {} : { message: read.message }),
      };
    })
    .register(meanings, {
      description: `Where coins go: exactly one of amount and ${attoName}`,
      id: usual === 'amount' ? 'DestinationOfAmount' : 'Destination',
    });
};

const destinations = (brand: Brand, usual: AmountName) =>
  list(destination(brand, usual), 'destinations, all in one group');
const gasPrice = () => optional(uint256, { description: 'Smallest units per unit of gas; default 100000000000' });
const gasGiven = () => optional(gas, { description: 'Units of gas; default: estimated' });

const transactionRequests = (brand: Brand) => ({
  build: fields(
    {
      fromPublicKey: required(hexText, { description: 'Public key of the sender: 33 bytes (32 for bip340-schnorr)' }),
      fromPublicKeyType: optional(choice(['default', 'bip340-schnorr'], 'Kind of key; default: default')),
      destinations: destinations(brand, 'atto'),
      utxos: optionalList(
        fields(
          { hint: required(hint), key: required(hash) },
          { description: 'Names an output to spend', id: 'UtxoToSpend' },
        ),
        'outputs to spend',
        { description: 'Outputs to spend; default: chosen by the node' },
      ),
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
      }),
    },
    { description: 'Transaction with its signatures', id: 'SubmitMultisig' },
  ),
});

const utilityRequests = () => ({
  verifySignature: fields(
    {
      data: required(hexText, { description: 'What was signed, 32 bytes' }),
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
      walletName: optional(text('Name of the wallet; default: wallet- and 8 hexadecimal digits', 'exchange-hot-1')),
      isMiner: optional(flag('Whether it is for mining rewards', false)),
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
    { data: required(hash, { description: 'Id of the transaction to sign' }) },
    { description: 'What to sign', id: 'Sign' },
  ),
  changeActiveAddress: fields(
    { address: required(assetAddress) },
    { description: 'Address of the wallet', id: 'ChangeActiveAddress' },
  ),
});

export const createRequestSchemas = (brand: Brand) => ({
  ...transactionRequests(brand),
  ...utilityRequests(),
  wallet: { ...walletRequests(brand), ...walletMoreRequests() },
});

export type RequestSchemas = ReturnType<typeof createRequestSchemas>;

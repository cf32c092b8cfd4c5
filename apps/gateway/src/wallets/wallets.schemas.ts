import { z } from 'zod';
import {
  address,
  assetAddress,
  attoCoins,
  fields,
  flag,
  flagAnswer,
  groupIndex,
  hash,
  list,
  meanings,
  newSecretText,
  numberOf,
  optional,
  plainText,
  publicKeyText,
  required,
  secretText,
  signatureText,
  text,
  textOf,
  time,
  transactionIdText,
  uint256,
  wholeNumber,
} from '@shardnode/http';
import { textLengths } from '@shardnode/messages';
import { amountHintText } from '../addresses/addresses.schemas.js';
import { parametersOf } from '../operations/parameters.js';
import {
  DestinationsOfAmount,
  gasGiven,
  gasPrice,
  SubmitResult,
  sweepFields,
} from '../transactions/transactions.schemas.js';

/* Parameters. */

/** A name that is not allowed is a wallet that does not exist: the wallet-service reports it (protocol 07 §3.1). */
const walletName = required(text('Name of the wallet', 'exchange-hot-1', textLengths.walletName));
export const WalletPath = parametersOf({ wallet_name: walletName });
export const WalletAddressPath = parametersOf({ wallet_name: walletName, address: required(assetAddress) });
export const DeriveQuery = parametersOf({
  group: optional(groupIndex('Derive until an address of this group appears')),
});

/* Bodies. */

const password = required(secretText('Password of the wallet'));
const mnemonicPassphrase = optional(secretText('Passphrase of the mnemonic, if it has one'));
const mnemonicSizes = [12, 15, 18, 21, 24];

/** Characters: an empty password, and one that is tried in a moment, protects nothing. */
const shortestPassword = 2;

export const WalletCreation = fields(
  {
    password: required(newSecretText('Password of the wallet', shortestPassword)),
    walletName: required(
      text('Name of the wallet: letters, digits, _ and -', 'exchange-hot-1', textLengths.walletName),
    ),
    isMiner: optional(flag('Whether it is for mining rewards: an address in every group', false)),
    mnemonicPassphrase,
    mnemonicSize: optional({
      ...wholeNumber(12, 24, 'Number of words; default 24', 24),
      expects: `one of ${mnemonicSizes.join(', ')}`,
      read: (raw) => mnemonicSizes.find((size) => size === raw || String(size) === raw),
    }),
  },
  { description: 'New wallet', id: 'WalletCreation' },
);
export const WalletRestore = fields(
  {
    password: required(newSecretText('New password of the wallet', shortestPassword)),
    mnemonic: required(secretText('The words of the wallet, separated by spaces')),
    walletName: optional(
      text(
        'Name of the wallet; default: a new one, wallet- and 8 hexadecimal digits',
        'exchange-hot-1',
        textLengths.walletName,
      ),
    ),
    isMiner: optional(
      flag('Whether it is for mining rewards; default: as the wallet of that name is, or false', false),
    ),
    mnemonicPassphrase,
  },
  { description: 'Wallet to restore', id: 'WalletRestore' },
);
export const WalletUnlock = fields({ password, mnemonicPassphrase }, { description: 'Password', id: 'WalletUnlock' });
export const WalletDeletion = fields({ password }, { description: 'Password', id: 'WalletDeletion' });
export const RevealMnemonic = fields({ password }, { description: 'Password', id: 'RevealMnemonic' });
export const ChangeActiveAddress = fields(
  { address: required(assetAddress) },
  { description: 'Address of the wallet', id: 'ChangeActiveAddress' },
);
export const Sign = fields(
  {
    data: required(hash, { description: 'Id of the transaction to sign', example: transactionIdText.meaning.example }),
  },
  { description: 'What to sign', id: 'Sign' },
);
export const Transfer = fields(
  { destinations: DestinationsOfAmount, gas: gasGiven(), gasPrice },
  { description: 'Transfer from the active address', id: 'Transfer' },
);
const { toAddress, lockTime, gasAmount } = sweepFields;
/** Protocol 07 §4.12, §4.13. */
export const Sweep = fields(
  { toAddress, lockTime, gasAmount, gasPrice },
  { description: 'Sweep of a wallet', id: 'Sweep' },
);

/* Answers. */

const exampleWords =
  'vault alarm sad mass witness property virus style good flower rice alpha viable evidence run glare pretty scout ' +
  'evil judge enroll refuse another lava';
const named = { walletName: plainText('Name of the wallet', 'exchange-hot-1') };
const mnemonic = textOf(secretText('Words to keep secret', exampleWords));

export const WalletCreationResult = fields(
  { ...named, mnemonic },
  { description: 'New wallet', id: 'WalletCreationResult' },
);
export const WalletRestoreResult = fields(named, { description: 'Restored wallet', id: 'WalletRestoreResult' });
export const RevealMnemonicResult = fields(
  { mnemonic },
  { description: 'Words of a wallet', id: 'RevealMnemonicResult' },
);
export const WalletStatus = fields(
  { ...named, locked: flagAnswer('Whether it is locked', false) },
  { description: 'Wallet', id: 'WalletStatus' },
);
export const WalletStatuses = list(WalletStatus, 'wallets, by name');

export const AddressInfo = fields(
  {
    address: textOf(address),
    publicKey: textOf(publicKeyText),
    group: numberOf(groupIndex()),
    path: plainText('Derivation path', "m/44'/1234'/0'/0/0"),
  },
  { description: 'Address of a wallet', id: 'AddressInfo' },
);
const addressesOf = <Item extends z.ZodType>(item: Item) =>
  fields(
    {
      activeAddress: textOf(address, { description: 'Address that signs and sends' }),
      addresses: list(item, 'addresses'),
    },
    { description: 'Addresses of a wallet', id: 'Addresses' },
  );
export const Addresses = addressesOf(textOf(address));
/** `Addresses` where the switch `walletAddresses` is `infos`. */
export const AddressesWithInfos = addressesOf(AddressInfo);

export const MinerAddressSet = list(AddressInfo, 'addresses, one of each group');
export const MinerAddressSets = list(
  fields(
    { addresses: MinerAddressSet },
    { description: 'A set of addresses of a miner wallet', id: 'MinerAddressesInfo' },
  ),
  'complete sets',
);

/** `figure`: an amount of attoCoin, an integer of full precision or a text of digits (protocol 07 §1.8). */
const balancesOf = <Figure extends z.ZodType>(figure: Figure) =>
  fields(
    {
      totalBalance: figure,
      totalBalanceHint: amountHintText,
      balances: list(
        fields(
          {
            address: textOf(address),
            balance: figure,
            balanceHint: amountHintText,
            lockedBalance: attoCoins('The part that is locked now', '0'),
            lockedBalanceHint: amountHintText,
          },
          { description: 'Balance of an address of a wallet', id: 'AddressBalance' },
        ),
        'balances',
      ),
    },
    { description: 'Balances of a wallet', id: 'Balances' },
  );
export const Balances = balancesOf(
  z.custom<bigint>().register(meanings, {
    description: 'Smallest units, an integer of full precision',
    example: 1_500_000_000_000_000,
    type: 'integer',
    format: 'uint256',
    'x-unit': 'attoCoin',
  }),
);
/** `Balances` where the switch `walletBalances` is `string`. */
export const BalancesAsTexts = balancesOf(
  textOf(uint256, { description: 'Smallest units', example: '1500000000000000', 'x-unit': 'attoCoin' }),
);

export const SignResult = fields({ signature: textOf(signatureText) }, { description: 'Signature', id: 'SignResult' });
export const TransferResults = fields(
  {
    results: list(SubmitResult, 'transactions, the one submitted last first'),
    skipped: list(
      fields(
        {
          address: textOf(address),
          code: plainText('Name of the reason, as `X-Error-Code` has it', 'NotEnoughBalanceForFee'),
          detail: plainText('What happened', 'The outputs to be swept cannot pay the fee.'),
          spendableAt: time('When the first locked coins can be spent', 1_900_000_000_000).optional(),
          txId: textOf(transactionIdText, {
            description: 'Transaction that may have been sent: ask for its status',
          }).optional(),
        },
        { description: 'Address that was not swept, or not wholly', id: 'SkippedAddress' },
      ),
      'addresses that were not swept, or not wholly, with the reasons; absent when there are none',
    ).optional(),
  },
  { description: 'Transactions of a sweep', id: 'TransferResults' },
);

import { z } from 'zod';
import { type Brand } from '../../brand/brand.js';
import { publicKeyText, signatureText } from '../bytes.js';
import { fields, list, meanings } from '../leaf.js';
import { groupIndex, uint256 } from '../numbers.js';
import { address, secretText } from '../texts.js';
import { attoCoins, flag, number, plainText, text } from './answer-leaves.js';

/** The switches of protocol 07 §1.3 that change answers about wallets. */
export interface WalletForms {
  readonly walletBalances: 'integer' | 'string';
  readonly walletAddresses: 'addresses' | 'infos';
}

export const documentForms: WalletForms = { walletBalances: 'integer', walletAddresses: 'addresses' };

interface WalletAnswerParts {
  readonly brand: Brand;
  readonly groups: number;
  readonly forms: WalletForms;
}

const exampleWords =
  'vault alarm sad mass witness property virus style good flower rice alpha viable evidence run glare pretty scout ' +
  'evil judge enroll refuse another lava';

const wallet = () => ({ walletName: plainText('Name of the wallet', 'exchange-hot-1') });
const words = () => text(secretText('Words to keep secret', exampleWords));

const addressInfoOf = (groups: number) =>
  fields(
    {
      address: text(address),
      publicKey: text(publicKeyText),
      group: number(groupIndex(groups)),
      path: plainText('Derivation path', "m/44'/1234'/0'/0/0"),
    },
    { description: 'Address of a wallet', id: 'AddressInfo' },
  );

/** Amounts are integers of full precision, or texts of digits (protocol 07 §1.8). */
const balancesOf = ({ coinSymbol }: Brand, { walletBalances }: WalletForms) => {
  const figure = () =>
    z.custom<bigint | string>().register(
      meanings,
      walletBalances === 'integer'
        ? {
            description: 'Smallest units, an integer of full precision',
            example: 1_500_000_000_000_000,
            type: 'integer',
            format: 'uint256',
            'x-unit': 'attoCoin',
          }
        : { ...uint256.meaning, description: 'Smallest units', example: '1500000000000000', 'x-unit': 'attoCoin' },
    );
  const hintText = () => plainText('The same for people, exact', `1.5 ${coinSymbol}`);
  const ofAddress = fields(
    {
      address: text(address),
      balance: figure(),
      balanceHint: hintText(),
      lockedBalance: attoCoins('The part that is locked now', '0'),
      lockedBalanceHint: hintText(),
    },
    { description: 'Balance of an address of a wallet', id: 'AddressBalance' },
  );
  return fields(
    { totalBalance: figure(), totalBalanceHint: hintText(), balances: list(ofAddress, 'balances') },
    { description: 'Balances of a wallet', id: 'Balances' },
  );
};

/** `submitted`: the answer about one transaction that was submitted. */
export const walletAnswers = <Submitted extends z.ZodType>(
  { brand, groups, forms }: WalletAnswerParts,
  submitted: Submitted,
) => {
  const status = () =>
    fields({ ...wallet(), locked: flag('Whether it is locked', false) }, { description: 'Wallet', id: 'WalletStatus' });
  const addressInfo = addressInfoOf(groups);
  const minerSet = () => list(addressInfo, 'addresses, one of each group');
  return {
    created: fields({ ...wallet(), mnemonic: words() }, { description: 'New wallet', id: 'WalletCreationResult' }),
    restored: fields(wallet(), { description: 'Restored wallet', id: 'WalletRestoreResult' }),
    status: status(),
    list: list(status(), 'wallets, by name'),
    addresses: fields(
      {
        activeAddress: text(address, { description: 'Address that signs and sends' }),
        addresses: list(forms.walletAddresses === 'infos' ? addressInfo : text(address), 'addresses'),
      },
      { description: 'Addresses of a wallet', id: 'Addresses' },
    ),
    addressInfo,
    balances: balancesOf(brand, forms),
    signature: fields({ signature: text(signatureText) }, { description: 'Signature', id: 'SignResult' }),
    swept: fields(
      { results: list(submitted, 'transactions, the one submitted last first') },
      { description: 'Transactions of a sweep', id: 'TransferResults' },
    ),
    minerSets: list(
      fields(
        { addresses: minerSet() },
        { description: 'A set of addresses of a miner wallet', id: 'MinerAddressesInfo' },
      ),
      'complete sets',
    ),
    minerSet: minerSet(),
    revealed: fields({ mnemonic: words() }, { description: 'Words of a wallet', id: 'RevealMnemonicResult' }),
  };
};

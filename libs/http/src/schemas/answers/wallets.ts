import { z } from 'zod';
import { type Brand } from '../../brand/brand.js';
import { publicKeyText, signatureText } from '../bytes.js';
import { fields, list, meanings } from '../leaf.js';
import { groupIndex } from '../numbers.js';
import { address } from '../texts.js';
import { digits, flag, number, plainText, text } from './answer-leaves.js';

/** Wallets: amounts are integers of full precision (protocol 07 §1.8). */
export const walletAnswers = ({ coinSymbol }: Brand, groups: number) => {
  const wallet = () => ({ walletName: plainText('Name of the wallet', 'exchange-hot-1') });
  const figure = () =>
    z.custom<bigint | string>().register(meanings, {
      description: 'Smallest units, an integer of full precision',
      example: 1_500_000_000_000_000,
      type: 'integer',
    });
  const hintText = () => plainText('The same for people, exact', `1.5 ${coinSymbol}`);
  const status = () =>
    fields({ ...wallet(), locked: flag('Whether it is locked', false) }, { description: 'Wallet', id: 'WalletStatus' });
  const addressInfo = fields(
    {
      address: text(address),
      publicKey: text(publicKeyText),
      group: number(groupIndex(groups)),
      path: plainText('Derivation path', "m/44'/1234'/0'/0/0"),
    },
    { description: 'Address of a wallet', id: 'AddressInfo' },
  );
  return {
    created: fields(
      { ...wallet(), mnemonic: z.string().register(meanings, { description: 'Words to keep secret', type: 'string' }) },
      { description: 'New wallet', id: 'WalletCreationResult' },
    ),
    restored: fields(wallet(), { description: 'Restored wallet', id: 'WalletRestoreResult' }),
    status: status(),
    list: list(status(), 'wallets, by name'),
    addresses: fields(
      {
        activeAddress: text(address, { description: 'Address that signs and sends' }),
        addresses: list(z.union([text(address), addressInfo]), 'addresses'),
      },
      { description: 'Addresses of a wallet', id: 'Addresses' },
    ),
    addressInfo,
    balances: fields(
      {
        totalBalance: figure(),
        totalBalanceHint: hintText(),
        balances: list(
          fields(
            {
              address: text(address),
              balance: figure(),
              balanceHint: hintText(),
              lockedBalance: digits('The part that is locked now', '0'),
              lockedBalanceHint: hintText(),
            },
            { description: 'Balance of an address of a wallet', id: 'AddressBalance' },
          ),
          'balances',
        ),
      },
      { description: 'Balances of a wallet', id: 'Balances' },
    ),
    signature: fields({ signature: text(signatureText) }, { description: 'Signature', id: 'SignResult' }),
  };
};

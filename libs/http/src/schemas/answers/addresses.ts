import { type Brand } from '../../brand/brand.js';
import { hexText } from '../bytes.js';
import { fields, list } from '../leaf.js';
import { count, groupIndex } from '../numbers.js';
import { address } from '../texts.js';
import { attoCoins, number, plainText, text, time } from './answer-leaves.js';
import { transactionObjects } from './transactions.js';

export const addressAnswers = (brand: Brand, groups: number) => {
  const { tokens, outputReference } = transactionObjects(brand);
  const hintText = () => plainText('The same for people, exact', `1.5 ${brand.coinSymbol}`);
  return {
    group: fields({ group: number(groupIndex(groups)) }, { description: 'Group of an address', id: 'Group' }),
    balance: fields(
      {
        balance: attoCoins('All outputs of the address, locked ones included'),
        balanceHint: hintText(),
        lockedBalance: attoCoins('The part that is locked now', '0'),
        lockedBalanceHint: hintText(),
        tokenBalances: tokens().optional(),
        lockedTokenBalances: tokens().optional(),
        utxoNum: number(count('Number of outputs', 3)),
      },
      { description: 'Balance of an address', id: 'Balance' },
    ),
    utxos: fields(
      {
        utxos: list(
          fields(
            {
              ref: outputReference,
              amount: attoCoins('Amount in the smallest unit'),
              tokens: tokens().optional(),
              lockTime: time('When it may be spent').optional(),
              additionalData: text(hexText, { description: 'Data of the output' }).optional(),
            },
            { description: 'Unspent output', id: 'UTXO' },
          ),
          'unspent outputs',
        ),
        warning: plainText('There is more: ask for the next page', 'Result might not contains all utxos').optional(),
      },
      { description: 'Unspent outputs of an address', id: 'UTXOs' },
    ),
    multisigAddress: fields(
      { address: text(address) },
      { description: 'Multisig address', id: 'BuildMultisigAddressResult' },
    ),
  };
};

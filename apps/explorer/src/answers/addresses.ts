import { z } from 'zod';
import {
  address,
  attoCoins,
  count,
  digits,
  fields,
  flagAnswer,
  hash,
  list,
  numberOf,
  plainText,
  publicKeyText,
  textOf,
  time,
  tokenIdText,
  transactionIdText,
} from '@shardnode/http';
import { MempoolTransactions, Transactions } from './transactions.js';

const balances = { balance: attoCoins('The locked part included'), lockedBalance: attoCoins('Locked for now', '0') };

/** protocol 08 §5.7 */
export const AddressBalance = fields(balances, { description: 'Balance', id: 'AddressBalance' });
export const AddressInfo = fields(
  { ...balances, txNumber: numberOf(count('Number of its transactions', 12)) },
  { description: 'Address', id: 'AddressInfo' },
);
export const TotalTransactions = numberOf(count('Number of its transactions', 12));
export const Used = list(flagAnswer('Whether it has a transaction', true), 'answers, in the order of the request');
export const TokenBalance = fields(
  {
    tokenId: textOf(tokenIdText),
    balance: digits('The locked part included', '100'),
    lockedBalance: digits('Locked for now', '0'),
  },
  { description: 'Balance of a token', id: 'AddressTokenBalance' },
);
export const TokenBalances = list(TokenBalance, 'balances of tokens');
export const TokenIds = list(textOf(tokenIdText), 'ids of tokens');
const utxos = count('Number of unspent outputs', 12);
export const UtxoSummary = fields(
  {
    utxoNumber: numberOf(utxos),
    countedNumber: numberOf(
      count('How many of them `sizes` counts; less than all where the address has very many transactions', 12),
    ),
    sizes: list(
      fields(
        {
          from: digits('Least amount of the size in attoCoin: 1, 2 or 5 and zeros', '200000000000000000'),
          utxoNumber: numberOf(utxos),
          attoCoinAmount: attoCoins('Sum of their amounts'),
        },
        { description: 'Unspent outputs up to the next size', id: 'UtxoSize' },
      ),
      'sizes that occur, the smallest first',
    ),
    nextUnlock: fields(
      { lockTime: time('Time from which it can be spent'), attoCoinAmount: attoCoins('What is unlocked then') },
      { description: 'The next moment at which a lock ends; absent when nothing is locked', id: 'NextUnlock' },
    ).optional(),
    outputs: list(
      fields(
        {
          key: textOf(hash, { description: 'Key of the output' }),
          attoCoinAmount: attoCoins('Amount'),
          txHash: textOf(transactionIdText, { description: 'Transaction that made it' }),
          lockTime: time('Time from which it can be spent; absent when it is not locked').optional(),
        },
        { description: 'Unspent output', id: 'UnspentOutput' },
      ),
      'unspent outputs, the largest first; absent where there are 400 or more, or not all are counted',
    ).optional(),
  },
  { description: 'Unspent outputs of an address in short', id: 'UtxoSummary' },
);
/** protocol 08 §5.7: what a page of an address shows first, all of one moment */
export const AddressOverview = fields(
  {
    info: AddressInfo,
    utxos: UtxoSummary,
    tokens: TokenBalances,
    pending: MempoolTransactions,
    transactions: Transactions,
    nextCursor: plainText('Leads on in `transactions`; absent where there are no more', 'MTIz').optional(),
  },
  { description: 'Address with its newest transactions', id: 'AddressOverview' },
);
export const Addresses = list(textOf(address), 'addresses');
export const PublicKey = textOf(publicKeyText);
export const Holders = list(
  fields(
    { address: textOf(address), balance: digits('Balance in the smallest unit', '100') },
    { description: 'Holder', id: 'HolderInfo' },
  ),
  'holders, richest first',
);

export type AddressInfoAnswer = z.input<typeof AddressInfo>;
export type TokenBalanceAnswer = z.input<typeof TokenBalance>;
export type AddressOverviewAnswer = z.input<typeof AddressOverview>;
export type UtxoSummaryAnswer = z.input<typeof UtxoSummary>;
export type HoldersAnswer = z.input<typeof Holders>;

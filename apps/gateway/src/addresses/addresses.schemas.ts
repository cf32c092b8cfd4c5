import {
  address,
  attoCoins,
  count,
  fields,
  flag,
  groupIndex,
  hexText,
  list,
  numberOf,
  optional,
  plainText,
  required,
  textOf,
  time,
  Tokens,
  wholeNumber,
} from '@shardnode/http';
import { parametersOf } from '../operations/parameters.js';
import { OutputReference } from '../transactions/transactions.schemas.js';

export const Group = fields({ group: numberOf(groupIndex()) }, { description: 'Group of an address', id: 'Group' });

/** An amount in readable form. */
export const amountHintText = plainText('The same for people, exact', '1.5 {COIN}');

export const Balance = fields(
  {
    balance: attoCoins('All outputs of the address, locked ones included'),
    balanceHint: amountHintText,
    lockedBalance: attoCoins('The part that is locked now', '0'),
    lockedBalanceHint: amountHintText,
    tokenBalances: Tokens.optional(),
    lockedTokenBalances: Tokens.optional(),
    utxoNum: numberOf(count('Number of outputs', 3)),
  },
  { description: 'Balance of an address', id: 'Balance' },
);

export const Utxos = fields(
  {
    utxos: list(
      fields(
        {
          ref: OutputReference,
          amount: attoCoins('Amount in the smallest unit'),
          tokens: Tokens.optional(),
          lockTime: time('When it may be spent').optional(),
          additionalData: textOf(hexText, { description: 'Data of the output' }).optional(),
        },
        { description: 'Unspent output', id: 'UTXO' },
      ),
      'unspent outputs',
    ),
    warning: plainText('There is more: ask for the next page', 'Result might not contains all utxos').optional(),
  },
  { description: 'Unspent outputs of an address', id: 'UTXOs' },
);

export const AddressPath = parametersOf({ address: required(address) });
export const BalanceQuery = parametersOf({
  mempool: optional(flag('Count transactions that wait to be mined; default true', true)),
});

/** Limit of outputs in a page. */
export const largestPage = 100_000;
export const UtxosQuery = parametersOf({
  offset: optional(count('How many to leave out', 0)),
  limit: optional(wholeNumber(1, largestPage, `How many at most; default: all, with an offset ${largestPage}`, 1_000)),
});

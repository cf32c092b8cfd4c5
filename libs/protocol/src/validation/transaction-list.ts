import { maxCoinValue, maximalGasPerBlock, maximalTxsInOneBlock } from '../primitives/index.js';
import { type Transaction } from '../transaction/index.js';
import { checkBlockDoubleSpending } from './double-spending.js';
import { firstRefusal, type Rule, type Verdict } from './outcome.js';
import { required } from './rule-tables.js';

type Transactions = readonly Transaction[];

const gasPricesNeverRise = (transactions: Transactions): boolean => {
  let before = maxCoinValue;
  return transactions.every(({ unsigned }) => {
    const isOrdered = unsigned.gasPrice <= before;
    before = unsigned.gasPrice;
    return isOrdered;
  });
};

/** A number holds the sum of 2000 gas amounts exactly (the count was checked before): nothing wraps. */
const gasOf = (transactions: Transactions): number =>
  transactions.reduce((sum, { unsigned }) => sum + unsigned.gasAmount, 0);

/** The rules on all transactions of a block together, coinbase included (protocol 03 §6.2 rows 3 to 5). */
export const transactionListChecks: readonly Rule<Transactions>[] = [
  /* 3 */ required('TooManyTransactions', (transactions) => transactions.length <= maximalTxsInOneBlock),
  /* 4 */ required('TxGasPriceNonDecreasing', gasPricesNeverRise),
  /* 5 */ required('TooMuchGasUsed', (transactions) => gasOf(transactions) <= maximalGasPerBlock),
];

/** The same, and row 9: checks of a template besides its single transactions (protocol 03 §11.1 step 8). */
export const checkTransactionList = (transactions: Transactions): Verdict =>
  firstRefusal(transactionListChecks, transactions) ?? checkBlockDoubleSpending(transactions);

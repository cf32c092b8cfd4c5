import { fields, list } from '../leaf.js';
import { groupIndex } from '../numbers.js';
import { number, text } from './answer-leaves.js';
import { signatureText } from '../bytes.js';
import { type transactionAnswers } from './transactions.js';

/** Transactions that wait to be mined (protocol 07 §12). */
export const mempoolAnswers = (
  groups: number,
  { unsigned }: Pick<ReturnType<typeof transactionAnswers>, 'unsigned'>,
) => {
  const template = fields(
    {
      unsigned,
      inputSignatures: list(text(signatureText), 'signatures'),
      scriptSignatures: list(text(signatureText), 'signatures'),
    },
    { description: 'Transaction that waits to be mined', id: 'TransactionTemplate' },
  );
  return {
    template,
    pending: list(
      fields(
        {
          fromGroup: number(groupIndex(groups, 'Group of the senders')),
          toGroup: number(groupIndex(groups, 'Group of the receivers')),
          transactions: list(template, 'transactions, those mined next first'),
        },
        { description: 'What waits on one chain', id: 'MempoolTransactions' },
      ),
      'chains that have waiting transactions, by group',
    ),
  };
};

import { fields, groupIndex, list, numberOf, required, transactionIdText } from '@shardnode/http';
import { parametersOf } from '../operations/parameters.js';
import { TransactionTemplate } from '../transactions/transactions.schemas.js';

export const MempoolTransactions = list(
  fields(
    {
      fromGroup: numberOf(groupIndex('Group of the senders')),
      toGroup: numberOf(groupIndex('Group of the receivers')),
      transactions: list(TransactionTemplate, 'transactions, those mined next first'),
    },
    { description: 'What waits on one chain', id: 'MempoolTransactions' },
  ),
  'chains that have waiting transactions, by group',
);

export const RebroadcastQuery = parametersOf({
  txId: required(transactionIdText, { description: 'Id of one that GET /mempool/transactions lists' }),
});

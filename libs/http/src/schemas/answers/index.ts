import { type z } from 'zod';
import { type Brand } from '../../brand/brand.js';
import { fields } from '../leaf.js';
import { addressAnswers } from './addresses.js';
import { plainText } from './answer-leaves.js';
import { blockAnswers } from './blocks.js';
import { contractAnswers } from './contracts.js';
import { eventAnswers } from './events.js';
import { mempoolAnswers } from './mempool.js';
import { minerAnswers } from './miners.js';
import { nodeAnswers } from './node.js';
import { peerAnswers } from './peers.js';
import { transactionAnswers, type transactionObjects } from './transactions.js';
import { documentForms, walletAnswers, type WalletForms } from './wallets.js';

/** What is described follows the profile where that changes the form of an answer (protocol 07 §1.3). */
export const createAnswerSchemas = (brand: Brand, groups: number, walletForms: WalletForms = documentForms) => {
  const transactions = transactionAnswers(brand, groups);
  const events = eventAnswers();
  return {
    ...transactions,
    ...blockAnswers(transactions.transaction, events.eventOfBlock),
    ...events,
    ...contractAnswers(brand, { transactions, events }),
    ...addressAnswers(brand, groups),
    ...mempoolAnswers(groups, transactions),
    ...minerAnswers(),
    ...nodeAnswers(),
    ...peerAnswers(),
    wallet: walletAnswers({ brand, groups, forms: walletForms }, transactions.submitted),
    error: fields(
      {
        detail: plainText(
          'What is wrong, and what to do',
          'Wallet exchange-hot-1 is locked: unlock it with its password first',
        ),
      },
      { description: 'Error', id: 'Error' },
    ),
    notFound: fields(
      {
        resource: plainText('What was asked for', 'exchange-hot-1'),
        detail: plainText('Sentence', 'exchange-hot-1 not found'),
      },
      { description: 'Nothing of that name', id: 'NotFound' },
    ),
  };
};

export type AnswerSchemas = ReturnType<typeof createAnswerSchemas>;

type Objects = ReturnType<typeof transactionObjects>;
export type TokenAnswer = z.output<Objects['token']>;
export type AssetOutputAnswer = z.output<Objects['fixedOutput']>;
export type OutputAnswer = z.output<Objects['output']>;
export type UnsignedTransactionAnswer = z.output<AnswerSchemas['unsigned']>;
export type TransactionAnswer = z.output<AnswerSchemas['transaction']>;
export type TemplateAnswer = z.output<AnswerSchemas['template']>;
export type ValueAnswer = z.output<AnswerSchemas['value']>;
export type ContractStateAnswer = z.output<AnswerSchemas['contractState']>;
export type ContractTestAnswer = z.output<AnswerSchemas['contractTest']>;
export type CallResultAnswer = z.output<AnswerSchemas['callResult']>;
export type EventOfBlockAnswer = z.output<AnswerSchemas['eventOfBlock']>;
export type EventOfTransactionAnswer = z.output<AnswerSchemas['eventOfTransaction']>;
export type BlockAnswer = z.output<AnswerSchemas['block']>;
export type BlockHeaderAnswer = z.output<AnswerSchemas['header']>;
export type BalanceAnswer = z.output<AnswerSchemas['balance']>;
export type WalletBalancesAnswer = z.output<AnswerSchemas['wallet']['balances']>;
export type TransactionStatusAnswer = z.output<AnswerSchemas['status']>;

import { Module } from '@nestjs/common';
import { Submits } from './submits.js';
import { TransactionDetails } from './transaction-details.js';
import { TransactionStatuses } from './transaction-statuses.js';
import { TransactionsController } from './transactions.controller.js';

@Module({
  controllers: [TransactionsController],
  providers: [Submits, TransactionDetails, TransactionStatuses],
  exports: [Submits],
})
export class TransactionsModule {}

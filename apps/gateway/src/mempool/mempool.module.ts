import { Module } from '@nestjs/common';
import { MempoolController } from './mempool.controller.js';
import { PendingTransactions } from './pending-transactions.js';

@Module({ controllers: [MempoolController], providers: [PendingTransactions] })
export class MempoolModule {}

import { Module } from '@nestjs/common';
import { TransactionsModule } from '../transactions/transactions.module.js';
import { MultisigController } from './multisig.controller.js';

@Module({ imports: [TransactionsModule], controllers: [MultisigController] })
export class MultisigModule {}

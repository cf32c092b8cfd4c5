import { Module } from '@nestjs/common';
import { ContractRunsController } from './contract-runs.controller.js';
import { ContractsController } from './contracts.controller.js';

@Module({ controllers: [ContractsController, ContractRunsController] })
export class ContractsModule {}

import { Module } from '@nestjs/common';
import { CompilingController } from './compiling/compiling.controller.js';
import { Compiling } from './compiling/compiling.js';
import { ContractRunsController } from './contract-runs.controller.js';
import { ContractsController } from './contracts.controller.js';

@Module({
  controllers: [ContractsController, CompilingController, ContractRunsController],
  providers: [Compiling],
  exports: [Compiling],
})
export class ContractsModule {}

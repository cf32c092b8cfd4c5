import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { ContractState } from '@shardnode/http';
import {
  ContractLiveness,
  type ContractLivenessAnswer,
  ContractLives,
  ContractParent,
  SubContracts,
} from '../answers/contracts.js';
import { notFound } from '../errors.js';
import { ContractStates } from '../group-nodes/contract-states.js';
import { contractLiveness, contractLives, contractParent, subContracts } from '../reads/contract-reads.js';
import { Reads } from '../database/reads.js';
import { ExplorerSettings } from '../settings.js';
import { Operation } from './operation.js';
import { ContractPath, pageOf, PageQuery } from './parameters.js';

type ContractOfPath = z.output<typeof ContractPath>;

/** protocol 08 §5.8 */
@ApiTags('Contracts')
@Controller('contracts/:contract_address')
export class ContractsController {
  constructor(
    private readonly reads: Reads,
    private readonly settings: ExplorerSettings,
    private readonly states: ContractStates,
  ) {}

  @Operation({ summary: 'Creation and destruction of a contract', answer: ContractLiveness, mayBeMissing: true })
  @Get('current-liveness')
  async liveness(
    @Param({ schema: ContractPath }) { contract_address: address }: ContractOfPath,
  ): Promise<ContractLivenessAnswer> {
    const liveness = await this.reads.of((snapshot) => contractLiveness(snapshot, address));
    if (!liveness) throw notFound(address);
    return liveness;
  }

  @Operation({
    summary: 'Lives of a contract, newest first',
    description:
      'A contract that was destroyed may be created again, at the same address. Empty for one that never was created.',
    answer: ContractLives,
  })
  @Get('lives')
  async lives(
    @Param({ schema: ContractPath }) { contract_address: address }: ContractOfPath,
    @Query({ schema: PageQuery }) query: z.output<typeof PageQuery>,
  ): Promise<ContractLivenessAnswer[]> {
    const page = pageOf(query, this.settings);
    return this.reads.of((snapshot) => contractLives(snapshot, address, page));
  }

  @Operation({ summary: 'Contract that created a contract', answer: ContractParent })
  @Get('parent')
  async parent(
    @Param({ schema: ContractPath }) { contract_address: address }: ContractOfPath,
  ): Promise<z.input<typeof ContractParent>> {
    const parent = await this.reads.of((snapshot) => contractParent(snapshot, address));
    return parent === undefined ? {} : { parent };
  }

  @Operation({ summary: 'Contracts that a contract created, newest first', answer: SubContracts })
  @Get('sub-contracts')
  async subContracts(
    @Param({ schema: ContractPath }) { contract_address: address }: ContractOfPath,
    @Query({ schema: PageQuery }) query: z.output<typeof PageQuery>,
  ): Promise<z.input<typeof SubContracts>> {
    const page = pageOf(query, this.settings);
    return { subContracts: await this.reads.of((snapshot) => subContracts(snapshot, address, page)) };
  }

  @Operation({
    summary: 'Code, fields and assets of a contract',
    description: 'As its group-node has it now; 503 while the group-node is away or busy.',
    answer: ContractState,
    mayBeMissing: true,
  })
  @Get('state')
  state(
    @Param({ schema: ContractPath }) { contract_address: address }: ContractOfPath,
  ): Promise<z.input<typeof ContractState>> {
    return this.states.of(address);
  }
}

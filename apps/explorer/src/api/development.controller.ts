import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { count, fields, int32, optionalList, required, sentValues, text } from '@shardnode/http';
import { longestSource, valueForms } from '@shardnode/messages';
import {
  CallResult,
  type CallResultAnswer,
  Compiled,
  ContractSource,
  type ContractSourceAnswer,
  MinedBlock,
  Mining,
  TestPayment,
} from '../answers/development.js';
import { developmentTools, type DevelopmentTools } from '../development/development-tools.js';
import { explorerError } from '../errors.js';
import { ContractStates } from '../group-nodes/contract-states.js';
import { failureText } from '../group-nodes/failure-text.js';
import { ExplorerSettings } from '../settings.js';
import { Operation } from './operation.js';
import { ContractPath } from './parameters.js';

const mostArguments = 256;

const Call = fields(
  {
    methodIndex: required(int32('Which method is called, from 0', 0)),
    args: optionalList(required(sentValues), 'values', {
      description: 'Arguments of the method; default: none',
      most: mostArguments,
    }),
  },
  { description: 'Call of a method', id: 'DevelopmentCall' },
);

const ChainBody = fields(
  {
    chainFrom: required(count('Group that the chain comes from', 0)),
    chainTo: required(count('Group that the chain goes to', 1)),
  },
  { description: 'Chain of the block', id: 'DevelopmentChain' },
);

const Source = fields(
  { code: required(text('Source of contracts and scripts', 'Contract A() { pub fn f() -> () {} }', longestSource)) },
  { description: 'Source to compile', id: 'DevelopmentSource' },
);

/**
 * For the person who develops on a network of this machine: the API has these operations only where the explorer was given
 * the tools, and answers them to its own page and to programs alone.
 */
@ApiTags('Development')
@Controller('development')
export class DevelopmentController {
  constructor(
    @Inject(developmentTools) private readonly tools: DevelopmentTools,
    private readonly states: ContractStates,
    private readonly settings: ExplorerSettings,
  ) {}

  @Operation({
    summary: 'Send a payment from one development account to another',
    answer: TestPayment,
    isForOwnPage: true,
  })
  @Post('test-payment')
  async pay(): Promise<z.input<typeof TestPayment>> {
    return { txId: await this.tools.sendTestPayment() };
  }

  @Operation({ summary: 'When blocks are mined', answer: Mining, isForOwnPage: true })
  @Get('mining')
  async mining(): Promise<z.input<typeof Mining>> {
    return { mode: await this.tools.miningMode() };
  }

  @Operation({ summary: 'Mine one block on a chain', answer: MinedBlock, isForOwnPage: true })
  @Post('mine-one-block')
  async mine(
    @Body({ schema: ChainBody }) { chainFrom: from, chainTo: to }: z.output<typeof ChainBody>,
  ): Promise<z.input<typeof MinedBlock>> {
    const last = this.settings.groups - 1;
    if (Math.max(from, to) > last)
      throw explorerError('InvalidRequest', `Invalid value for: body (chainFrom and chainTo: expected 0 to ${last})`);
    return { blockHash: await this.tools.mineOneBlock({ from, to }) };
  }

  @Operation({
    summary: 'Names in the source of a contract',
    description: 'By the hash of its code, which fixes the code and not its names.',
    answer: ContractSource,
    mayBeMissing: true,
    isForOwnPage: true,
  })
  @Get('contracts/:contract_address/source')
  async source(
    @Param({ schema: ContractPath }) { contract_address: address }: z.output<typeof ContractPath>,
  ): Promise<ContractSourceAnswer> {
    const { codeHash } = await this.states.of(address);
    return { source: (await this.tools.contractOf(codeHash)) ?? null };
  }

  @Operation({
    summary: 'Compile a source, whose names are known from then on',
    description: 'The node compiles it. An error of the source is a 400 whose detail shows the place.',
    answer: Compiled,
    isForOwnPage: true,
  })
  @Post('compile')
  async compile(@Body({ schema: Source }) { code }: z.output<typeof Source>): Promise<z.input<typeof Compiled>> {
    const refusal = await this.tools.compileSource(code);
    if (refusal !== undefined) throw explorerError('InvalidRequest', refusal, { field: 'code' });
    return { compiled: true };
  }

  @Operation({
    summary: 'Call a method of a contract',
    description: 'Nothing is stored. A call that fails is answered with status 200 and `CallContractFailed`.',
    answer: CallResult,
    mayBeMissing: true,
    isForOwnPage: true,
  })
  @Post('contracts/:contract_address/call')
  async call(
    @Param({ schema: ContractPath }) { contract_address: address }: z.output<typeof ContractPath>,
    @Body({ schema: Call }) { methodIndex, args = [] }: z.output<typeof Call>,
  ): Promise<CallResultAnswer> {
    const reply = await this.states.call(address, methodIndex, (args ?? []).flat());
    if (reply.type === 'CallContractFailed')
      return {
        type: reply.type,
        error: failureText(reply.error, this.settings.coinSymbol),
        ...(await this.tools.failureNames(reply.facts ?? {})),
      };
    const { type, returns, gasUsed, debugMessages } = reply;
    return { type, returns: valueForms(returns), gasUsed, debugMessages: debugMessages.map(({ message }) => message) };
  }
}

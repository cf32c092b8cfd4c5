import { Body, Controller, Post, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type FastifyReply } from 'fastify';
import { type z } from 'zod';
import { contractRefusals, errorOf } from '@shardnode/http';
import { type CallReply, GroupClient } from '@shardnode/messages';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
import { CompiledNames } from './compiling/compiled-names.js';
import { placedCall, requestCalls } from './contract-calls.js';
import { noSuchGroup } from './contract-errors.js';
import { type CallResultAnswer, callResultForm, type ContractTestAnswer, testResultForm } from './contract-forms.js';
import {
  CallContract,
  CallContractResult,
  MultipleCallContract,
  MultipleCallContractResult,
  type SentCall,
  type SentTest,
  TestContract,
  TestContractResult,
} from './contracts.schemas.js';
import { failureHeaderKeys, failureHeaders } from './failure-headers.js';
import { testItem } from './run-items.js';

const mostCalls = 20;

const whatAnswers =
  'Nothing is stored. A call that fails is answered with status 200 and `CallContractFailed`; what cannot be read is a 400.';

/** Runs without effects: protocol 07 §10.5 to §10.7. */
@ApiTags('Contracts')
@Controller('contracts')
export class ContractRunsController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly groups: GroupClient,
    private readonly names: CompiledNames,
  ) {}

  @Operation({
    role: 'read',
    summary: 'Run a method of a contract that is not on the chain',
    description: 'A unit test: nothing is stored. The first input asset pays half a coin for the run.',
    answer: TestContractResult,
    codes: [...contractRefusals, 'InvalidGroup'],
  })
  @Post('test-contract')
  async test(@Body({ schema: TestContract }) body: SentTest): Promise<ContractTestAnswer> {
    const { groups } = this.settings.network;
    const { group = 0 } = body;
    if (group < 0 || group >= groups) throw noSuchGroup(group, groups);
    const test = testItem(body);
    return testResultForm(test.contract.contractId, await this.groups.request(group, 'read.contract.test', test));
  }

  @Operation({
    role: 'read',
    summary: 'Call a method of a contract',
    description: `${whatAnswers} The headers of a call that fails say where.`,
    answer: CallContractResult,
    answerHeaders: failureHeaderKeys,
    codes: ['TooManyRuns'],
  })
  @Post('call-contract')
  async call(
    @Body({ schema: CallContract }) call: SentCall,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<CallResultAnswer> {
    const [called] = await this.repliesTo([call]);
    reply.headers(failureHeaders(called!, this.names));
    return this.resultOf(called!);
  }

  @Operation({
    role: 'read',
    summary: `Call methods of contracts, at most ${mostCalls}`,
    description: `Each call starts from the state of the chain, not from what the one before leaves. ${whatAnswers}`,
    answer: MultipleCallContractResult,
    codes: ['TooManyCalls', 'TooManyRuns'],
  })
  @Post('multicall-contract')
  async multicall(
    @Body({ schema: MultipleCallContract }) { calls }: z.output<typeof MultipleCallContract>,
  ): Promise<z.output<typeof MultipleCallContractResult>> {
    if (calls.length > mostCalls) {
      const detail = `A request makes at most ${mostCalls} calls, got ${calls.length}: make several requests`;
      throw errorOf('TooManyCalls', detail, { field: 'calls', most: mostCalls });
    }
    return { results: (await this.repliesTo(calls)).map((reply) => this.resultOf(reply)) };
  }

  private repliesTo(calls: readonly SentCall[]): Promise<readonly CallReply[]> {
    const { groups } = this.settings.network;
    return requestCalls(
      calls.map((call) => placedCall(call, groups)),
      this.groups,
    );
  }

  private resultOf(reply: CallReply): CallResultAnswer {
    const { brand, profile } = this.settings;
    return callResultForm(reply, brand, profile.errorTexts);
  }
}

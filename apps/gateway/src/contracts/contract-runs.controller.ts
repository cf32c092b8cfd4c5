import { Body, Controller, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { contractRefusals, errorOf } from '@shardnode/http';
import { GroupClient } from '@shardnode/messages';
import { Operation } from '../operations/operation.js';
import { ApiSettings } from '../settings/api-settings.js';
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
  ) {}

  @Operation({
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
    summary: 'Call a method of a contract',
    description: whatAnswers,
    answer: CallContractResult,
    codes: ['TooManyRuns'],
  })
  @Post('call-contract')
  async call(@Body({ schema: CallContract }) call: SentCall): Promise<CallResultAnswer> {
    const [result] = await this.callAll([call]);
    return result!;
  }

  @Operation({
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
    return { results: await this.callAll(calls) };
  }

  private async callAll(calls: readonly SentCall[]): Promise<CallResultAnswer[]> {
    const { network, brand, profile } = this.settings;
    const placed = calls.map((call) => placedCall(call, network.groups));
    const replies = await requestCalls(placed, this.groups);
    return replies.map((reply) => callResultForm(reply, brand, profile.errorTexts));
  }
}

import { Controller, Inject } from '@nestjs/common';
import { type ServiceError } from '@shardnode/core/errors';
import {
  type CallReply,
  type ContractAssetReply,
  type ContractCall,
  type ContractStateReply,
  HandlesGroupRequest,
  type RunReply,
  serviceError,
  type TestContractRequest,
} from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';
import { runCall, runTest } from '../contracts/contract-runs.js';
import { contractNotFound } from '../contracts/make-run.js';
import { tokenItems } from '../contracts/run-reply.js';
import { storedContractState } from '../contracts/stored-contract.js';
import { Runs } from '../contracts/runs.js';
import { bytesOfEvent } from '../store/event-bytes.js';
import { type ContractAtState, contractAt } from '../view/contract-view.js';
import { type NodeReads } from '../view/reads.js';
import { READS } from './tokens.js';

/** Bytes of the results of one request: their JSON has at least twice as many characters. */
const mostBytesOfResults = 4 * 1024 * 1024;

/** Bytes of the parts of a result that a run can lengthen without end: events, messages, values. */
const bytesOfResult = (result: CallReply): number => {
  if (result.type !== 'CallContractSucceeded') return 0;
  const { returns, events, debugMessages, outputs } = result;
  return [
    returns.length,
    ...events.map(({ fields }) => fields.length + bytesOfEvent),
    ...debugMessages.map(({ message }) => message.length),
    ...outputs.map(({ length }) => length),
  ].reduce((sum, length) => sum + length, 0);
};

const tooManyResults = (): ServiceError =>
  serviceError(
    'AnswerTooLarge',
    `the results of the calls have more than ${mostBytesOfResults} bytes: make fewer calls in one request`,
  );

/** Contracts in the state on which the node builds, and runs without effects (protocol 07 §10, §17). */
@Controller()
export class ContractRpc {
  constructor(
    @Inject(READS) private readonly node: NodeReads,
    private readonly runs: Runs,
  ) {}

  @HandlesGroupRequest('read.contract.stored')
  async state({ contractId }: { readonly contractId: Hash }): Promise<ContractStateReply> {
    const state = await storedContractState(this.node, contractId);
    if (!state) throw contractNotFound(contractId, this.node.state.group);
    return state;
  }

  @HandlesGroupRequest('read.contract.asset')
  async asset({ contractId }: { readonly contractId: Hash }): Promise<ContractAssetReply> {
    const { record, output } = await this.contract(contractId);
    const { hint, key } = record.outputReference;
    return { reference: { hint, key }, amount: output.amount.toString(), tokens: tokenItems(output.tokens) };
  }

  @HandlesGroupRequest('read.contract.test')
  test(request: TestContractRequest): Promise<RunReply> {
    return runTest(this.node, this.runs, request);
  }

  @HandlesGroupRequest('read.contract.call')
  async call({ calls }: { readonly calls: readonly ContractCall[] }): Promise<{ readonly results: CallReply[] }> {
    let bytes = 0;
    const run = async (call: ContractCall): Promise<CallReply> => {
      const result = await runCall(this.node, this.runs, call);
      bytes += bytesOfResult(result);
      if (bytes > mostBytesOfResults) throw tooManyResults();
      return result;
    };
    return { results: await Promise.all(calls.map(run)) };
  }

  private async contract(contractId: Hash): Promise<ContractAtState> {
    const { memory, shown } = this.node.state;
    const found = await contractAt(memory, shown.state, contractId);
    if (!found) throw contractNotFound(contractId, this.node.state.group);
    return found;
  }
}

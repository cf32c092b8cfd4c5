import { Controller, Inject } from '@nestjs/common';
import {
  type CallReply,
  type ContractAssetReply,
  type ContractCall,
  type ContractStateReply,
  HandlesGroupRequest,
  type RunReply,
  type TestContractRequest,
} from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';
import { runCall, runTest } from '../contracts/contract-runs.js';
import { contractNotFound } from '../contracts/make-run.js';
import { contractStateReply, tokenItems } from '../contracts/run-reply.js';
import { Runs } from '../contracts/runs.js';
import { type ContractAtState, contractAt } from '../view/contract-view.js';
import { type NodeReads } from '../view/reads.js';
import { READS } from './tokens.js';

/** Contracts in the state on which the node builds, and runs without effects (protocol 07 §10, §17). */
@Controller()
export class ContractRpc {
  constructor(
    @Inject(READS) private readonly node: NodeReads,
    private readonly runs: Runs,
  ) {}

  @HandlesGroupRequest('read.contract.state')
  async state({ contractId }: { readonly contractId: Hash }): Promise<ContractStateReply> {
    const { record, immutableState, contract, output } = await this.contract(contractId);
    return contractStateReply({
      id: contractId,
      contract,
      codeHash: immutableState.codeHash,
      initialStateHash: immutableState.initialStateHash,
      immutableFields: immutableState.immutableFields,
      mutableFields: record.mutableFields,
      amount: output.amount,
      tokens: output.tokens,
    });
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
    return { results: await Promise.all(calls.map((call) => runCall(this.node, this.runs, call))) };
  }

  private async contract(contractId: Hash): Promise<ContractAtState> {
    const { memory, shown } = this.node.state;
    const found = await contractAt(memory, shown.state, contractId);
    if (!found) throw contractNotFound(contractId);
    return found;
  }
}

import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type z } from 'zod';
import { buildingRefusals, ContractState, scriptHex, validationRefusals } from '@shardnode/http';
import { contractAddressOf, contractStateForm, GroupClient, groupOfContractId } from '@shardnode/messages';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { Operation } from '../operations/operation.js';
import { orNotFound } from '../operations/or-not-found.js';
import { ApiSettings } from '../settings/api-settings.js';
import { Builds } from '../transactions/builds.js';
import { senderOfKey } from '../transactions/senders.js';
import { builtForm } from '../transactions/transaction-forms.js';
import { BuildTransactionResult, tokenItems } from '../transactions/transactions.schemas.js';
import { contractUnknown, groupMismatch } from './contract-errors.js';
import { type ContractStateAnswer } from './contract-forms.js';
import {
  BuildDeployContractTx,
  BuildDeployContractTxResult,
  BuildExecuteScriptTx,
  ContractPath,
  ContractStateQuery,
} from './contracts.schemas.js';

type Deployment = z.output<typeof BuildDeployContractTx>;
type Execution = z.output<typeof BuildExecuteScriptTx>;

/** Refusals of a builder of transactions with scripts. */
const refusals = [...buildingRefusals, ...validationRefusals, 'InvalidPublicKey', 'TooManyRuns'] as const;

/** States of contracts and transactions with scripts: protocol 07 §10.1 to §10.3. */
@ApiTags('Contracts')
@Controller('contracts')
export class ContractsController {
  constructor(
    private readonly settings: ApiSettings,
    private readonly groups: GroupClient,
    private readonly builds: Builds,
  ) {}

  @Operation({
    role: 'read',
    summary: 'State of a contract',
    description: 'Its code, its fields and what it owns, as the newest block of its group leaves them.',
    answer: ContractState,
    codes: ['ContractNotFound'],
  })
  @Get(':address/state')
  async state(
    @Param({ schema: ContractPath }) { address }: z.output<typeof ContractPath>,
    @Query({ schema: ContractStateQuery }) { group: given }: z.output<typeof ContractStateQuery>,
  ): Promise<ContractStateAnswer> {
    const { groups } = this.settings.network;
    const { contractId } = address.lockupScript;
    const group = groupOfContractId(contractId, groups);
    // The id ends in no group: the contract is unknown (the recorded behaviour; balances have another code).
    if (group === undefined) throw contractUnknown(address, groups);
    if (given !== undefined && given !== group) throw groupMismatch(given, address.text, group);
    const state = this.groups.request(group, 'read.contract.stored', { contractId });
    return contractStateForm(await orNotFound(state, () => contractUnknown(address, groups)));
  }

  @Operation({
    role: 'read',
    summary: 'Build a transaction that creates a contract',
    description: 'The address of the contract follows from the transaction, and is answered with it.',
    answer: BuildDeployContractTxResult,
    codes: refusals,
  })
  @Post('unsigned-tx/deploy-contract')
  async buildDeployment(
    @Body({ schema: BuildDeployContractTx }) body: Deployment,
  ): Promise<z.output<typeof BuildDeployContractTxResult>> {
    const { group, payload } = this.senderAndGas(body);
    const built = await this.builds.deployment(group, {
      ...payload,
      bytecode: hexToBytes(body.bytecode),
      initialAmount: body.initialAttoCoinAmount?.toString(),
      initialTokens: tokenItems(body.initialTokenAmounts),
      issueTokenAmount: body.issueTokenAmount?.toString(),
      issueTokenTo: body.issueTokenTo && scriptHex(body.issueTokenTo.lockupScript),
    });
    return { ...builtForm(built), contractAddress: contractAddressOf(built.contractId) };
  }

  @Operation({
    role: 'read',
    summary: 'Build a transaction that runs a script',
    description:
      'The script is tried with the inputs of the transaction and what the request approves; without a gas amount, the gas that it takes is asked for. What is built can be submitted until something changes.',
    answer: BuildTransactionResult,
    codes: refusals,
  })
  @Post('unsigned-tx/execute-script')
  async buildExecution(
    @Body({ schema: BuildExecuteScriptTx }) body: Execution,
  ): Promise<z.output<typeof BuildTransactionResult>> {
    const { group, payload } = this.senderAndGas(body);
    const built = await this.builds.transaction(group, 'read.building.execute-script', {
      ...payload,
      script: hexToBytes(body.bytecode),
      amount: body.attoCoinAmount?.toString(),
      tokens: tokenItems(body.tokens),
    });
    return builtForm(built);
  }

  /** Sender and gas: the same for both transactions. */
  private senderAndGas({ fromPublicKey, fromPublicKeyType, gasAmount, gasPrice }: Deployment | Execution) {
    const { unminable } = this.settings.profile;
    const { group, ...scripts } = senderOfKey(fromPublicKey, fromPublicKeyType ?? 'default', this.settings);
    return { group, payload: { ...scripts, gasAmount, gasPrice: gasPrice?.toString(), unminable } };
  }
}

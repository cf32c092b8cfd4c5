import { Controller, Inject } from '@nestjs/common';
import {
  type BuildDeployContractRequest,
  type BuildExecuteScriptRequest,
  type BuildManySendersRequest,
  type BuiltDeployment,
  type BuildSweepRequest,
  type BuildTransferRequest,
  type BuiltTransaction,
  HandlesGroupRequest,
  type SweepReply,
} from '@shardnode/messages';
import { type BuilderReads } from '../building/builder-reads.js';
import { buildManySendersFor } from '../building/many-senders.js';
import { buildDeployContractFor, buildExecuteScriptFor } from '../building/script-transaction.js';
import { buildSweepFor } from '../building/sweep.js';
import { buildTransferFor } from '../building/transfer.js';
import { BUILDER_READS } from './tokens.js';

@Controller()
export class BuildingRpc {
  constructor(@Inject(BUILDER_READS) private readonly node: BuilderReads) {}

  @HandlesGroupRequest('read.building.transfer')
  transfer(request: BuildTransferRequest): Promise<BuiltTransaction> {
    return buildTransferFor(this.node, request);
  }

  @HandlesGroupRequest('read.building.sweep')
  sweep(request: BuildSweepRequest): Promise<SweepReply> {
    return buildSweepFor(this.node, request);
  }

  @HandlesGroupRequest('read.building.many-senders')
  manySenders(request: BuildManySendersRequest): Promise<BuiltTransaction> {
    return buildManySendersFor(this.node, request);
  }

  @HandlesGroupRequest('read.building.execute-script')
  executeScript(request: BuildExecuteScriptRequest): Promise<BuiltTransaction> {
    return buildExecuteScriptFor(this.node, request);
  }

  @HandlesGroupRequest('read.building.deploy-contract')
  deployContract(request: BuildDeployContractRequest): Promise<BuiltDeployment> {
    return buildDeployContractFor(this.node, request);
  }
}

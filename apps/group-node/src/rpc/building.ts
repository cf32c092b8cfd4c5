import { Controller, Inject } from '@nestjs/common';
import { type BuildTransferRequest, type BuiltTransaction, HandlesGroupRequest } from '@shardnode/messages';
import { buildTransferFor } from '../building/transfer.js';
import { type GroupNode } from '../group-node.js';
import { NODE } from './node-token.js';

@Controller()
export class BuildingRpc {
  constructor(@Inject(NODE) private readonly node: GroupNode) {}

  @HandlesGroupRequest('read.building.transfer')
  transfer(request: BuildTransferRequest): Promise<BuiltTransaction> {
    return buildTransferFor(this.node, request);
  }
}

import { Controller, Inject } from '@nestjs/common';
import { type Refusal, refusalText, verdictText } from '@shardnode/protocol/validation';
import { ServiceError } from '@shardnode/core/errors';
import { HandlesGroupRequest } from '@shardnode/messages';
import { type GroupNode } from '../group-node.js';
import { NODE } from './node-token.js';

/** `txId` and `reason` in the data: which of its transactions is refused, and by which rule. */
const refusedBlock = (refusal: Refusal): ServiceError => {
  const { code, transactionId: txId, reason, detail } = refusal;
  return new ServiceError('refused', code, detail ?? refusalText(refusal), {
    ...(txId === undefined ? {} : { txId }),
    ...(reason ? { reason: verdictText(reason) } : {}),
  });
};

/** Blocks from outside, and the check of the index of all of them. */
@Controller()
export class CommandRpc {
  constructor(@Inject(NODE) private readonly node: GroupNode) {}

  @HandlesGroupRequest('command.block.submit')
  async submitBlock({ block }: { readonly block: Uint8Array }): Promise<{
    readonly outcome: 'added' | 'known' | 'buffered';
  }> {
    const outcome = await this.node.intake.accept(block, 'block', { kind: 'submitted' });
    switch (outcome.kind) {
      case 'added':
        this.node.importer.hurry();
        await outcome.stored;
        return { outcome: 'added' };
      case 'known':
      case 'buffered':
        return { outcome: outcome.kind };
      case 'undecided':
        throw outcome.fault;
      case 'refused':
        throw refusedBlock(outcome.refusal);
    }
  }

  @HandlesGroupRequest('command.chain.check-index')
  checkIndex(): { readonly started: boolean } {
    return { started: this.node.indexCheck.start() };
  }
}

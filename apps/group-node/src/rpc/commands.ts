import { Controller, Inject } from '@nestjs/common';
import { refusalText } from '@shardnode/protocol/validation';
import { ServiceError } from '@shardnode/core/errors';
import { HandlesGroupRequest } from '@shardnode/messages';
import { type GroupNode } from '../group-node.js';
import { NODE } from './node-token.js';

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
      case 'refused': {
        const { refusal } = outcome;
        throw new ServiceError('refused', refusal.code, refusal.detail ?? refusalText(refusal));
      }
    }
  }

  @HandlesGroupRequest('command.chain.check-index')
  checkIndex(): { readonly started: boolean } {
    return { started: this.node.indexCheck.start() };
  }
}

import { Controller, Inject } from '@nestjs/common';
import { ServiceError } from '@shardnode/core/errors';
import { type ChainSelector, HandlesGroupRequest, type SubmitReply } from '@shardnode/messages';
import { type GroupNode } from '../group-node.js';
import { refusalName } from '../mempool/refusal-text.js';
import { NODE } from './node-token.js';

/** What changes the chain. */
@Controller()
export class CommandRpc {
  constructor(@Inject(NODE) private readonly node: GroupNode) {}

  @HandlesGroupRequest('command.mempool.submit')
  submit({ template }: { readonly template: Uint8Array }): Promise<SubmitReply> {
    return this.node.submission.submit(template);
  }

  /** Exactly one block. What the siblings have stored before is considered, although their messages may be late. */
  @HandlesGroupRequest('command.mining.mine-one')
  async mineOne({ from, to }: ChainSelector): Promise<{ readonly blockHash: string }> {
    const { state, sync, miner } = this.node;
    if (from !== state.group) {
      throw new ServiceError('invalid-request', 'NotThisGroup', `chain (${from}, ${to}) is mined by group ${from}`);
    }
    sync.requireReady();
    await sync.catchUp();
    return { blockHash: await miner.mine({ from, to }) };
  }

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
        throw new ServiceError('refused', refusal.code, refusal.detail ?? refusalName(refusal));
      }
    }
  }
}

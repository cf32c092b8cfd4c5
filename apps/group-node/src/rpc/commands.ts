import { Controller } from '@nestjs/common';
import { type Refusal, refusalText, verdictText } from '@shardnode/protocol/validation';
import { ServiceError } from '@shardnode/core/errors';
import { HandlesGroupRequest } from '@shardnode/messages';
import { Importer } from '../import/index.js';
import { Intake } from '../intake/index.js';
import { IndexCheck } from '../start/index-check.js';

/** `txId` and `reason` in the data: the refused transaction and the violated rule. */
const refusedBlock = (refusal: Refusal): ServiceError => {
  const { code, transactionId: txId, reason, detail } = refusal;
  return new ServiceError('refused', code, detail ?? refusalText(refusal), {
    ...(txId === undefined ? {} : { txId }),
    ...(reason ? { reason: verdictText(reason) } : {}),
  });
};

/** Blocks from outside, and the check of the height index. */
@Controller()
export class CommandRpc {
  constructor(
    private readonly intake: Intake,
    private readonly importer: Importer,
    private readonly indexCheck: IndexCheck,
  ) {}

  @HandlesGroupRequest('command.block.submit')
  async submitBlock({ block }: { readonly block: Uint8Array }): Promise<{
    readonly outcome: 'added' | 'known' | 'buffered';
  }> {
    const outcome = await this.intake.accept(block, 'block', { kind: 'submitted' });
    switch (outcome.kind) {
      case 'added':
        this.importer.flushSoon();
        await outcome.stored;
        return { outcome: 'added' };
      case 'known':
        await this.importer.stored(outcome.hash);
        return { outcome: 'known' };
      case 'buffered':
        return { outcome: 'buffered' };
      case 'undecided':
        throw outcome.fault;
      case 'refused':
        throw refusedBlock(outcome.refusal);
    }
  }

  @HandlesGroupRequest('command.chain.check-index')
  checkIndex(): { readonly started: boolean } {
    return { started: this.indexCheck.start() };
  }
}

import { Controller } from '@nestjs/common';
import { type BusContext } from '@shardnode/core/bus';
import { currentContext } from '@shardnode/core/observability';
import { HandlesGroupRequest, type SubmitReply } from '@shardnode/messages';
import { type PendingPage, type PendingQuery, PoolControl } from '../mempool/pool-control.js';
import { Submission } from '../mempool/submission.js';

/** Pending transactions (protocol 02 §13, 07 §12). */
@Controller()
export class MempoolRpc {
  constructor(
    private readonly submission: Submission,
    private readonly pool: PoolControl,
  ) {}

  @HandlesGroupRequest('command.mempool.submit')
  submit(
    { template }: { readonly template: Uint8Array },
    { deadlineMs }: Pick<BusContext, 'deadlineMs'>,
  ): Promise<SubmitReply> {
    return this.submission.submit(template, currentContext()?.client, deadlineMs);
  }

  @HandlesGroupRequest('read.mempool.list')
  list(query: PendingQuery): PendingPage {
    return this.pool.list(query);
  }

  @HandlesGroupRequest('command.mempool.rebroadcast')
  rebroadcast({ txId }: { readonly txId: string }): Record<string, never> {
    this.pool.rebroadcast(txId);
    return {};
  }

  @HandlesGroupRequest('command.mempool.validate')
  async validate(): Promise<{ readonly removed: number }> {
    return { removed: await this.pool.validate() };
  }

  @HandlesGroupRequest('command.mempool.clear')
  async clear(): Promise<{ readonly removed: number }> {
    return { removed: await this.pool.clear() };
  }
}

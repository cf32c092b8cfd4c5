import { Controller } from '@nestjs/common';
import { HandlesGroupRequest, type PendingItem, type SubmitReply } from '@shardnode/messages';
import { PoolControl } from '../mempool/pool-control.js';
import { Submission } from '../mempool/submission.js';

/** Pending transactions (protocol 02 §13, 07 §12). */
@Controller()
export class MempoolRpc {
  constructor(
    private readonly submission: Submission,
    private readonly pool: PoolControl,
  ) {}

  @HandlesGroupRequest('command.mempool.submit')
  submit({ template }: { readonly template: Uint8Array }): Promise<SubmitReply> {
    return this.submission.submit(template);
  }

  @HandlesGroupRequest('read.mempool.list')
  list({ offset = 0, limit = Number.POSITIVE_INFINITY }: { readonly offset?: number; readonly limit?: number }): {
    readonly transactions: readonly PendingItem[];
    readonly total: number;
  } {
    return this.pool.list(offset, limit);
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

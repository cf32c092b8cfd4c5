import { Controller, Inject } from '@nestjs/common';
import { type EventItem, HandlesGroupRequest } from '@shardnode/messages';
import { type Hash } from '@shardnode/protocol/primitives';
import { type EventPageQuery } from '../store/index.js';
import { type NodeReads } from '../view/reads.js';
import { READS } from './tokens.js';

/** Recorded events of contracts (protocol 05 §13, 07 §11). */
@Controller()
export class EventsRpc {
  constructor(@Inject(READS) private readonly node: NodeReads) {}

  @HandlesGroupRequest('read.events.contract')
  ofContract(query: EventPageQuery): Promise<{ readonly events: readonly EventItem[]; readonly nextStart: number }> {
    return this.node.store.contractEvents(query);
  }

  @HandlesGroupRequest('read.events.count')
  async count({ contractId }: { readonly contractId: Hash }): Promise<{ readonly count: number }> {
    return { count: await this.node.store.eventPageCount(contractId) };
  }

  @HandlesGroupRequest('read.events.transaction')
  async ofTransaction({ txId, maxBytes }: { readonly txId: Hash; readonly maxBytes?: number }): Promise<{
    readonly events: readonly EventItem[];
  }> {
    return { events: await this.node.store.transactionEvents(txId, maxBytes) };
  }

  /**
   * Nothing for a block that is not canonical (00-decisions, 9); a response with the block itself always contains its
   * events.
   */
  @HandlesGroupRequest('read.events.block')
  async ofBlock({ hash, maxBytes }: { readonly hash: Hash; readonly maxBytes?: number }): Promise<{
    readonly events: readonly EventItem[];
  }> {
    const { memory } = this.node.state;
    const { published } = memory;
    const isShown = await memory.loaded(() => published.has(hash) && published.isCanonical(hash));
    return { events: isShown ? await this.node.store.blockEvents(hash, maxBytes) : [] };
  }
}

import { Controller, Inject } from '@nestjs/common';
import {
  HandlesGroupRequest,
  type NodeReportReply,
  type NodeStatusReply,
  type PullReply,
  type PullRequest,
} from '@shardnode/messages';
import { allChainIndexes } from '@shardnode/protocol/primitives';
import { type GroupNode } from '../group-node.js';
import { answerPull } from '../sync/answer-pull.js';
import { NODE } from './node-token.js';

/** Milliseconds: well within the deadline of the caller, who asks again; on a busy machine an answer takes its time, too. */
const patience = 1_000;

/** What siblings and gateways ask about the state of this node. */
@Controller()
export class SyncRpc {
  constructor(@Inject(NODE) private readonly node: GroupNode) {}

  @HandlesGroupRequest('read.node.status')
  status(): NodeStatusReply {
    const { state, sync } = this.node;
    const reason = sync.notReadyBecause();
    const clockOffset = sync.clockOffset();
    return { group: state.group, synced: reason === undefined, reason, clockOffset, mempoolSize: state.pool.size };
  }

  @HandlesGroupRequest('read.node.report')
  report(): NodeReportReply {
    const { state, intake, clock } = this.node;
    const { settings, memory } = state;
    const chains = allChainIndexes(settings.groups);
    return {
      ...this.status(),
      networkId: settings.networkId,
      genesis: chains.map((chain) => memory.published.hashesAt(chain, 0)[0]!),
      heights: chains.map((chain) => memory.published.currentHeight(chain)),
      buffered: intake.buffered,
      clock: String(clock.now()),
    };
  }

  @HandlesGroupRequest('read.sync.pull')
  async pull(request: PullRequest): Promise<PullReply> {
    const { state, store, clock } = this.node;
    const page = await answerPull(state, store, request);
    return { ...page, sentAt: String(clock.now()) };
  }

  @HandlesGroupRequest('read.view.includes')
  async includes({ blockHash }: { readonly blockHash: string }): Promise<{ readonly included: boolean }> {
    return { included: await this.node.waiters.shows(blockHash, patience) };
  }
}

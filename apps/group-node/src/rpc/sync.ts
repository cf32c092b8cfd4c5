import { Controller, Inject } from '@nestjs/common';
import {
  HandlesGroupRequest,
  type NodeReportReply,
  type NodeStatusReply,
  type PullReply,
  type PullRequest,
  type SiblingReport,
} from '@shardnode/messages';
import { type ServiceHealth } from '@shardnode/core/service';
import { allChainIndexes } from '@shardnode/protocol/primitives';
import { Intake } from '../intake/index.js';
import { oldestPending } from '../mempool/oldest-pending.js';
import { answerPull } from '../sync/answer-pull.js';
import { SyncKeeper } from '../sync/index.js';
import { type SiblingState } from '../sync/sibling-progress.js';
import { type NodeReads } from '../view/reads.js';
import { ViewWaiters } from '../view/view-waiters.js';
import { HEALTH, READS } from './tokens.js';

/**
 * Milliseconds: well below the deadline of the caller, which repeats the request; on a busy machine the response takes
 * time, too.
 */
const patience = 1_000;

const reportOf = ({ group, blocksBehind, behindForMs, silentForMs, clockOffsetMs }: SiblingState): SiblingReport => ({
  group,
  blocksBehind,
  behindForSeconds: Math.round(behindForMs) / 1000,
  ...(silentForMs === undefined ? {} : { silentForSeconds: Math.round(silentForMs) / 1000 }),
  ...(clockOffsetMs === undefined ? {} : { clockOffsetMs }),
});

/** Queries of siblings and gateways about the state of this node. */
@Controller()
export class SyncRpc {
  constructor(
    @Inject(READS) private readonly node: NodeReads,
    private readonly sync: SyncKeeper,
    private readonly intake: Intake,
    private readonly waiters: ViewWaiters,
    @Inject(HEALTH) private readonly health: () => Promise<ServiceHealth>,
  ) {}

  @HandlesGroupRequest('read.node.status')
  status(): NodeStatusReply {
    const { sync } = this;
    const { state } = this.node;
    const problem = sync.problem();
    const status = {
      group: state.group,
      synced: problem === undefined,
      reason: problem?.reason,
      clockOffset: sync.clockOffset(),
      ...(sync.split && { split: sync.split }),
      mempoolSize: state.pool.size,
    };
    return problem
      ? { ...status, blocksBehind: Number(problem.data?.['blocksBehind']), behindForMs: problem.forMs }
      : status;
  }

  @HandlesGroupRequest('read.node.report')
  async report(): Promise<NodeReportReply> {
    const { state, clock } = this.node;
    const { settings, memory } = state;
    const chains = allChainIndexes(settings.groups);
    return {
      ...this.status(),
      networkId: settings.networkId,
      genesis: chains.map((chain) => memory.published.hashesAt(chain, 0)[0]!),
      heights: chains.map((chain) => memory.published.currentHeight(chain)),
      buffered: this.intake.buffered,
      clock: String(clock.now()),
      tips: chains.map((chain) => [...memory.published.tipNodes(chain)].length),
      mempool: { size: state.pool.size, capacity: state.pool.capacity, oldestSeconds: oldestPending(this.node) },
      siblings: this.sync.siblings().map(reportOf),
      health: await this.health(),
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
    return { included: await this.waiters.shows(blockHash, patience) };
  }
}

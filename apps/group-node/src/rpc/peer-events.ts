import { Controller, Inject } from '@nestjs/common';
import { HandlesPeerEvent, type PeerEvents } from '@shardnode/messages';
import { Intake } from '../intake/index.js';
import { PoolUpkeep } from '../mempool/upkeep.js';
import { checkTips } from '../sync/check-tips.js';
import { SyncKeeper } from '../sync/index.js';
import { type NodeReads } from '../view/reads.js';
import { ViewWaiters } from '../view/view-waiters.js';
import { READS } from './tokens.js';

/** Messages of the siblings. The bus has checked that the sender is the group that the subject names. */
@Controller()
export class PeerEventsRpc {
  constructor(
    @Inject(READS) private readonly node: NodeReads,
    private readonly intake: Intake,
    private readonly upkeep: PoolUpkeep,
    private readonly sync: SyncKeeper,
    private readonly waiters: ViewWaiters,
  ) {}

  @HandlesPeerEvent('peer.block')
  async block({ from, block }: PeerEvents['peer.block']): Promise<void> {
    await this.intake.accept(block, 'block', { kind: 'announced', from });
  }

  @HandlesPeerEvent('peer.header')
  async header({ from, header }: PeerEvents['peer.header']): Promise<void> {
    await this.intake.accept(header, 'header', { kind: 'announced', from });
  }

  @HandlesPeerEvent('peer.tx')
  transaction({ from, template }: PeerEvents['peer.tx']): void {
    const refusal = this.upkeep.addIncoming(template, from);
    if (refusal) this.intake.countRefused(refusal, 'transaction', { kind: 'announced', from });
  }

  @HandlesPeerEvent('peer.tips')
  tips({ from, bestDependencies, sentAt, heights, startedAt }: PeerEvents['peer.tips']): void {
    const refusal = checkTips(from, bestDependencies, this.node.state.settings.groups);
    if (refusal) return this.intake.countRefused(refusal, 'tips', { kind: 'announced', from });
    this.sync.tipsReceived(from, { best: bestDependencies, sentAt: Number(sentAt), heights, startedAt });
    this.waiters.siblingMoved();
  }
}

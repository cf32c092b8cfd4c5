import { Controller, Inject } from '@nestjs/common';
import { HandlesPeerEvent, type PeerEvents } from '@shardnode/messages';
import { type GroupNode } from '../group-node.js';
import { checkTips } from '../sync/check-tips.js';
import { NODE } from './node-token.js';

/** News of the siblings. The bus has checked that the sender is the group that the subject names. */
@Controller()
export class PeerEventsRpc {
  constructor(@Inject(NODE) private readonly node: GroupNode) {}

  @HandlesPeerEvent('peer.block')
  async block({ from, block }: PeerEvents['peer.block']): Promise<void> {
    await this.node.intake.accept(block, 'block', { kind: 'announced', from });
  }

  @HandlesPeerEvent('peer.header')
  async header({ from, header }: PeerEvents['peer.header']): Promise<void> {
    await this.node.intake.accept(header, 'header', { kind: 'announced', from });
  }

  @HandlesPeerEvent('peer.tx')
  transaction({ from, template }: PeerEvents['peer.tx']): void {
    const refusal = this.node.upkeep.addIncoming(template, from);
    if (refusal) this.node.intake.countRefused(refusal, 'transaction', { kind: 'announced', from });
  }

  @HandlesPeerEvent('peer.tips')
  tips({ from, bestDependencies, sentAt, heights }: PeerEvents['peer.tips']): void {
    const refusal = checkTips(from, bestDependencies, this.node.state.settings.groups);
    if (refusal) return this.node.intake.countRefused(refusal, 'tips', { kind: 'announced', from });
    this.node.sync.heardTips(from, { best: bestDependencies, sentAt: Number(sentAt), heights });
    this.node.waiters.siblingMoved();
  }
}

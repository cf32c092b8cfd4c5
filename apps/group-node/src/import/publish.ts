import { type Hash } from '@shardnode/protocol/primitives';
import { type PeerPublisher } from '@shardnode/messages';
import { type ImportItem } from './import-item.js';

/**
 * The last step, after COMMIT and never before (protocol 03 §12.3 point 2): the body of an own block goes to its second
 * holder, the header to the others. Foreign blocks are not passed on (§12.2). All of it are hints that may be lost.
 */
export const announceBlocks = (peers: PeerPublisher, items: readonly ImportItem[]): void => {
  for (const { role, block, header } of items) {
    if (role !== 'own' || !block) continue;
    const { from, to } = header.chainIndex;
    peers.publish('peer.block', { from, to, block: block.raw });
    peers.publish('peer.header', { from, to, header: header.raw });
  }
};

/** Siblings show incoming outputs by these (protocol 03 §12.6), notice gaps, and compare their clocks (decision 31). */
export const announceTips = (peers: PeerPublisher, group: number, best: readonly Hash[], now: number): void =>
  peers.publish('peer.tips', { from: group, bestDependencies: best, sentAt: String(now) });

import { type Hash } from '@shardnode/protocol/primitives';
import { type PeerPublisher } from '@shardnode/messages';
import { type GroupState } from '../view/group-state.js';
import { type ImportItem } from './import-item.js';

/** A block or header that has been stored. */
interface Stored {
  readonly item: ImportItem;
  readonly commit: { readonly height: number };
}

/**
 * The last step, after COMMIT and never before (protocol 03 §12.3 point 2): the body of an own block goes to its second
 * holder, the header to the others. Foreign blocks are not relayed (§12.2). Gateways relay the block to listening
 * clients (07 §18). All of these messages are hints that may be lost.
 */
export const announceBlocks = (peers: PeerPublisher, stored: readonly Stored[]): void => {
  for (const { item, commit } of stored) {
    const { role, block, header } = item;
    if (role !== 'own' || !block) continue;
    const { from, to } = header.chainIndex;
    peers.publish('peer.block', { from, to, block: block.raw });
    peers.publish('peer.header', { from, to, header: header.raw });
    peers.publish('feed.block', { from, to, height: commit.height, block: block.raw });
  }
};

/**
 * Announces the tips. With them, siblings show incoming outputs (protocol 03 §12.6), detect gaps and compare their
 * clocks (decision 31). `startedAt`, of heartbeats: identifies one start of this node.
 */
export const announceTips = (
  peers: PeerPublisher,
  state: GroupState,
  best: readonly Hash[],
  now: number,
  startedAt?: string,
): void => {
  const { group, settings, memory } = state;
  const heights = Array.from({ length: settings.groups }, (_, to) =>
    memory.published.currentHeight({ from: group, to }),
  );
  peers.publish('peer.tips', {
    from: group,
    bestDependencies: best,
    sentAt: String(now),
    heights,
    ...(startedAt !== undefined && { startedAt }),
  });
};

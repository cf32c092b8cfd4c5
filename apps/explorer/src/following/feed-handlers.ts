import { Controller, Inject } from '@nestjs/common';
import { type BusContext } from '@shardnode/core/bus';
import { type FeedEvents, HandlesFeedEvent, parseSubject } from '@shardnode/messages';
import { SyncState } from './sync-state.js';
import { type IndexerSupervisor } from './indexer-supervisor.js';

/** Provider of the process's supervisor; undefined in a process that only reads. */
export const supervisorOfProcess = Symbol('supervisor');

/** Announcements and heartbeats of the group-nodes: hints to pull (protocol 08 §4.2, 09 §3). */
@Controller()
export class FeedHandlers {
  constructor(
    private readonly state: SyncState,
    @Inject(supervisorOfProcess) private readonly supervisor: IndexerSupervisor | undefined,
  ) {}

  @HandlesFeedEvent('feed.chain')
  chain({ chainFrom, chainTo, epoch, head }: FeedEvents['feed.chain']): void {
    const { height, hash } = head;
    this.heads(chainFrom, epoch, [{ chainTo, height, hash }]);
  }

  @HandlesFeedEvent('feed.heartbeat')
  heartbeat({ group, epoch, heads }: FeedEvents['feed.heartbeat']): void {
    this.heads(group, epoch, heads);
  }

  /** The group of a mempool is in the subject alone. */
  @HandlesFeedEvent('feed.pool')
  pool(change: FeedEvents['feed.pool'], { subject }: BusContext): void {
    const parsed = parseSubject(subject);
    if (parsed?.kind === 'feed-event') this.supervisor?.poolChanged(parsed.from, change);
  }

  private heads(from: number, epoch: string, heads: Parameters<IndexerSupervisor['heard']>[2]): void {
    this.state.heard(from, heads);
    this.supervisor?.heard(from, epoch, heads);
  }
}

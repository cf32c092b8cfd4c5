import { Counter, type Registry } from 'prom-client';
import { type RefusedRead } from './read-limits.js';

/** Counts of the feed, for metrics. */
export interface FeedMeasures {
  /** An announcement was given up. */
  dropped(): void;
  /** A request of a follower was refused. */
  refused(reason: RefusedRead): void;
}

export const noFeedMeasures: FeedMeasures = { dropped: () => undefined, refused: () => undefined };

export const feedMetrics = (registry: Registry): FeedMeasures => {
  const registers = [registry];
  const dropped = new Counter({
    name: 'group_node_feed_dropped_total',
    help: 'Announcements to followers given up because the store was slower than the changes; followers pull after the next heartbeat',
    registers,
  });
  const refused = new Counter({
    name: 'group_node_feed_refused_total',
    help: 'Requests of followers refused as TooManyRequests, by limit: at-once (four are served), time (their share of the time is used)',
    labelNames: ['limit'],
    registers,
  });
  return { dropped: () => dropped.inc(), refused: (limit) => refused.inc({ limit }) };
};

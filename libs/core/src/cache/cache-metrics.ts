import { Counter, Gauge, type Registry } from 'prom-client';
import { type CacheObserver, type CacheReadOutcome } from './cache.js';

/**
 * Metrics of caches by name (label `cache`): reads by outcome, failures by reason, and whether the cache is reachable
 * (1) or not (0).
 */
export const cacheMetrics = (registry: Registry): ((cache: string) => CacheObserver) => {
  const registers = [registry];
  const counted = new Map<string, Map<CacheReadOutcome, number>>();
  new Counter({
    name: 'cache_reads_total',
    help: 'Reads by outcome: hit, miss, wrong-bytes (a miss that was deleted)',
    labelNames: ['cache', 'outcome'],
    registers,
    // Counted here and passed to the library at each scrape: its label checks are too expensive for a read.
    collect() {
      for (const [cache, outcomes] of counted) {
        for (const [outcome, reads] of outcomes) this.inc({ cache, outcome }, reads);
        outcomes.clear();
      }
    },
  });
  const failures = new Counter({
    name: 'cache_failures_total',
    help: 'Failed calls of the cache, by reason: away, timeout, paused, refused',
    labelNames: ['cache', 'reason'],
    registers,
  });
  const reachable = new Gauge({
    name: 'cache_reachable',
    help: '1 while the cache can be reached, else 0',
    labelNames: ['cache'],
    registers,
  });
  return (cache) => {
    const outcomes = counted.get(cache) ?? new Map<CacheReadOutcome, number>();
    counted.set(cache, outcomes);
    return {
      read: (outcome) => void outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1),
      failed: (reason) => failures.inc({ cache, reason }),
      reachable: (isReachable) => reachable.set({ cache }, isReachable ? 1 : 0),
    };
  };
};

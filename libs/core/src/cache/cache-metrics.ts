import { Counter, Gauge, type Registry } from 'prom-client';
import { type CacheObserver } from './cache.js';

/**
 * Metrics of caches, each by its name (label `cache`): reads by outcome, failures by reason, and whether it can be reached (1)
 * or not (0).
 */
export const cacheMetrics = (registry: Registry): ((cache: string) => CacheObserver) => {
  const registers = [registry];
  const reads = new Counter({
    name: 'cache_reads_total',
    help: 'Values asked for, by outcome: hit, miss, wrong-bytes (a miss that was deleted)',
    labelNames: ['cache', 'outcome'],
    registers,
  });
  const failures = new Counter({
    name: 'cache_failures_total',
    help: 'Calls that the cache did not carry out, by reason: away, timeout, paused, refused',
    labelNames: ['cache', 'reason'],
    registers,
  });
  const reachable = new Gauge({
    name: 'cache_reachable',
    help: '1 while the cache can be reached, else 0',
    labelNames: ['cache'],
    registers,
  });
  return (cache) => ({
    read: (outcome) => reads.inc({ cache, outcome }),
    failed: (reason) => failures.inc({ cache, reason }),
    reachable: (isReachable) => reachable.set({ cache }, isReachable ? 1 : 0),
  });
};

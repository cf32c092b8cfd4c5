import { Counter, Gauge, type Registry } from 'prom-client';
import { type CacheObserver } from './cache.js';

/** Metrics of a cache: reads by outcome, failures by reason, and whether it can be reached (1) or not (0). */
export const cacheMetrics = (registry: Registry): CacheObserver => {
  const registers = [registry];
  const reads = new Counter({
    name: 'cache_reads_total',
    help: 'Values asked for, by outcome: hit, miss, wrong-bytes (a miss that was deleted)',
    labelNames: ['outcome'],
    registers,
  });
  const failures = new Counter({
    name: 'cache_failures_total',
    help: 'Calls that the cache did not carry out, by reason: away, timeout, paused, refused',
    labelNames: ['reason'],
    registers,
  });
  const reachable = new Gauge({ name: 'cache_reachable', help: '1 while the cache can be reached, else 0', registers });
  return {
    read: (outcome) => reads.inc({ outcome }),
    failed: (reason) => failures.inc({ reason }),
    reachable: (isReachable) => reachable.set(isReachable ? 1 : 0),
  };
};

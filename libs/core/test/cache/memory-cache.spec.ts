import { describe } from '@jest/globals';
import { MemoryCache } from '../../src/cache/index.js';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { cacheContract, type CacheInTime, cacheTimes } from './cache-contract.js';

describe('cache in memory', () => {
  const open = (): CacheInTime => {
    const clock = createStoppedClock();
    return {
      cache: new MemoryCache({ maxBytes: 1_000_000, clock }),
      pass: async (milliseconds) => clock.advance(milliseconds),
    };
  };
  cacheContract(() => open().cache);
  cacheTimes(open);
});

import { cachedAnswer } from '@shardnode/core/http-server';
import { type Clock } from '@shardnode/core/lifecycle';
import { newestTimestamp } from '../reads/info-reads.js';
import { type Reads } from '../database/reads.js';

/** Milliseconds for which the time of the newest block is kept. */
const keptMs = 1_000;

/** Milliseconds since the newest block of the index; undefined before the first, or when it cannot be read. */
export type IndexLag = () => Promise<number | undefined>;

/** Reads at most once a second, whatever the number of answers. */
export const indexLag = (reads: Reads, clock: Clock): IndexLag => {
  const newest = cachedAnswer(() => reads.of(newestTimestamp), { ttlMs: () => keptMs, now: () => clock.monotonic() });
  return async () => {
    const timestamp = await newest().catch(() => undefined);
    return timestamp === undefined ? undefined : clock.now() - timestamp;
  };
};

import { setMeta } from '../index-store/schema-state.js';
import { inSnapshot } from '../database/snapshot.js';
import { lastIndexCheck, type IndexCheck, indexCheckMark } from '../index-check/last-index-check.js';
import { checkIndex } from '../index-check/check-index.js';
import { type BackgroundJob } from '../background/background-job.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** The hour of the day, UTC (protocol 08 §4.13). */
const startsAt = 4 * hourMs;
/** Milliseconds for the statement that reads when it was. */
const patience = 5_000;

/** The last 04:00 UTC up to a time. Milliseconds since 1970. */
const lastStart = (now: number): number => Math.floor((now - startsAt) / dayMs) * dayMs + startsAt;

/**
 * Looks daily whether the index is consistent, at 04:00 UTC, or later if the writer was not live then (protocol 08
 * §4.13). It logs and stores its findings and repairs nothing.
 * @param random 0 to below 1
 */
export const indexCheckJob = (random: () => number = Math.random): BackgroundJob => {
  // The first check is due at the first 04:00 UTC after this time.
  let began: number | undefined;
  return {
    name: 'verify',
    everyMs: 60_000,
    isDue: async ({ reading, clock }) => {
      const now = clock.now();
      began ??= now;
      const last = await inSnapshot(reading, lastIndexCheck, patience);
      return (last?.at ?? began) < lastStart(now);
    },
    run: async (context) => {
      const { clock, logger, writing } = context;
      const check: IndexCheck = { at: clock.now(), findings: await checkIndex(context, random) };
      const { at, findings } = check;
      if (findings.length > 0) logger.error({ findings }, 'IndexInconsistent');
      else logger.info({ tookMs: clock.now() - at }, 'the index is consistent');
      await writing((database) => setMeta(database, indexCheckMark, check));
    },
  };
};

import { genesisTimestamp } from '@shardnode/protocol/block';
import { timeText } from '@shardnode/protocol/primitives';
import { type ServiceError } from '@shardnode/core/errors';
import { type Clock } from '@shardnode/core/lifecycle';
import { errorOf, optional, required, timestamp } from '@shardnode/http';
import { mostCharacters } from '../large-answers/most-characters.js';
import { beforeGenesisText, isBeforeGenesis, secondsHint } from '../operations/mistaken-times.js';
import { parametersOf } from '../operations/parameters.js';
import { type ApiSettings } from '../settings/api-settings.js';

/** Longest interval of a query, milliseconds (protocol 07 §1.14, `blockflowFetchMaxAge`). */
const longestInterval = 1_800_000n;
const longestText = `${longestInterval} ms (${longestInterval / 60_000n} minutes)`;

/** The query of an interval in milliseconds since 1970. */
export const IntervalQuery = parametersOf({
  fromTs: required(timestamp, { description: 'Start, milliseconds since 1970' }),
  toTs: optional(timestamp, { description: 'End, milliseconds since 1970; default: now; at most 30 minutes later' }),
});

/** Milliseconds since 1970. */
interface Interval {
  readonly fromTs: bigint;
  readonly toTs?: bigint | undefined;
}

/**
 * The end of an interval that must be a mistake: no block is older than the genesis, so the unit is wrong. `fromTs` may
 * be before it as long as an interval from there reaches it.
 */
const mistakenEnd = ({ fromTs, toTs = genesisTimestamp }: Interval): { field: string; time: bigint } | undefined => {
  if (isBeforeGenesis(fromTs + longestInterval)) return { field: 'fromTs', time: fromTs };
  return isBeforeGenesis(toTs) ? { field: 'toTs', time: toTs } : undefined;
};

/** Throws `InvalidInterval` for an end before the genesis of the network. */
const checkGenesis = (interval: Interval, now: bigint): void => {
  const mistaken = mistakenEnd(interval);
  if (!mistaken) return;
  const { field, time } = mistaken;
  const hint = secondsHint(time, now + longestInterval) ?? `For example, the time now is ${now}.`;
  throw errorOf('InvalidInterval', `${field} ${beforeGenesisText(time, hint)}`, {
    field,
    genesis: genesisTimestamp.toString(),
  });
};

/** Throws `InvalidInterval` for a time span until now above the longest interval. */
export const checkTimespan = (timespan: number): void => {
  if (timespan <= longestInterval) return;
  throw errorOf('InvalidInterval', `timespan must be at most ${longestText}, but is ${timespan} ms`, {
    field: 'timespan',
    longestInterval: Number(longestInterval),
  });
};

const reversed = ({ fromTs, toTs }: Interval, now: bigint) =>
  errorOf(
    'InvalidInterval',
    `fromTs must be before toTs, but fromTs is ${timeText(fromTs)} and toTs is ${
      toTs === undefined ? `absent, which means now, ${timeText(now)}` : timeText(toTs)
    }`,
    { field: 'fromTs', fromTs: fromTs.toString(), ...(toTs === undefined ? {} : { toTs: toTs.toString() }) },
  );

const tooLong = ({ fromTs, toTs }: Interval, length: bigint) =>
  errorOf(
    'InvalidInterval',
    `The interval may be at most ${longestText}, but is ${length} ms${toTs === undefined ? ', because toTs is absent and means now' : ''}. ` +
      `Ask for it in parts, first fromTs=${fromTs}&toTs=${fromTs + longestInterval}.`,
    { field: 'fromTs', longestInterval: Number(longestInterval) },
  );

/** The answer of an interval is too large; the part from its start until `until` fits. */
export const tooManyBlocks = (
  { fromTs, toTs }: { readonly fromTs: number; readonly toTs: number },
  until: number,
): ServiceError =>
  errorOf(
    'AnswerTooLarge',
    `The blocks from fromTs=${fromTs} to toTs=${toTs} are more than ${mostCharacters} bytes of JSON. ` +
      `Ask for them in parts, first fromTs=${fromTs}&toTs=${until}.`,
    { field: 'toTs', fromTs: String(fromTs), toTs: String(until), limit: mostCharacters },
  );

/** The interval of a query, milliseconds since 1970 (protocol 07 §7.1). Throws `InvalidInterval`. */
export const boundedInterval = (
  { profile }: Pick<ApiSettings, 'profile'>,
  clock: Pick<Clock, 'now'>,
  given: Interval,
): { fromTs: number; toTs: number } => {
  const now = BigInt(clock.now());
  if (profile.beforeGenesis === 'refuse') checkGenesis(given, now);
  const { fromTs, toTs = now } = given;
  if (fromTs >= toTs) throw reversed(given, now);
  const length = toTs - fromTs;
  if (length > longestInterval) throw tooLong(given, length);
  return { fromTs: Number(fromTs), toTs: Number(toTs) };
};

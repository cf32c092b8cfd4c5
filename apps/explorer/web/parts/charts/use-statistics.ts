import { useMemo } from 'preact/hooks';
import { type BlockLite } from '../../store/forms.js';
import { reload, useAnswer, useAnswers } from '../../store/loaded.js';
import { calmNetwork, groups, now } from '../../store/network.js';
import {
  bucketsOf,
  chainCountValues,
  type ChainCountsRow,
  type HashRateRow,
  hashRateValues,
  type Interval,
  type MinuteRow,
  minuteValues,
  type RangeName,
  startsOf,
  type Values,
} from '../../store/statistics.js';
import { type ApiFailure } from '../../stream/api.js';
import { useSlowly } from '../use-slowly.js';

const [minuteMs, hourMs] = [60_000, 3_600_000];

export interface Statistics {
  readonly range: RangeName;
  readonly interval: Interval;
  /** Beginnings of the buckets, milliseconds since 1970. */
  readonly starts: readonly number[];
  readonly rates: Values;
  /** By the index of the chain. */
  readonly chains: readonly Values[];
  readonly failures: readonly (ApiFailure | undefined)[];
  readonly isLoading: boolean;
  readonly retry: () => void;
}

/** Milliseconds: the last hour is read again as often while blocks come. */
const refreshMs = 5_000;

/** The numbers of a range. @param first when the first block was made, milliseconds since 1970 */
export const useStatistics = (range: RangeName, interval: Interval, first: number): Statistics => {
  const { lengthMs } = bucketsOf[interval];
  const isHour = interval === 'minutely';
  const starts = useMemo(
    () => startsOf(range, interval, now.value, first),
    [range, interval, first, Math.floor(now.value / minuteMs)],
  );
  const times = `fromTs=${starts[0]}&toTs=${starts.at(-1)! + lengthMs}&interval-type=${interval}`;
  const paths = isHour
    ? ['charts/last-hour']
    : [`charts/hashrates?${times}`, `charts/transactions-count-per-chain?${times}&payments=true`];
  const [newest] = calmNetwork.value.blocks;
  const minuteVersion = useSlowly(newest?.hash, refreshMs);
  // Longer buckets are finished by the newest block.
  const hourVersion = Math.floor((newest?.timestamp ?? 0) / hourMs);
  const answers = useAnswers<unknown>(paths, isHour ? minuteVersion : hourVersion);
  const [ratesOrMinutes, counted] = answers.map(({ value }) => value);
  const values = useMemo(() => {
    if (isHour) return minuteValues(ratesOrMinutes as readonly MinuteRow[] | undefined, starts, groups.value);
    return {
      rates: hashRateValues((ratesOrMinutes ?? []) as readonly HashRateRow[], starts, interval),
      chains: chainCountValues((counted ?? []) as readonly ChainCountsRow[], starts, groups.value),
    };
  }, [ratesOrMinutes, counted, starts, groups.value]);
  return {
    range,
    interval,
    starts,
    ...values,
    failures: [answers[0]!.failure, answers.at(-1)!.failure],
    isLoading: answers.some(({ isLoading }) => isLoading),
    retry: () => paths.forEach((path) => void reload(path)),
  };
};

/** When the first block after genesis was made, milliseconds since 1970; undefined while that is not known. */
export const useFirstTime = (): number | undefined => {
  const hasBlocks = calmNetwork.value.blocks.some(({ height }) => height > 0);
  const path = `blocks?reverse=true&limit=${groups.value ** 2 + 1}`;
  const { value, isLoading } = useAnswer<{ readonly blocks: readonly BlockLite[] }>(path, hasBlocks);
  if (value === undefined) return isLoading ? undefined : 0;
  return value.blocks.find(({ height }) => height > 0)?.timestamp ?? now.peek();
};

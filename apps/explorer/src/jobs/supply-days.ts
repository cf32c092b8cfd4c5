import { launchTimestamp } from '@shardnode/protocol/block';
import { bucketsOf, startOf } from '../blocks/buckets.js';

const { daily } = bucketsOf;

/** The last millisecond of the day of a time. */
const endOfDay = (time: bigint): bigint => startOf(daily, time) + daily.length - 1n;

/**
 * The instants of the rows of `supply_days` after `last`, the instant of the newest row, that are finished at `now`: the
 * launch first, then the last millisecond of each day (protocol 08 §5.9). At most `most`. Milliseconds since 1970.
 */
export const supplyInstants = (last: bigint | undefined, now: bigint, most: number): bigint[] => {
  const instants: bigint[] = [];
  let next = last === undefined ? launchTimestamp : endOfDay(last === endOfDay(last) ? last + 1n : last);
  while (next < now && instants.length < most) {
    instants.push(next);
    next = endOfDay(next === endOfDay(next) ? next + 1n : next);
  }
  return instants;
};

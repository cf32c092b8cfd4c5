/** Intervals of charts, in the order in which refusals name them (protocol 08 §5.11). */
export const intervalTypes = ['daily', 'hourly', 'weekly'] as const;
export type IntervalType = (typeof intervalTypes)[number];

/** Equal parts of time, UTC. */
export interface Buckets {
  /** Milliseconds. */
  readonly length: bigint;
  /** Start of one of them, at most 0: milliseconds since 1970. */
  readonly origin: bigint;
}

const hour = 3_600_000n;
/** Milliseconds. */
export const day = 24n * hour;
const week = 7n * day;

export const bucketsOf: Readonly<Record<IntervalType, Buckets>> = {
  hourly: { length: hour, origin: 0n },
  daily: { length: day, origin: 0n },
  // 1970 began on a Thursday, weeks begin on Monday.
  weekly: { length: week, origin: -3n * day },
};

/** Start of the bucket of a time from 1970 on. Milliseconds. */
export const startOf = ({ length, origin }: Buckets, time: bigint): bigint => time - ((time - origin) % length);

/** End of the bucket that a time ends or lies in. Milliseconds. */
export const endOf = (buckets: Buckets, time: bigint): bigint => startOf(buckets, time + buckets.length - 1n);

/** Start of the hour of a timestamp: the bucket of transaction counts (protocol 08 §4.5). Milliseconds, UTC. */
export const hourOf = (timestamp: bigint): bigint => startOf(bucketsOf.hourly, timestamp);

/** End of the hour that a timestamp ends or lies in: the bucket of hash rates (protocol 08 §4.5). Milliseconds, UTC. */
export const nextHourOf = (timestamp: bigint): bigint => endOf(bucketsOf.hourly, timestamp);

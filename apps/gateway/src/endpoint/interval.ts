import { errorOf, fields, optional, required, timestamp } from '@shardnode/http';

/** Longest interval of a query, milliseconds (protocol 07 §1.14, `blockflowFetchMaxAge`). */
export const longestInterval = 1_800_000n;

/** The query of an interval in milliseconds since 1970. */
export const intervalQuery = () =>
  fields(
    {
      fromTs: required(timestamp, { description: 'Start, milliseconds since 1970' }),
      toTs: optional(timestamp, {
        description: 'End, milliseconds since 1970; default: now; at most 30 minutes later',
      }),
    },
    { description: 'Interval' },
  );

interface Interval {
  readonly fromTs: bigint;
  readonly toTs?: bigint | undefined;
}

/** Throws `InvalidInterval` for a length in milliseconds above the longest. */
export const checkLength = (length: bigint): void => {
  if (length > longestInterval) {
    throw errorOf('InvalidInterval', `Time span cannot be greater than Duration(${longestInterval}ms)`);
  }
};

/** The interval of a query in milliseconds (protocol 07 §7.1). Throws `InvalidInterval`. */
export const boundedInterval = ({ fromTs, toTs }: Interval, now: number): { fromTs: number; toTs: number } => {
  const end = toTs ?? BigInt(now);
  if (fromTs >= end) {
    const given = toTs === undefined ? 'None' : `Some(TimeStamp(${toTs}ms))`;
    throw errorOf(
      'InvalidInterval',
      `Invalid value (expected value to pass validation: \`fromTs\` must be before \`toTs\`, but got: TimeInterval(TimeStamp(${fromTs}ms),${given}))`,
    );
  }
  checkLength(end - fromTs);
  return { fromTs: Number(fromTs), toTs: Number(end) };
};

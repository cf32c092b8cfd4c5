/** The latest time that has a date, milliseconds since 1970. */
const latestDate = 8_640_000_000_000_000n;

/** The date of a time in milliseconds since 1970: `2023-11-14T22:13:20.000Z`. */
export const dateText = (time: bigint): string => {
  if (time > latestDate) return 'after the year 275760';
  // eslint-disable-next-line no-restricted-globals -- the form of a given time; no clock is read
  return new Date(Number(time)).toISOString();
};

/** A time in milliseconds since 1970 with its date: `1700000000000 (2023-11-14T22:13:20.000Z)`. */
export const timeText = (time: bigint): string => `${time} (${dateText(time)})`;

/** Numbers as a picture. Lengths are in the unit of the view box. */

const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Bars that stand on the ground, a gap of a quarter between them; a value above 0 is always seen. @param most value of the full height */
export const barsPath = (
  values: readonly (number | undefined)[],
  most: number,
  width: number,
  height: number,
): string => {
  const step = width / Math.max(1, values.length);
  const thinnest = 1;
  return values
    .flatMap((value, i) => {
      if (value === undefined || value <= 0) return [];
      const tall = Math.max(thinnest, (value / most) * height);
      return [`M${rounded(i * step)} ${height}v${-rounded(tall)}h${rounded(step * 0.75)}v${rounded(tall)}z`];
    })
    .join('');
};

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const two = (value: number): string => String(value).padStart(2, '0');
const dayMs = 86_400_000;

/** A mark of an axis of time, UTC: as much of it as a span of this length needs. Both in milliseconds. */
export const timeMark = (timestamp: number, spanMs: number): string => {
  const date = new Date(timestamp);
  const [day, month, year] = [date.getUTCDate(), months[date.getUTCMonth()]!, date.getUTCFullYear()];
  if (spanMs > 100 * dayMs) return date.getUTCMonth() === 0 && day <= 7 ? `${year}` : `${day} ${month}`;
  const isMidnight = timestamp % dayMs === 0;
  return spanMs > 4 * dayMs || isMidnight
    ? `${day} ${month}`
    : `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
};

/** A bucket in words, UTC: `Thu 26 Nov 2026`, with the time where buckets are shorter than a day. */
export const bucketName = (timestamp: number, lengthMs: number): string => {
  const date = new Date(timestamp);
  const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
  const name = `${days[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
  return lengthMs >= dayMs ? name : `${name} ${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
};

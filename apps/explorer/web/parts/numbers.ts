/** Counts with commas between thousands. */
export const count = (value: number): string => value.toLocaleString('en-US');

const steps = [
  [1e18, 'E'],
  [1e15, 'P'],
  [1e12, 'T'],
  [1e9, 'G'],
  [1e6, 'M'],
  [1e3, 'k'],
] as const;

/** Three digits of a value and the letter of its size: `8.1k`, `12.6M`. */
export const brief = (value: number): { readonly digits: string; readonly size: string } => {
  const [factor, size] = steps.find(([least]) => value >= least) ?? [1, ''];
  const scaled = value / factor;
  const places = scaled >= 100 || (size === '' && Number.isInteger(scaled)) ? 0 : scaled >= 10 ? 1 : 2;
  return { digits: scaled.toFixed(places), size };
};

export const briefText = (value: number): string => {
  const { digits, size } = brief(value);
  return `${size === 'k' ? Number(Number(digits).toFixed(1)) : digits}${size}`;
};

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

/** A span of time by its two largest units: `4 s`, `1 min 37 s`, `3 h 2 min`, `12 d`. @param ms milliseconds, at least 0 */
export const span = (ms: number): string => {
  const units = [
    [dayMs, 'd'],
    [hourMs, 'h'],
    [minuteMs, 'min'],
    [secondMs, 's'],
  ] as const;
  const at = units.findIndex(([unit]) => ms >= unit);
  if (at < 0) return '0 s';
  const [unit, name] = units[at]!;
  const first = `${Math.floor(ms / unit)} ${name}`;
  const next = units[at + 1];
  const rest = next === undefined || ms >= 10 * dayMs ? 0 : Math.floor((ms % unit) / next[0]);
  return rest === 0 ? first : `${first} ${rest} ${next![1]}`;
};

/** `2026-11-24 12:37:02 UTC` */
export const utc = (timestamp: number): string =>
  `${new Date(timestamp).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** A span of time with tenths below ten seconds: `0.4 s`, `17 s`, `1 min 37 s`. @param ms milliseconds, at least 0 */
export const exactSpan = (ms: number): string =>
  ms < 10 * secondMs ? `${Number((ms / secondMs).toFixed(1))} s` : span(ms);

/** `12:37:02 UTC` */
export const clock = (timestamp: number): string => `${new Date(timestamp).toISOString().slice(11, 19)} UTC`;

/** A share as a percentage with one decimal: `83.2 %`, `< 0.1 %`. @param share 0 to 1 */
export const percentText = (share: number): string => {
  if (share > 0 && share < 0.001) return '< 0.1 %';
  if (share === 0 || share >= 1) return `${share * 100} %`;
  // Cut and not rounded: 100 % is all.
  return `${(Math.floor(share * 1_000 + 1e-6) / 10).toFixed(1)} %`;
};

/** A time of this day `12:37:02`, of another one `2026-11-24 12:37`; UTC. @param now of which the day is */
export const shortTime = (timestamp: number, now: number): string => {
  const [day, time] = utc(timestamp).split(' ') as [string, string];
  return utc(now).startsWith(day) ? time : `${day} ${time.slice(0, 5)}`;
};

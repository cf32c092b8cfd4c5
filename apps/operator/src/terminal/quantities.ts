/** 1234567 as `1,234,567`. */
export const numberText = (value: number): string => Math.round(value).toLocaleString('en-US');

/** Bytes as `12.3 MB`. */
export const bytesText = (bytes: number): string => {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return unit === 0 ? `${value} bytes` : `${value.toFixed(value < 100 ? 1 : 0)} ${units[unit]}`;
};

/** Milliseconds as `45 s`, `3 min 20 s`, `2 h 5 min`. */
export const durationText = (milliseconds: number): string => {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min ${seconds % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

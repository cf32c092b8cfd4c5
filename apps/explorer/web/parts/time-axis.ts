/** A mark of an axis of time that begins with a moment. */
export interface TimeMark {
  readonly x: number;
  /** Milliseconds after that moment. */
  readonly afterMs: number;
}

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const steps = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30].map((seconds) => seconds * second),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * minute),
  ...[1, 2, 4, 12, 24].map((hours) => hours * hour),
];

/** A part of an axis. Times in milliseconds since 1970, places in pixels. */
export interface TimeAxis {
  readonly start: number;
  readonly end: number;
  readonly left: number;
  readonly right: number;
}

export const placeOf = ({ start, end, left, right }: TimeAxis, timestamp: number): number =>
  left + ((timestamp - start) / (end - start)) * (right - left);

/** Marks at round times after `origin`, it among them, as close as their texts allow. @param pixels what a text needs */
export const marksAfter = (axis: TimeAxis, origin: number, pixels: number): TimeMark[] => {
  const { start, end, left, right } = axis;
  const pixelsPerMs = (right - left) / (end - start);
  const step = steps.find((ms) => ms * pixelsPerMs >= pixels) ?? end - start;
  const first = Math.max(0, Math.ceil((start - origin) / step));
  const last = Math.floor((end - origin) / step);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => {
    const afterMs = (first + i) * step;
    return { afterMs, x: placeOf(axis, origin + afterMs) };
  });
};

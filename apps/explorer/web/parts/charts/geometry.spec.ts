import { expect, it } from '@jest/globals';
import { barsPath, bucketName, timeMark } from './geometry.js';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
const noon = Date.UTC(2026, 10, 26, 12);

it('draws bars from the ground up, none for nothing', () => {
  expect(barsPath([2, undefined, 0, 4], 4, 40, 20)).toBe('M0 20v-10h7.5v10zM30 20v-20h7.5v20z');
});

it('shows the smallest value too', () => {
  expect(barsPath([1], 1_000_000, 10, 20)).toBe('M0 20v-1h7.5v1z');
});

it.each([
  [noon, 2 * dayMs, '12:00'],
  [noon + 12 * hourMs, 2 * dayMs, '27 Nov'],
  [noon, 30 * dayMs, '26 Nov'],
  [Date.UTC(2026, 0, 5), 364 * dayMs, '2026'],
  [Date.UTC(2026, 1, 2), 364 * dayMs, '2 Feb'],
])('marks %d in a span of %d as %s', (timestamp, spanMs, text) => {
  expect(timeMark(timestamp, spanMs)).toBe(text);
});

it('names a bucket, with its time where it needs one', () => {
  expect(bucketName(noon, hourMs)).toBe('Thu 26 Nov 2026 12:00');
  expect(bucketName(noon, dayMs)).toBe('Thu 26 Nov 2026');
});

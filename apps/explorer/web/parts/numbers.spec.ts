import { expect, it } from '@jest/globals';
import { briefText, clock, exactSpan, percentText, shortTime, span, utc } from './numbers.js';

it.each([
  [0, '0'],
  [34, '34'],
  [2.5, '2.50'],
  [11.4, '11.4'],
  [980, '980'],
  [8_100, '8.1k'],
  [12_100, '12.1k'],
  [38_620_000, '38.6M'],
  [18.7e15, '18.7P'],
])('writes %s briefly as %s', (value, text) => {
  expect(briefText(value)).toBe(text);
});

it.each([
  [0, '0 s'],
  [999, '0 s'],
  [4_000, '4 s'],
  [97_000, '1 min 37 s'],
  [120_000, '2 min'],
  [3 * 3_600_000 + 120_000, '3 h 2 min'],
  [36 * 3_600_000, '1 d 12 h'],
  [12.6 * 86_400_000, '12 d'],
])('writes a span of %s ms as %s', (ms, text) => {
  expect(span(ms)).toBe(text);
});

it.each([
  [0, '0 s'],
  [40, '0 s'],
  [380, '0.4 s'],
  [9_960, '10 s'],
  [17_400, '17 s'],
  [97_000, '1 min 37 s'],
])('writes a short span of %s ms as %s', (ms, text) => {
  expect(exactSpan(ms)).toBe(text);
});

it('writes a time', () => {
  expect(utc(1_700_000_000_000)).toBe('2023-11-14 22:13:20 UTC');
  expect(clock(1_700_000_000_000)).toBe('22:13:20 UTC');
});

it.each([
  [0, '0 %'],
  [0.0004, '< 0.1 %'],
  [0.001, '0.1 %'],
  [0.29, '29.0 %'],
  [0.8325, '83.2 %'],
  [0.99999, '99.9 %'],
  [1, '100 %'],
])('writes the share %s as %s', (share, text) => {
  expect(percentText(share)).toBe(text);
});

it('says the day of a time only where it is another one', () => {
  const now = Date.UTC(2026, 10, 26, 9, 30);
  expect(shortTime(now - 60_000, now)).toBe('09:29:00');
  expect(shortTime(now - 86_400_000, now)).toBe('2026-11-25 09:30');
});

import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { pino } from 'pino';
import { ReadinessLog, readinessNow } from './readiness-log.js';

const open = () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line) => void lines.push(JSON.parse(line) as never) },
  );
  const clock = createStoppedClock();
  const log = new ReadinessLog(logger, clock);
  /** Heard again and again for so many milliseconds. */
  const hear = (report: Readiness, forMs: number): void => {
    for (let passed = 0; passed < forMs; passed += 200) {
      log.heard(report);
      clock.advance(200);
    }
  };
  return { lines, hear };
};
type Readiness = Parameters<ReadinessLog['heard']>[0];
const ready = { ready: true, reasons: [] };
const notReady = (...reasons: string[]) => ({ ready: false, reasons });
const busLost = notReady('bus: the connection to the bus is lost');
const behind = notReady('synced: it has not caught up with its siblings');

describe('the log of readiness', () => {
  it('a start, an outage and its end: a line each', () => {
    const { lines, hear } = open();
    const waiting = notReady('synced: it waits for group 3');
    hear(waiting, 2_000);
    hear(ready, 8_000);
    hear(busLost, 5_600);
    hear(ready, 1_000);
    expect(lines).toEqual([
      { level: 30, reasons: waiting.reasons, msg: 'not ready yet' },
      { level: 30, over: waiting.reasons, afterMs: 2_000, msg: 'ready' },
      { level: 40, reasons: busLost.reasons, forMs: 0, unlogged: 0, msg: 'not ready any more' },
      { level: 30, over: busLost.reasons, afterMs: 5_600, msg: 'ready' },
    ]);
  });

  it('a service that flaps: a pair of lines a minute for each set of reasons, with the number of outages between', () => {
    const { lines, hear } = open();
    hear(ready, 1_000);
    for (let second = 1; second <= 179; second++) hear(second % 2 === 1 ? behind : ready, 1_000);
    expect(lines.slice(1).map(({ msg, unlogged }) => [msg, unlogged])).toEqual([
      ['not ready any more', 0],
      ['ready', undefined],
      ['not ready any more', 29],
      ['ready', undefined],
      ['not ready any more', 29],
      ['ready', undefined],
    ]);
    hear(busLost, 1_000);
    expect(lines.at(-1)).toMatchObject({ msg: 'not ready any more', reasons: busLost.reasons });
  });

  it('an outage soon after another one of its kind is not left out: its line comes when the minute is over', () => {
    const { lines, hear } = open();
    hear(ready, 1_000);
    hear(busLost, 1_000);
    hear(ready, 1_000);
    hear(busLost, 70_000);
    hear(ready, 1_000);
    expect(lines.slice(3)).toEqual([
      { level: 40, reasons: busLost.reasons, forMs: 58_000, unlogged: 0, msg: 'not ready any more' },
      { level: 30, over: busLost.reasons, afterMs: 70_000, msg: 'ready' },
    ]);
  });

  it('other reasons of one outage: a line each, and numbers make none', () => {
    const { lines, hear } = open();
    for (let second = 0; second < 100; second++) hear(notReady(`synced: its clock is ${second} ms away`), 1_000);
    hear(behind, 1_000);
    expect(lines.map(({ msg, forMs }) => [msg, forMs])).toEqual([
      ['not ready yet', undefined],
      ['still not ready', 100_000],
    ]);
  });

  it('a service that is ready at once: a line too', () => {
    const { lines, hear } = open();
    hear(ready, 2_000);
    expect(lines).toEqual([{ level: 30, msg: 'ready' }]);
  });

  it('a failing check is a reason, and one that takes too long', async () => {
    expect(await readinessNow({ health: () => Promise.reject(new Error('no')) })).toEqual({
      ready: false,
      reasons: ['its own checks failed'],
    });
    expect(await readinessNow({ health: async () => ready })).toBe(ready);
    const slow = { health: () => new Promise<Readiness>((resolve) => setTimeout(() => resolve(ready), 50)) };
    expect(await readinessNow(slow, 10)).toEqual({ ready: false, reasons: ['its own checks take more than 0.01 s'] });
    expect(await readinessNow(slow, 1_000)).toBe(ready);
  });
});

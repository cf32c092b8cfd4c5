import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { ReadinessLog, readinessNow } from './readiness-log.js';

const open = () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    { base: null, timestamp: false },
    { write: (line) => void lines.push(JSON.parse(line) as never) },
  );
  return { lines, log: new ReadinessLog(logger) };
};
const ready = { ready: true, reasons: [] };
const notReady = (...reasons: string[]) => ({ ready: false, reasons });

describe('the log of readiness', () => {
  it('a start, an outage and its end: a line each', () => {
    const { lines, log } = open();
    const waiting = notReady('synced: it waits for group 3');
    log.heard(waiting, 0);
    log.heard(waiting, 1_000);
    log.heard(ready, 2_000);
    for (let now = 3_000; now < 9_000; now += 1_000) log.heard(ready, now);
    log.heard(notReady('bus: the connection to the bus is lost'), 10_000);
    log.heard(ready, 15_500);
    expect(lines).toEqual([
      { level: 30, reasons: waiting.reasons, msg: 'not ready yet' },
      { level: 30, afterMs: 2_000, msg: 'ready' },
      { level: 40, reasons: ['bus: the connection to the bus is lost'], msg: 'not ready any more' },
      { level: 30, afterMs: 5_500, msg: 'ready' },
    ]);
  });

  it('changed reasons: at most two lines a minute, with the time not ready', () => {
    const { lines, log } = open();
    for (let now = 0; now <= 100_000; now += 1_000) log.heard(notReady(`its clock is ${now} ms away`), now);
    expect(lines.map(({ msg, forMs }) => [msg, forMs])).toEqual([
      ['not ready yet', undefined],
      ['still not ready', 30_000],
      ['still not ready', 60_000],
      ['still not ready', 90_000],
    ]);
  });

  it('a service that is ready at once: a line too', () => {
    const { lines, log } = open();
    log.heard(ready, 0);
    expect(lines).toEqual([{ level: 30, msg: 'ready' }]);
  });

  it('a failing check is a reason', async () => {
    expect(await readinessNow({ health: () => Promise.reject(new Error('no')) })).toEqual({
      ready: false,
      reasons: ['its own checks failed'],
    });
    expect(await readinessNow({ health: async () => ready })).toBe(ready);
  });
});

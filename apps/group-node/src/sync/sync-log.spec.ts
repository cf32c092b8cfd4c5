import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { pino } from 'pino';
import { CatchUpLog } from './catch-up-log.js';
import { SiblingLog } from './sibling-log.js';

const logging = () => {
  const lines: Record<string, unknown>[] = [];
  const logger = pino(
    { level: 'info', base: null, timestamp: false },
    { write: (line) => void lines.push(JSON.parse(line) as never) },
  );
  return { lines, logger };
};

describe('the log of the siblings', () => {
  const open = () => {
    const { lines, logger } = logging();
    const clock = createStoppedClock();
    const log = new SiblingLog(clock, logger);
    const seconds = (count: number, heard: readonly number[], startedAt = '1'): void => {
      for (let tick = 0; tick < count * 10; tick++) {
        clock.advance(100);
        if (tick % 10 === 0) for (const sibling of heard) log.record(sibling, startedAt);
        log.look();
      }
    };
    return { lines, clock, log, seconds };
  };

  it('one that is lost and comes back: a line each', () => {
    const { lines, log, seconds } = open();
    seconds(5, [0, 2, 3]);
    expect(lines).toEqual([]);
    seconds(10, [2, 3]);
    expect(lines).toEqual([
      { level: 40, sibling: 0, silentForMs: 3_000, msg: 'a sibling is lost: nothing is heard of it' },
    ]);
    log.record(0, '1');
    seconds(5, [0, 2, 3]);
    expect(lines.slice(1)).toEqual([
      { level: 30, sibling: 0, silentForMs: 10_900, restarted: false, msg: 'a sibling is back' },
    ]);
  });

  it('one that returns before it is reported lost has restarted', () => {
    const { lines, seconds } = open();
    seconds(3, [0], '1790000000000');
    seconds(1, []);
    seconds(3, [0], '1790000004000');
    expect(lines).toEqual([{ level: 30, sibling: 0, silentForMs: 2_000, restarted: true, msg: 'a sibling is back' }]);
  });

  it('announcements of commits and older versions contain no start time', () => {
    const { lines, log, seconds } = open();
    seconds(1, [0], '1');
    log.record(0, undefined);
    seconds(1, [0], '1');
    expect(lines).toEqual([]);
  });

  it('after a pause of this process a sibling that sends again is not lost', () => {
    const { lines, clock, log, seconds } = open();
    seconds(2, [0, 1]);
    clock.advance(60_000);
    log.look();
    seconds(2, [0]);
    expect(lines).toEqual([]);
    seconds(4, [0]);
    expect(lines).toMatchObject([{ sibling: 1, msg: 'a sibling is lost: nothing is heard of it' }]);
  });
});

describe('the log of catching up', () => {
  it('all rounds and attempts are one line', () => {
    const { lines, logger } = logging();
    const clock = createStoppedClock();
    let height = 7;
    const log = new CatchUpLog(clock, logger, () => height);
    log.begin();
    log.pulled(20, true);
    clock.advance(200);
    log.begin();
    height = 12;
    log.pulled(3, false);
    log.end();
    log.end();
    expect(lines).toEqual([
      { level: 30, blocks: 23, fromHeight: 7, height: 12, tookMs: 200, msg: 'caught up with the siblings' },
    ]);
  });

  it('a small gap is no line at info', () => {
    const { lines, logger } = logging();
    const log = new CatchUpLog(createStoppedClock(), logger, () => 1);
    log.begin();
    log.pulled(1, false);
    log.end();
    expect(lines).toEqual([]);
  });
});

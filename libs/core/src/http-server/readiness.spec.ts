import { describe, expect, it } from '@jest/globals';
import { ServiceError } from '../errors/index.js';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { Readiness, type Problem } from './readiness.js';

describe('readiness', () => {
  it('reports each problem with its remedy and start time, until it is over', async () => {
    const clock = createStoppedClock();
    let found: string | Problem | undefined = 'it waits';
    const checks = [{ name: 'synced', action: 'Wait.', notReadyBecause: () => found }];
    const readiness = new Readiness(checks, clock);
    const since = new Date(clock.now()).toISOString();
    expect(await readiness.report()).toEqual({
      ready: false,
      reasons: ['synced: it waits'],
      problems: [{ check: 'synced', reason: 'it waits', action: 'Wait.', since, seconds: 0 }],
    });
    clock.advance(1_500);
    // Another reason of the same problem.
    found = { reason: 'it is far behind', action: 'Wait longer.', data: { group: 2, blocksBehind: 7 } };
    const { problems } = await readiness.report();
    expect(problems).toEqual([
      {
        check: 'synced',
        reason: 'it is far behind',
        action: 'Wait longer.',
        since,
        seconds: 1.5,
        group: 2,
        blocksBehind: 7,
      },
    ]);
    found = undefined;
    expect(await readiness.report()).toEqual({ ready: true, reasons: [], problems: [] });
    clock.advance(1_000);
    found = { reason: 'again', forMs: 400 };
    expect((await readiness.report()).problems[0]).toMatchObject({ seconds: 0.4, action: 'Wait.' });
  });

  it('counts a check that throws as failed, with the text of ServiceErrors only', async () => {
    const failing = (error: Error): Readiness =>
      new Readiness([{ name: 'database', notReadyBecause: () => Promise.reject(error) }]);
    expect((await failing(new Error('password=hunter2')).report()).reasons).toEqual(['database: the check failed']);
    const ours = new ServiceError('unavailable', 'StoreUnavailable', 'its database does not answer');
    expect((await failing(ours).report()).reasons).toEqual(['database: its database does not answer']);
  });
});

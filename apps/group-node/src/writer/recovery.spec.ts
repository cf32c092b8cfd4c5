import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { silentLogger } from '@shardnode/core/observability';
import { Recovery } from './recovery.js';

const refused = (): Error => Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });

/** As in the writer's queue: an attempt is scheduled as a task, and made before that task. */
const open = () => {
  const clock = createStoppedClock();
  const store = { isAway: true, attempts: 0 };
  let last: Promise<void> = Promise.resolve();
  const task = (): Promise<void> => (last = last.then(() => recovery.before()).catch(() => undefined));
  const recovery: Recovery = new Recovery({
    group: 0,
    clock,
    logger: silentLogger,
    rebuild: async () => {
      store.attempts++;
      if (store.isAway) throw refused();
    },
    retry: () => void task(),
    onFatal: () => undefined,
  });
  return { clock, store, recovery, task };
};
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('recovery', () => {
  it('makes one attempt every half second, however often the lock is lost in between', async () => {
    const { clock, store, recovery, task } = open();
    await recovery.failed(refused());
    for (let loss = 0; loss < 5; loss++) {
      recovery.lost(refused());
      await turn();
    }
    expect([store.attempts, clock.pendingTimers]).toEqual([6, 1]);
    for (let round = 1; round <= 10; round++) {
      clock.advance(500);
      await Promise.all([task(), task(), turn()]);
      expect([store.attempts, clock.pendingTimers]).toEqual([6 + round, 1]);
    }
    expect(recovery.reason).toBe('its database does not answer');
  });

  it('plans nothing more once memory is equal to the store', async () => {
    const { clock, store, recovery } = open();
    await recovery.failed(refused());
    store.isAway = false;
    recovery.lost(refused());
    await turn();
    expect([recovery.reason, clock.pendingTimers]).toEqual([undefined, 0]);
  });
});

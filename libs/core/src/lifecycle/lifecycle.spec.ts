import { describe, expect, it } from '@jest/globals';
import { composeServices, sleep, type Service } from './index.js';
import { createStoppedClock } from '@shardnode/testing/clocks';

const recorded = (name: string, events: string[], failing: 'start' | 'stop' | 'never' = 'never'): Service => ({
  name,
  start: async () => {
    events.push(`start ${name}`);
    if (failing === 'start') throw new Error(`${name} does not start`);
  },
  stop: async () => {
    events.push(`stop ${name}`);
    if (failing === 'stop') throw new Error(`${name} does not stop`);
  },
});

describe('services in order', () => {
  it('start in order and stop in reverse', async () => {
    const events: string[] = [];
    const all = composeServices('all', [recorded('a', events), recorded('b', events)]);
    await all.start();
    await all.stop();
    expect(events).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('stop the running ones when one fails to start', async () => {
    const events: string[] = [];
    const all = composeServices('all', [recorded('a', events), recorded('b', events, 'start'), recorded('c', events)]);
    await expect(all.start()).rejects.toThrow('b does not start');
    expect(events).toEqual(['start a', 'start b', 'stop b', 'stop a']);
  });

  it('stop all even if one fails to', async () => {
    const events: string[] = [];
    const all = composeServices('all', [recorded('a', events), recorded('b', events, 'stop')]);
    await expect(all.stop()).rejects.toThrow('b does not stop');
    expect(events).toEqual(['stop b', 'stop a']);
  });
});

describe('stopped clock', () => {
  it('fires timers in the order of their times, including those set by timers', async () => {
    const clock = createStoppedClock(1_000);
    const fired: string[] = [];
    clock.after(20, () => fired.push(`b at ${clock.now()}`));
    clock.after(10, () => {
      fired.push(`a at ${clock.now()}`);
      clock.after(5, () => fired.push(`c at ${clock.now()}`));
    });
    clock.after(15, () => fired.push('cancelled')).cancel();
    clock.advance(19);
    expect(fired).toEqual(['a at 1010', 'c at 1015']);
    clock.advance(1);
    expect(fired).toEqual(['a at 1010', 'c at 1015', 'b at 1020']);
    expect([clock.monotonic(), clock.pendingTimers]).toEqual([20, 0]);
    const slept = sleep(clock, 5);
    clock.advance(5);
    await slept;
    clock.setWallClock(5_000);
    expect([clock.now(), clock.monotonic()]).toEqual([5_000, 25]);
  });
});

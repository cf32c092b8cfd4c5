import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { ScriptLanes, type ScriptSource } from './script-lanes.js';

const settled = () => new Promise((resolve) => setTimeout(resolve, 5));
const open = () => {
  const clock = createStoppedClock();
  const lanes = new ScriptLanes(clock);
  const begun: string[] = [];
  const run = (source: ScriptSource, name: string) => lanes.run(source, async () => void begun.push(name));
  /** A run of 50 ms that fails. */
  const fail = (source: ScriptSource) =>
    lanes.run(source, async () => {
      clock.advance(50);
      lanes.failed(source, 50);
    });
  return { clock, lanes, begun, run, fail };
};
const hostile = { client: '10.0.0.1', inputs: ['a'] };
const honest = { client: '10.0.0.2', inputs: ['b'] };

describe('lanes of scripts', () => {
  it('leave failing clients a tenth of the time, while others run', async () => {
    const { clock, begun, run, fail } = open();
    await fail(hostile);
    clock.advance(50);
    await fail(hostile);
    const again = run(hostile, 'hostile');
    await run(honest, 'honest');
    clock.advance(449);
    await settled();
    expect(begun).toEqual(['honest']);
    clock.advance(1);
    await again;
  });

  it('know failing outputs under another client, until 30 s after the last failure', async () => {
    const { clock, begun, run, fail } = open();
    await fail(hostile);
    await fail(hostile);
    const elsewhere = { client: '10.0.0.3', inputs: ['c', 'a'] };
    const early = run(elsewhere, 'early');
    await settled();
    expect(begun).toEqual([]);
    clock.advance(450);
    await early;
    await fail(hostile);
    clock.advance(30_000);
    await run(elsewhere, 'late');
    expect(begun).toEqual(['early', 'late']);
  });

  it('take scripts that wait already over when their client fails', async () => {
    const { clock, begun, run, fail } = open();
    const failing = fail(hostile);
    const others = [1, 2, 3].map((i) => fail({ client: hostile.client, inputs: [String(i)] }));
    const last = run(honest, 'honest');
    await failing;
    await settled();
    // The first failure rests the fresh lane for as long as it took.
    clock.advance(50);
    await last;
    expect(begun).toEqual(['honest']);
    for (let i = 0; i < 3; i++) {
      await settled();
      clock.advance(500);
    }
    await Promise.all(others);
  });

  it('reject what waits and what comes later when aborted, of failing sources as of others', async () => {
    const { clock, lanes, run, fail } = open();
    await fail(hostile);
    await fail(hostile);
    const waiting = run(hostile, 'waiting');
    lanes.abort(new Error('over'));
    for (const each of [waiting, run(hostile, 'later'), run(honest, 'later')]) {
      await expect(each).rejects.toThrow('over');
    }
    expect(clock.pendingTimers).toBe(0);
  });
});

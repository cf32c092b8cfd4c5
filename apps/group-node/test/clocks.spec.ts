import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { TestNetwork, until } from './support/network.js';

/** Milliseconds that each node's wall clock is ahead. */
const ahead = [0, 0, 0, 0];
const clockOf = (group: number): Clock => ({ ...systemClock, now: () => systemClock.now() + ahead[group]! });

describe('a group-node whose clock is off (decision 31)', () => {
  let network: TestNetwork;
  beforeAll(async () => {
    network = await TestNetwork.open({ mining: 'instant', clockOf });
  });
  afterAll(() => network.close());

  const mineAt = (group: number): Promise<unknown> => network.mine(group, group).catch((error: unknown) => error);

  it('mines nothing after a start, not even in the first second, says why, and resumes by itself', async () => {
    const before = await network.client.request(1, 'read.chain.info', { from: 0, to: 0 });
    for (const offset of [600_000, -7_000]) {
      await network.stopGroup(0);
      ahead[0] = offset;
      await network.startGroup(0);
      const reasons = new Set<string>();
      for (const limit = Date.now() + 1_500; Date.now() < limit;) {
        const outcome = await mineAt(0);
        expect(outcome).toMatchObject({ kind: 'unavailable', data: { group: 0 } });
        reasons.add((outcome as { code: string }).code);
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
      expect([...reasons].at(-1)).toBe('ClockOff');
      const outcome = (await mineAt(0)) as { data: { clockOffset: number } };
      expect(Math.abs(outcome.data.clockOffset - offset)).toBeLessThan(1_000);
      // One that is off stops nobody else.
      expect(await mineAt(1)).toHaveProperty('blockHash');
    }
    expect(await network.client.request(1, 'read.chain.info', { from: 0, to: 0 })).toEqual(before);
    ahead[0] = 0;
    // At once: what is known of the siblings' clocks stays true when our own is set.
    expect(await mineAt(0)).toHaveProperty('blockHash');
  });

  it('notices a jump at once, and that it is over', async () => {
    ahead[2] = -600_000;
    expect(await mineAt(2)).toMatchObject({ code: 'ClockOff', data: { group: 2 } });
    await until('the heartbeats come', async () => !(await network.client.request(2, 'read.node.status', {})).synced);
    ahead[2] = 0;
    expect(await mineAt(2)).toHaveProperty('blockHash');
  });
});

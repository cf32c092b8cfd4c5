import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { TestNetwork, until } from '../support/network.js';

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

  it('two that are off disagree with two siblings of each node: all four stop, and resume', async () => {
    [ahead[0], ahead[1]] = [600_000, 600_000];
    const outcomes = (): Promise<unknown[]> => Promise.all(network.groups.map(mineAt));
    await until('all four stop', async () =>
      (await outcomes()).every((outcome) => (outcome as { readonly code?: string }).code === 'ClockOff'),
    );
    [ahead[0], ahead[1]] = [0, 0];
    await until('all four mine', async () => (await outcomes()).every((outcome) => 'blockHash' in (outcome as object)));
  });

  it('makes no block with the time of a clock that jumps while the block is wanted', async () => {
    const under = Array.from({ length: 20 }, () => mineAt(3));
    // All have passed the first check, and wait for what the siblings have.
    await new Promise((resolve) => setImmediate(resolve));
    ahead[3] = 600_000;
    const outcomes = await Promise.all(under);
    expect(outcomes).toContainEqual(expect.objectContaining({ code: 'ClockOff', data: expect.anything() }));
    ahead[3] = 0;
    expect(await mineAt(3)).toHaveProperty('blockHash');
    const heightAt = async (group: number): Promise<number> =>
      (await network.client.request(group, 'read.chain.info', { from: 3, to: 3 })).currentHeight;
    const height = await heightAt(3);
    await until('the siblings have its blocks', async () => (await heightAt(0)) === height);
  });
});

import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { type CliqueState } from '../synced/sync-monitor.js';
import { groupsReadiness } from './groups-readiness.js';

const open = () => {
  const clock = createStoppedClock();
  const groups = { state: { ready: false, synced: false, reason: 'group 2 is slow', isSlow: true } as CliqueState };
  const check = groupsReadiness({ state: async () => groups.state }, clock);
  return { clock, groups, isReady: async () => (await check.notReadyBecause()) === undefined };
};
const well: CliqueState = { ready: true, synced: true };

describe('the readiness of a gateway', () => {
  it('outlasts a group that responds too late for a moment', async () => {
    const { clock, groups, isReady } = open();
    const slow = groups.state;
    expect(await isReady()).toBe(false);
    groups.state = well;
    expect(await isReady()).toBe(true);
    groups.state = slow;
    clock.advance(4_999);
    expect(await isReady()).toBe(true);
    clock.advance(1);
    expect(await isReady()).toBe(false);
  });

  it('ends at once with a group that is away, or behind', async () => {
    const { groups, isReady } = open();
    groups.state = well;
    expect(await isReady()).toBe(true);
    groups.state = { ready: false, synced: false, reason: 'group 2 is not available', silentGroup: 2 };
    expect(await isReady()).toBe(false);
    groups.state = { ready: true, synced: false, reason: 'group 2: it waits for group 3', group: 2 };
    expect(await isReady()).toBe(false);
  });
});

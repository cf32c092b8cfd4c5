import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { ServiceError } from '@shardnode/core/errors';
import { type GroupClient, type SplitReport } from '@shardnode/messages';
import { SyncMonitor } from './sync-monitor.js';

const createMonitor = () => {
  const clock = createStoppedClock();
  const network = {
    behind: [] as number[],
    clockOffset: undefined as number | undefined,
    split: undefined as SplitReport | undefined,
    absent: [] as number[],
    asked: 0,
  };
  const groups: GroupClient = {
    groups: 4,
    request: (async (group: number) => {
      network.asked++;
      if (network.absent.includes(group))
        throw new ServiceError('unavailable', 'NoResponder', `group ${group} is away`);
      const { clockOffset, split } = network;
      return { group, synced: !network.behind.includes(group), reason: 'gaps', clockOffset, split, mempoolSize: 0 };
    }) as never,
  };
  return { clock, network, monitor: new SyncMonitor(groups, clock) };
};

describe('whether the group-nodes have caught up', () => {
  it('is cached for 5 seconds and refreshed earlier, so that no request waits', async () => {
    const { clock, network, monitor } = createMonitor();
    expect(monitor.isKnownSynced()).toBe(false);
    await monitor.check();
    expect([monitor.isKnownSynced(), network.asked]).toEqual([true, 4]);
    clock.advance(3_000);
    expect(monitor.isKnownSynced()).toBe(true);
    await monitor.state();
    expect(network.asked).toBe(8);
    clock.advance(4_999);
    expect(monitor.isKnownSynced()).toBe(true);
    await monitor.state();
    clock.advance(5_000);
    expect(monitor.isKnownSynced()).toBe(false);
  });

  it('is refused by name while one is behind, at once when it falls behind', async () => {
    const { clock, network, monitor } = createMonitor();
    await monitor.check();
    network.behind = [2];
    clock.advance(3_000);
    monitor.isKnownSynced();
    await monitor.state();
    expect(monitor.isKnownSynced()).toBe(false);
    await expect(monitor.check()).rejects.toMatchObject({
      detail: 'The node has not caught up with the network (group 2: gaps): ask again in a few seconds.',
      data: { group: 2 },
    });
    expect(await monitor.state()).toMatchObject({ ready: true, synced: false, reason: 'group 2: gaps' });
  });

  it('names the clock that is off', async () => {
    const { network, monitor } = createMonitor();
    network.behind = [1];
    network.clockOffset = 6_000;
    await expect(monitor.check()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'ClockOff',
      detail: 'group 1: gaps',
      data: { group: 1, clockOffset: 6_000 },
    });
  });

  it('names the block at which the chains have split', async () => {
    const { network, monitor } = createMonitor();
    network.behind = [1];
    network.split = { sibling: 0, block: 'ab'.repeat(32), from: 0, to: 1, cause: 'missing' };
    await expect(monitor.check()).rejects.toMatchObject({
      kind: 'unavailable',
      code: 'ChainSplit',
      detail: 'group 1: gaps',
      data: { group: 1, block: network.split.block, cause: 'missing' },
    });
  });

  it('an absent group stops only the requests that need it', async () => {
    const { network, monitor } = createMonitor();
    network.absent = [3];
    await monitor.check();
    expect(await monitor.state()).toEqual({ ready: false, synced: false, reason: 'group 3 is away' });
    expect(monitor.isKnownSynced()).toBe(true);
  });

  it('concurrent callers share one request', async () => {
    const { network, monitor } = createMonitor();
    await Promise.all([monitor.check(), monitor.check(), monitor.state()]);
    expect(network.asked).toBe(4);
  });
});

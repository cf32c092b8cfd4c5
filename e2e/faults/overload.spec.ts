import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { apiClient, type ApiClient } from '../kit/api-client.js';
import { groupNodeNames } from '../kit/cluster/cluster-process.js';
import { fundChainedSenders } from '../kit/cluster/chained-senders.js';
import { metricSum } from '../kit/cluster/metrics.js';
import { describeOffered, type Offered, OfferedLoad } from '../kit/cluster/offered-load.js';
import { MemoryWatch } from '../kit/cluster/process-memory.js';
import { untilWritesGoOn } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { describeCluster } from '../kit/deployment.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';

/** Seconds of measuring what can be had, and of offering more. */
const lengths = isLong ? { capacity: 60, overload: 600 } : { capacity: 6, overload: 20 };
/** Senders of each group, and those of all groups that are busy while the capacity is measured. */
const sizes = isLong ? { perGroup: 400, busy: 64 } : { perGroup: 100, busy: 32 };
const times = 3;
/** Bounds of behaviour: tasks that wait for a writer, megabytes that a process grows by in the second half. */
const bounds = { queue: 10_000, growth: 200 };

interface Watched {
  readonly longestQueue: number;
  /** Seconds, the largest 99 % of an interval, of any group-node. */
  readonly delay: number;
}

describeCluster(`${times} times as many submits as the network can take`, () => {
  let scenario: Scenario;
  let api: ApiClient;
  let offered: OfferedLoad;
  let memory: MemoryWatch;
  let capacity: Offered;
  let overload: Offered;
  let watched: Watched;

  beforeAll(async () => {
    scenario = await openScenario('overload', { load: { sendersPerGroup: 1, everyMs: 200 } });
    api = apiClient(() => scenario.cluster.baseUrl, 800);
    offered = new OfferedLoad(api, await fundChainedSenders(api, scenario.funded, sizes.perGroup), scenario.load);
  }, 600_000);
  afterAll(async () => {
    api?.close();
    await scenario?.remove();
  });

  /** Looks every second until it is told to end. */
  const watch = (): (() => Promise<Watched>) => {
    let ended = false;
    const nodes = groupNodeNames.map((name) => scenario.cluster.process(name));
    const looking = (async () => {
      let [longestQueue, delay] = [0, 0];
      while (!ended) {
        memory.sample();
        for (const node of nodes) {
          const text = await node.metrics().catch(() => '');
          longestQueue = Math.max(longestQueue, metricSum(text, 'group_node_queue_length'));
          delay = Math.max(delay, metricSum(text, 'event_loop_delay_p99_seconds'));
        }
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
      return { longestQueue, delay };
    })();
    return () => {
      ended = true;
      return looking;
    };
  };

  it('is offered to it', async () => {
    memory = new MemoryWatch(scenario.cluster.processes);
    // The code of a young process is slow.
    await offered.closedLoop(sizes.busy, lengths.capacity / 2);
    capacity = await offered.closedLoop(sizes.busy, lengths.capacity);
    process.stderr.write(describeOffered('capacity', capacity));
    const end = watch();
    overload = await offered.openLoop(times * capacity.accepted, lengths.overload);
    watched = await end();
    const share = (100 * overload.accepted) / capacity.accepted;
    process.stderr.write(
      `${describeOffered('overload', overload)}goodput ${share.toFixed(0)} % of the capacity, longest queue ` +
        `${watched.longestQueue}, event loop late by ${(1_000 * watched.delay).toFixed(0)} ms at most (99 %)\n${memory.describe()}`,
    );
  }, 1_800_000);

  it('is taken as far as it can be, and refused in order for the rest', () => {
    expect(scenario.load.defects).toEqual([]);
    expect(overload.accepted).toBeGreaterThan(0);
    expect(watched.longestQueue).toBeLessThan(bounds.queue);
    expect(memory.growth()).toBeLessThan(bounds.growth);
    // How much depends on what else the machine does.
    if (isLong) expect(overload.accepted).toBeGreaterThan(0.9 * capacity.accepted);
  });

  it('is over at once when it ends', async () => {
    await offered.drain();
    scenario.load.begin();
    const milliseconds = await untilWritesGoOn(scenario, patience(30_000));
    process.stderr.write(`after the overload all groups write again after ${milliseconds.toFixed(0)} ms\n`);
  }, 300_000);

  it('has lost nothing of what was acknowledged', async () => {
    await scenario.finish({ agreeWithinMs: patience(15_000), settleWithinMs: 900_000 });
  }, 1_800_000);
});

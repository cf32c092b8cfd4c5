import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { median } from '@shardnode/testing/statistics';
import { apiClient, type ApiClient } from '../kit/api-client.js';
import { type Environment } from '../kit/child-process.js';
import { groupNodeNames } from '../kit/cluster/cluster-process.js';
import { fundChainedSenders } from '../kit/cluster/chained-senders.js';
import { metricSum } from '../kit/cluster/metrics.js';
import { describeOffered, type Offered, OfferedLoad } from '../kit/cluster/offered-load.js';
import { MemoryWatch } from '../kit/cluster/process-memory.js';
import { untilWritesGoOn } from '../kit/cluster/resumption.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { deployCounters } from '../kit/contracts/counter-calls.js';
import { describeCluster } from '../kit/deployment-under-test.js';
import { isLong } from '../kit/network.js';
import { patience } from '../kit/patience.js';
import { startTraceCollector, type TraceCollector } from '../kit/trace-collector.js';

/**
 * The capacity is what goes into blocks, lastingly: transfers acknowledged in a second less those by which the pools grew.
 * It is looked for with twice as many busy senders each time, until that brings less than a twentieth more.
 */
const search = { from: isLong ? 256 : 128, gain: 1.05 };
/**
 * Seconds of each step of the search, of the load that lets caches and heaps grow before anything is measured, of the measurement
 * before and after the overload (none: the step of the search itself counts), of the overload, and between two looks at the
 * metrics. What the overload brought is compared with the mean of both measurements.
 */
const lengths = isLong
  ? { capacity: 10, ageing: 30, lasting: 30, overload: 60, look: 5 }
  : { capacity: 3, ageing: 0, lasting: 0, overload: 8, look: 4 };
/** Senders of each group, each with a connection while it waits; more than are in a queue that is two seconds late. */
const perGroup = isLong ? 1_000 : 250;
const times = 3;
/** Contracts that the senders of a group call, besides what they transfer. */
const countersPerGroup = 8;
/**
 * Bounds of behaviour: tasks that wait for a writer, blocks that a group is behind another one, megabytes that a process grows
 * by in the second half, seconds.
 */
const bounds = { queue: 10_000, lag: 200, growth: 200, medianDelay: 0.1, goodput: 0.7 };

/** As a network is operated: the rate limit of a key in `k8s/base/gateway.env`, and a trace of each hundredth request. */
const asOperated = (collectorUrl: string): Environment => ({
  RATE_LIMIT: '600000',
  OTEL_EXPORTER_OTLP_ENDPOINT: collectorUrl,
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.01',
});

interface Watched {
  readonly longestQueue: number;
  /** Blocks that any group was behind all others. */
  readonly largestLag: number;
  /** Seconds: the 99 % of each interval between two looks, of any group-node, ascending. */
  readonly delays: readonly number[];
}

const milliseconds = (seconds: number): string => `${(1_000 * seconds).toFixed(0)} ms`;

describeCluster(`${times} times as many submits as the network can take`, () => {
  let scenario: Scenario;
  let collector: TraceCollector;
  let api: ApiClient;
  let offered: OfferedLoad;
  let memory: MemoryWatch;
  /** Busy senders that bring the most. */
  let busiest = search.from;
  /** Transactions a second into blocks. */
  let capacity: number;
  let overload: Offered;
  let watched: Watched;

  const metricsOfNodes = (): Promise<string[]> =>
    Promise.all(
      groupNodeNames.map((name) =>
        scenario.cluster
          .process(name)
          .metrics()
          .catch(() => ''),
      ),
    );

  const pending = async (): Promise<number> =>
    (await metricsOfNodes()).reduce((sum, text) => sum + metricSum(text, 'group_node_mempool_transactions'), 0);

  beforeAll(async () => {
    collector = await startTraceCollector();
    scenario = await openScenario('overload', {
      settings: { MAX_CONNECTIONS: String(8 * perGroup), ...asOperated(collector.url) },
      // What offers the load has no time to pass on what the services say.
      direct: true,
      // As a server of its own would be set: databases grow to gigabytes, more than the kit's server has memory for.
      ...(isLong && { postgres: { shared_buffers: '1GB', max_wal_size: '4GB' } }),
      load: { sendersPerGroup: 1, everyMs: 200 },
    });
    api = apiClient(() => scenario.cluster.baseUrl);
    const calls = await deployCounters(api, scenario.funded, scenario.load, countersPerGroup);
    const senders = await fundChainedSenders(api, scenario.funded, perGroup, calls);
    offered = new OfferedLoad(scenario.cluster.baseUrl, senders, scenario.load, pending);
  }, 600_000);
  afterAll(async () => {
    offered?.close();
    api?.close();
    await scenario?.remove();
    await collector?.close();
  });

  /** Looks at memory every second, and at the metrics less often, until it is told to end. */
  const watch = (): (() => Promise<Watched>) => {
    let ended = false;
    const looking = (async () => {
      let [longestQueue, largestLag] = [0, 0];
      const delays: number[] = [];
      for (let second = 1; !ended; second++) {
        memory.sample();
        if (second % lengths.look === 0) {
          for (const text of await metricsOfNodes()) {
            longestQueue = Math.max(longestQueue, metricSum(text, 'group_node_queue_length'));
            largestLag = Math.max(largestLag, metricSum(text, 'group_node_sibling_lag_blocks'));
            delays.push(metricSum(text, 'event_loop_delay_p99_seconds'));
          }
        }
        await pause(1_000);
      }
      return { longestQueue, largestLag, delays: delays.sort((a, b) => a - b) };
    })();
    return () => {
      ended = true;
      return looking;
    };
  };

  const measured = async (busy: number, seconds: number): Promise<number> => {
    const found = await offered.closedLoop(busy, seconds);
    process.stderr.write(describeOffered(`${busy} busy senders`, found));
    return found.confirmed;
  };

  /** Over minutes, with signatures made before, as in the overload: what offers it must cost the machine the same. */
  const measuredLastingly = async (seconds: number): Promise<number> => {
    await offered.prepare(1.2 * capacity * seconds);
    return measured(busiest, seconds);
  };

  it('can take so many', async () => {
    // The code of a young process is slow.
    await offered.closedLoop(search.from, lengths.capacity);
    capacity = 0;
    for (let busy = search.from; busy <= 4 * perGroup; busy *= 2) {
      const confirmed = await measured(busy, lengths.capacity);
      const isMore = confirmed > search.gain * capacity;
      if (confirmed > capacity) [busiest, capacity] = [busy, confirmed];
      if (!isMore) break;
    }
    if (lengths.ageing > 0) capacity = await measuredLastingly(lengths.ageing);
    if (lengths.lasting > 0) capacity = await measuredLastingly(lengths.lasting);
    expect(capacity).toBeGreaterThan(0);
  }, 1_200_000);

  it('is offered to it', async () => {
    await offered.prepare(1.2 * capacity * lengths.overload);
    memory = new MemoryWatch(scenario.cluster.processes);
    const end = watch();
    overload = await offered.openLoop(times * capacity, lengths.overload);
    watched = await end();
    const { longestQueue, largestLag, delays } = watched;
    process.stderr.write(
      `${describeOffered('overload', overload)}longest queue ${longestQueue}, ${largestLag} blocks behind, event loops of ` +
        `group-nodes late by ${milliseconds(median(delays))} (median of the 99 % of ${lengths.look} s), ` +
        `${milliseconds(delays.at(-1)!)} (largest)\n${memory.describe()}`,
    );
  }, 1_800_000);

  it('is over at once when it ends', async () => {
    await offered.drain();
    scenario.load.begin();
    const resumed = await untilWritesGoOn(scenario, patience(30_000));
    process.stderr.write(`after the overload all groups write again after ${resumed.toFixed(0)} ms\n`);
  }, 300_000);

  it('can take as many after it', async () => {
    if (lengths.lasting > 0) capacity = (capacity + (await measuredLastingly(lengths.lasting))) / 2;
    const share = (100 * overload.confirmed) / capacity;
    process.stderr.write(`goodput ${share.toFixed(0)} % of the capacity of ${capacity.toFixed(0)}/s\n`);
  }, 1_200_000);

  it('is taken as far as it can be, and refused in order for the rest', () => {
    expect(scenario.load.defects).toEqual([]);
    expect(collector.spans.length).toBeGreaterThan(0);
    expect(overload.accepted).toBeGreaterThan(0);
    expect(watched.longestQueue).toBeLessThan(bounds.queue);
    expect(watched.largestLag).toBeLessThan(bounds.lag);
    expect(memory.growth()).toBeLessThan(bounds.growth);
    // How much, and how fast, depends on what else the machine does.
    if (!isLong) return;
    expect(overload.confirmed).toBeGreaterThan(bounds.goodput * capacity);
    expect(median(watched.delays)).toBeLessThan(bounds.medianDelay);
  });

  it('has lost nothing of what was acknowledged', async () => {
    // In full length a million transactions: their blocks are all judged, and of their statuses a tenth.
    const asked = isLong ? 100_000 : 5_000;
    await scenario.finish({ agreeWithinMs: patience(15_000), settleWithinMs: 1_800_000, asked });
  }, 5_400_000);
});

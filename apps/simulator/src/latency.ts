import { type Sender as BusMember } from '@shardnode/core/bus';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { SimulatedCluster } from './cluster/simulated-cluster.js';
import {
  buildTransfer,
  busAccess,
  CarefulClient,
  oneCoin,
  Sender,
  type SentTransaction,
  SentTransactions,
} from './load/index.js';
import { countOrphans, inVirtualTime, judge } from './simulate.js';
import { type VirtualTime } from './virtual-time/index.js';

export interface LatencyOptions {
  readonly seed: number;
  /** Milliseconds of a message between two groups. */
  readonly latency: number;
  /** Virtual seconds of load. */
  readonly seconds: number;
  /** Sending keys of each group, each with one transfer at a time. */
  readonly sendersPerGroup: number;
  /** Path of a file for all events. */
  readonly trace?: string;
}

/** Milliseconds from the submit; p50, p95, p99. */
export type Percentiles = readonly [number, number, number];

export interface LatencyReport {
  readonly latency: number;
  readonly senders: number;
  readonly transactions: number;
  /** Transactions per virtual second. */
  readonly throughput: number;
  readonly blocks: number;
  readonly orphans: number;
  /** In a block, for transfers within a group. */
  readonly within: Percentiles;
  /** The same between groups. */
  readonly between: Percentiles;
  /** Until the group of the receiver shows its outputs: the coins can be spent. */
  readonly spendable: Percentiles;
  /** Until the group of the receiver has included it, from the view of the sender's group. */
  readonly received: Percentiles;
  readonly virtualSeconds: number;
  readonly wallSeconds: number;
  readonly problems: readonly string[];
}

/** Virtual milliseconds. `look`: between two polls of a status, which is the precision of the measurements. */
const times = { look: 5, lookAtReceiver: 25, patience: 60_000 };

/** Bound of the virtual milliseconds between two transfers of a sender: some five a second. */
const longestPause = 400;

const percentilesOf = (values: readonly number[]): Percentiles => {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
  return [at(0.5), at(0.95), at(0.99)];
};

/** Measurements of the senders, in milliseconds from the submit. */
class Measures {
  readonly within: number[] = [];
  readonly between: number[] = [];
  readonly spendable: number[] = [];
  readonly received: number[] = [];
  readonly waiting: Promise<void>[] = [];
}

interface Sending {
  readonly client: CarefulClient;
  readonly sender: Sender;
  readonly sent: SentTransactions;
  readonly time: VirtualTime;
  readonly measures: Measures;
  readonly until: number;
  readonly random: () => number;
}

/** The virtual time at which the receiver's group shows the outputs of its block; undefined when it never does. */
const seenByReceiver = async (
  { client, sent, time }: Sending,
  { txId, to, blockHash }: SentTransaction,
): Promise<number | undefined> => {
  const until = time.now + times.patience;
  while (blockHash !== undefined && time.now < until) {
    const { included } = await client.ask(to, 'read.view.includes', { blockHash });
    if (included) return time.now;
  }
  sent.defects.push(`the outputs of ${txId} were not shown by group ${to}`);
  return undefined;
};

/** Sends one transfer after the other, every second one to another group. */
const sendOn = async (sending: Sending, key: TestKey, keys: readonly TestKey[]) => {
  const { sender, time, measures, until, random } = sending;
  const groups = new Set(keys.map(({ group }) => group)).size;
  while (time.now < until) {
    await time.sleep(random() * longestPause);
    const group = random() < 0.5 ? key.group : (key.group + 1 + Math.floor(random() * (groups - 1))) % groups;
    const receivers = keys.filter((other) => other.group === group && other !== key);
    const to = receivers[Math.floor(random() * receivers.length)] ?? key;
    const entry = await sender.submit(await buildTransfer(sender, key, to, oneCoin / 100n));
    if (!entry || (await sender.wait(entry)) !== 'confirmed') continue;
    const took = entry.confirmedAt! - entry.sentAt;
    (group === key.group ? measures.within : measures.between).push(took);
    if (group === key.group) continue;
    const note = async (): Promise<void> => {
      const spendable = await seenByReceiver(sending, entry);
      if (spendable !== undefined) measures.spendable.push(spendable - entry.sentAt);
      const received = await sender.includedByReceiver(entry);
      if (received !== undefined) measures.received.push(received - entry.sentAt);
    };
    measures.waiting.push(note());
  }
};

const isBetweenGroups = (from: BusMember, to: BusMember): boolean =>
  from.member !== undefined && to.member !== undefined && from.member !== to.member;

const runLoad = async (cluster: SimulatedCluster, keys: readonly TestKey[], options: LatencyOptions) => {
  const { time } = cluster;
  const { seed, latency, seconds } = options;
  await cluster.start({ latency: (from, to) => (isBetweenGroups(from, to) ? latency : 0) });
  const sent = new SentTransactions();
  const client = new CarefulClient(cluster.client, time);
  const sender = new Sender(busAccess(client), time, sent, times);
  const measures = new Measures();
  const [began, until] = [time.now, time.now + seconds * 1000];
  const sending = { client, sender, sent, time, measures, until };
  await Promise.all(keys.map((key, i) => sendOn({ ...sending, random: seededRandom(seed * 1_009 + i) }, key, keys)));
  const loadSeconds = (time.now - began) / 1000;
  await Promise.all(measures.waiting);
  await time.sleep(10_000);
  return { sent, measures, loadSeconds };
};

/** Simulates a quiet network with this latency between groups; the time of machines is not part of it. */
export const simulateLatency = async (options: LatencyOptions): Promise<LatencyReport> => {
  const { seed, latency, sendersPerGroup } = options;
  const groups = Array.from({ length: developmentNetwork.groups }, (_, group) => group);
  const keys = groups.flatMap((group) => testKeysOfGroup(group, 1 + sendersPerGroup).slice(1));
  const coins = keys.map(({ lockupScript }) => ({ lockupScript, amount: 1_000n * oneCoin, lockDuration: 0n }));
  const settings: NetworkSettings = { ...developmentNetwork, allocations: coins };
  const { result, ...took } = await inVirtualTime(seed, settings, async (time) => {
    const cluster = new SimulatedCluster(time, { seed, settings, withGateway: false, trace: options.trace });
    const { sent, measures, loadSeconds } = await runLoad(cluster, keys, options);
    const judged = await judge(cluster, sent, settings);
    const problems = [...sent.defects, ...judged.problems.map(({ name, detail }) => `${name}: ${detail}`)];
    return { sent, measures, loadSeconds, blocks: judged.blocks, problems, orphans: await countOrphans(cluster) };
  });
  const { sent, measures, loadSeconds, blocks, orphans, problems } = result;
  return {
    latency,
    senders: keys.length,
    transactions: sent.confirmed,
    throughput: sent.confirmed / loadSeconds,
    blocks,
    orphans,
    within: percentilesOf(measures.within),
    between: percentilesOf(measures.between),
    spendable: percentilesOf(measures.spendable),
    received: percentilesOf(measures.received),
    virtualSeconds: took.virtualSeconds,
    wallSeconds: took.wallSeconds,
    problems,
  };
};

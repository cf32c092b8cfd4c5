import { type InspectedChain } from '@shardnode/messages';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { developmentNetwork, type NetworkSettings } from '@shardnode/protocol/network';
import { contractRules } from '@shardnode/testing/contract-rules';
import { createLedgerOracle, type LedgerReport, loadCanonicalBlocks } from '@shardnode/testing/ledger-oracle';
import { type MessageCounts, SimulatedCluster } from './cluster/simulated-cluster.js';
import { warmUp } from './cluster/warm-up.js';
import { type FaultCounts, Faults } from './faults.js';
import { allocationsOfLoad, Load, type SentTransactions } from './load/index.js';
import { seededBytes } from './seeded-bytes.js';
import { installTime, VirtualTime } from './virtual-time/index.js';

export interface SimulationOptions {
  readonly seed: number;
  readonly rounds: number;
  /** Path of a file that gets every event. */
  readonly trace?: string;
}

export interface SimulationReport {
  readonly seed: number;
  readonly rounds: number;
  /** Of the event log, 16 hexadecimal digits. */
  readonly hash: string;
  readonly events: number;
  readonly virtualSeconds: number;
  readonly wallSeconds: number;
  /** Of this process. */
  readonly processorSeconds: number;
  readonly blocks: number;
  /** Blocks that are on no canonical chain. */
  readonly orphans: number;
  readonly acknowledged: number;
  readonly confirmed: number;
  readonly refused: number;
  readonly calls: number;
  /** Requests that the gateway has answered; 0: there was none. */
  readonly answers: number;
  /** Transfers of wallets that were acknowledged, and those without an answer. */
  readonly walletTransfers: number;
  readonly unanswered: number;
  readonly commits: number;
  readonly messages: MessageCounts;
  readonly faults: FaultCounts;
  /** Sentences; none: all is well. */
  readonly problems: readonly string[];
}

/** Milliseconds since 1970 at which every simulation begins. */
const startAt = 1_790_000_000_000;

const settingsOfSimulation: NetworkSettings = { ...developmentNetwork, allocations: allocationsOfLoad };

/** Blocks beside the canonical ones, by the lists of heights that the nodes keep of their own chains. */
export const countOrphans = async ({ client, nodes }: SimulatedCluster): Promise<number> => {
  const chains = nodes.flatMap(({ group: from }) => nodes.map(({ group: to }) => ({ from, to })));
  const shown = await Promise.all(
    chains.map((chain): Promise<InspectedChain> => client.request(chain.from, 'read.inspection.chain', chain)),
  );
  return shown.reduce((sum, { forks }) => sum + forks.reduce((more, { hashes }) => more + hashes.length - 1, 0), 0);
};

/** What is wrong with the stores of the nodes themselves: rows of unspent outputs that are not those of the trie. */
const projectionProblems = async ({ nodes }: SimulatedCluster): Promise<string[]> => {
  const problems: string[] = [];
  for (const { group, store } of nodes) {
    const check = await store?.checkProjection();
    if (!check?.equal) problems.push(`ProjectionDiffers: group ${group}: ${check?.difference ?? 'it is not there'}`);
  }
  return problems;
};

/** The oracle's verdict on the chains of a cluster in which nothing moves any more. */
export const judge = async (
  cluster: SimulatedCluster,
  sent: SentTransactions,
  settings: NetworkSettings,
): Promise<LedgerReport> => {
  const oracle = createLedgerOracle({ genesis: settings, contractRules: contractRules(settings) });
  sent.tell(oracle);
  oracle.load(await loadCanonicalBlocks(cluster.client));
  return oracle.verify();
};

/** Virtual milliseconds in which follow-up blocks are made before anybody judges. */
const quietTime = 15_000;

const textOfFault = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Every third seed is of group-nodes alone: gateway and wallet-service cost a third more. */
const hasGateway = (seed: number): boolean => seed % 3 !== 0;

const runRounds = async (cluster: SimulatedCluster, options: SimulationOptions) => {
  const { seed, rounds } = options;
  await cluster.start();
  const load = new Load(cluster, seed);
  const faults = new Faults(cluster, seed);
  try {
    return { load, faults, ...(await runAll(cluster, load, faults, rounds)) };
  } catch (error) {
    return { load, faults, blocks: 0, orphans: 0, problems: [`Fault: ${textOfFault(error)}`] };
  }
};

const runAll = async (cluster: SimulatedCluster, load: Load, faults: Faults, rounds: number) => {
  load.begin();
  for (let round = 0; round < rounds; round++) {
    cluster.log.add('round', round);
    await faults.round();
  }
  await faults.end();
  await load.rest();
  await cluster.time.sleep(quietTime);
  await cluster.synced();
  const report = await judge(cluster, load.sent, settingsOfSimulation);
  const shown = [...(await projectionProblems(cluster)), ...(await load.problems(report))];
  const problems = [
    ...load.sent.defects.map((defect) => `Load: ${defect}`),
    ...shown,
    ...report.problems.map(({ name, detail }) => `${name}: ${detail}`),
  ];
  return { blocks: report.blocks, problems, orphans: await countOrphans(cluster) };
};

/** Runs with the time of this process in its hands. One at a time. */
export const inVirtualTime = async <Result>(
  seed: number,
  settings: NetworkSettings,
  run: (time: VirtualTime) => Promise<Result>,
) => {
  await warmUp(settings);
  const time = new VirtualTime(startAt);
  const [began, used] = [process.hrtime.bigint(), process.cpuUsage()];
  const putBack = installTime(time, seededBytes(seededRandom(seed ^ 0x5eed)));
  try {
    const result = await time.run(run(time));
    const { user, system } = process.cpuUsage(used);
    return {
      result,
      virtualSeconds: time.now / 1000,
      wallSeconds: Number(process.hrtime.bigint() - began) / 1e9,
      processorSeconds: (user + system) / 1e6,
    };
  } finally {
    putBack();
  }
};

/** One simulation of a cluster under faults. Whatever goes wrong is among the problems of the report. */
export const simulate = async (options: SimulationOptions): Promise<SimulationReport> => {
  const { seed, rounds, trace } = options;
  let cluster!: SimulatedCluster;
  const { result, ...times } = await inVirtualTime(seed, settingsOfSimulation, (time) => {
    cluster = new SimulatedCluster(time, {
      seed,
      settings: settingsOfSimulation,
      withGateway: hasGateway(seed),
      trace,
    });
    return runRounds(cluster, options);
  });
  const { load, faults, blocks, orphans, problems } = result;
  return {
    seed,
    rounds,
    hash: cluster.log.end(),
    events: cluster.log.count,
    ...times,
    blocks,
    orphans,
    acknowledged: load.sent.acknowledged,
    confirmed: load.sent.confirmed,
    refused: load.sent.refused,
    calls: load.calls,
    answers: load.answers,
    walletTransfers: load.walletTransfers,
    unanswered: load.sent.unanswered,
    commits: cluster.services.reduce((sum, { commits }) => sum + commits, 0),
    messages: cluster.messages,
    faults: faults.counts,
    problems,
  };
};

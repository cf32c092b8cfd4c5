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
  /** Path of a file for all events. */
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
  /** Blocks on no canonical chain. */
  readonly orphans: number;
  readonly acknowledged: number;
  readonly confirmed: number;
  readonly refused: number;
  readonly calls: number;
  /** Requests that the gateway has answered; 0: there was no gateway. */
  readonly answers: number;
  /** Acknowledged transfers of wallets, and those without a response. */
  readonly walletTransfers: number;
  readonly unanswered: number;
  readonly commits: number;
  readonly messages: MessageCounts;
  readonly faults: FaultCounts;
  /** Sentences; empty: no problem. */
  readonly problems: readonly string[];
}

/** Milliseconds since 1970 at which every simulation begins. */
const startAt = 1_790_000_000_000;

const settingsOfSimulation: NetworkSettings = { ...developmentNetwork, allocations: allocationsOfLoad };

/** Blocks beside the canonical ones, by the height lists of the nodes for their own chains. */
export const countOrphans = async ({ client, nodes }: SimulatedCluster): Promise<number> => {
  const chains = nodes.flatMap(({ group: from }) => nodes.map(({ group: to }) => ({ from, to })));
  const shown = await Promise.all(
    chains.map((chain): Promise<InspectedChain> => client.request(chain.from, 'read.inspection.chain', chain)),
  );
  return shown.reduce((sum, { forks }) => sum + forks.reduce((more, { hashes }) => more + hashes.length - 1, 0), 0);
};

/** Problems in the stores of the nodes: rows of unspent outputs that differ from the trie. */
const projectionProblems = async ({ nodes }: SimulatedCluster): Promise<string[]> => {
  const problems: string[] = [];
  for (const { group, store } of nodes) {
    const check = await store?.checkProjection();
    if (!check?.equal) problems.push(`ProjectionDiffers: group ${group}: ${check?.difference ?? 'it is not there'}`);
  }
  return problems;
};

/** The verdict of the oracle on the chains of an idle cluster. */
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

/** Virtual milliseconds for follow-up blocks before the verdict. */
const quietTime = 15_000;

const textOfFault = (error: unknown): string =>
  error instanceof Error ? (error.stack ?? error.message) : String(error);

/** Every third seed runs group-nodes alone, because gateway and wallet-service cost a third more. */
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

/** Runs in virtual time, which replaces the timers of this process. One at a time. */
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

/** Simulates a cluster under faults. Every failure is among the problems of the report. */
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

import { developmentNetwork } from '@shardnode/protocol/network';
import { contractRules } from '@shardnode/testing/contract-rules';
import { developmentKeys, type TestKey } from '@shardnode/testing/keys';
import { createLedgerOracle, type LedgerReport, loadCanonicalBlocks } from '@shardnode/testing/ledger-oracle';
import { median } from '@shardnode/testing/statistics';
import { apiClient, type ApiClient } from '../api-client.js';
import { groups } from '../chains.js';
import { checkProjections } from '../projection-check.js';
import { Cluster, type ClusterOptions, isExplorer } from './cluster.js';
import { FaultLoad, type FaultLoadOptions } from './fault-load.js';
import { type Hits } from './proxy-channel.js';
import { agreement, openNodeViews } from './node-views.js';

export interface ScenarioOptions extends ClusterOptions {
  readonly load?: FaultLoadOptions;
}

/** What the end of a scenario found. */
interface ScenarioEnd {
  readonly report: LedgerReport;
  /** Milliseconds from the last fault until all group-nodes agreed. */
  readonly agreedAfterMs: number;
  readonly outputs: number;
}

interface EndOptions {
  readonly agreeWithinMs?: number;
  readonly settleWithinMs?: number;
  readonly asked?: number;
}

/** A cluster under load that is going to be harmed, and the judgement at its end. */
export interface Scenario {
  readonly cluster: Cluster;
  readonly api: ApiClient;
  /** Over `gateway-2`, where there is one. */
  readonly second: ApiClient | undefined;
  readonly funded: readonly TestKey[];
  readonly load: FaultLoad;
  /** Fails unless the fault was felt since the last call. A scenario whose fault was never hit proves nothing. */
  requireHits(fault: keyof Hits, atLeast?: number): void;
  /**
   * Every scenario ends so: no more harm, all processes run, the load rests, every acknowledged transaction is Confirmed or
   * has its reason, all group-nodes agree within `agreeWithinMs` (default 15,000), the ledger oracle finds the chains sound,
   * and after an orderly stop each projection equals a scan of its trie. Prints what happened. `settleWithinMs`: for asking
   * after all transactions one by one; default 60,000. `asked`: of more than so many it asks after so many, by chance (the
   * oracle looks for all of them, and takes no reason for the others).
   */
  finish(options?: EndOptions): Promise<ScenarioEnd>;
  remove(): Promise<void>;
}

/** Loads the chains of a cluster that runs. What it gives judges them; it keeps the processor, so stop the cluster before. */
export const prepareJudgement = async (cluster: Cluster, load: FaultLoad): Promise<() => LedgerReport> => {
  const views = await openNodeViews(cluster);
  try {
    const { client } = views;
    const rules = contractRules(developmentNetwork);
    const oracle = createLedgerOracle({ genesis: developmentNetwork, groups: groups.length, contractRules: rules });
    for (const { txId, from, to, acknowledged, reason } of load.transactions) {
      if (!acknowledged) continue;
      oracle.acknowledge(txId, { from, to });
      if (reason !== undefined) oracle.refused(txId, reason);
    }
    oracle.load(await loadCanonicalBlocks(client));
    return () => {
      const report = oracle.verify();
      report.expectSound();
      return report;
    };
  } finally {
    await views.close();
  }
};

/** How long the parts of the end took, for people. */
class StageTimes {
  private readonly parts: string[] = [];
  private began = performance.now();

  end(name: string): void {
    const now = performance.now();
    this.parts.push(`${name} ${((now - this.began) / 1000).toFixed(1)} s`);
    this.began = now;
  }

  describe(): string {
    return `  ${this.parts.join(', ')}; ${(process.memoryUsage().heapUsed / 2 ** 20).toFixed(0)} MB of heap\n`;
  }
}

const hitsOf = (cluster: Cluster, fault: keyof Hits): number =>
  (['nats', 'postgres', 'redis'] as const)
    .flatMap((server) => cluster.proxiesTo(server))
    .reduce((sum, { hits }) => sum + hits[fault], 0);

const expectNoDefects = ({ defects }: FaultLoad): void => {
  if (defects.length === 0) return;
  throw new Error(`${defects.length} answers that no careful sender may get:\n${defects.slice(0, 10).join('\n')}`);
};

const describeEnd = (title: string, { cluster, load }: Scenario, end: ScenarioEnd): string => {
  const answers = [...load.answers].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  const times = cluster.recoveries.map(({ milliseconds }) => milliseconds);
  const starts = `${times.length} starts, median ${median(times)} ms, slowest ${Math.max(0, ...times)} ms`;
  return [
    `${title}: ${load.acknowledged} transfers acknowledged (answers ${answers.join(', ')}); ${starts};`,
    `agreed after ${end.agreedAfterMs.toFixed(0)} ms; ${end.report.blocks} blocks, ${end.outputs} outputs\n`,
  ].join(' ');
};

/** Starts a cluster and a load for it, which does not run yet. */
export const openScenario = async (title: string, options: ScenarioOptions = {}): Promise<Scenario> => {
  const cluster = new Cluster(options);
  const apis: ApiClient[] = [];
  const loads: FaultLoad[] = [];
  const remove = async (): Promise<void> => {
    const ends = loads.map((load) => load.abandon());
    apis.forEach((api) => api.close());
    if (process.env['SHOW_LOG'] === '1') process.stderr.write(cluster.log());
    await cluster.remove();
    await Promise.all(ends);
  };
  try {
    await cluster.start();
    const names = options.secondGateway ? (['gateway', 'gateway-2'] as const) : (['gateway'] as const);
    apis.push(...names.map((name) => apiClient(() => cluster.process(name).url)));
    const funded = await developmentKeys();
    const load = await FaultLoad.prepare(apis, funded, options.load);
    loads.push(load);
    const counted = new Map<keyof Hits, number>();
    const finish: Scenario['finish'] = async ({ agreeWithinMs = 15_000, settleWithinMs, asked } = {}) => {
      const times = new StageTimes();
      await cluster.heal();
      const absent = cluster.processes.filter(({ isRunning, name }) => !isRunning && !isExplorer(name));
      await Promise.all(absent.map((process) => process.start()));
      await cluster.ready();
      await load.rest();
      const { afterMs } = await agreement(cluster, agreeWithinMs);
      times.end('agreement');
      await load.settle(settleWithinMs, asked);
      expectNoDefects(load);
      times.end('statuses');
      const judge = await prepareJudgement(cluster, load);
      times.end('blocks');
      await cluster.stop();
      times.end('stop');
      const report = judge();
      times.end('oracle');
      const end: ScenarioEnd = { report, agreedAfterMs: afterMs, outputs: await checkProjections(cluster) };
      times.end('projections');
      process.stderr.write(`${describeEnd(title, scenario, end)}${times.describe()}`);
      return end;
    };
    const scenario: Scenario = {
      cluster,
      api: apis[0]!,
      second: apis[1],
      funded,
      load,
      requireHits: (fault, atLeast = 1) => {
        const hits = hitsOf(cluster, fault);
        const felt = hits - (counted.get(fault) ?? 0);
        counted.set(fault, hits);
        if (felt < atLeast) throw new Error(`the fault "${fault}" was felt ${felt} times, expected ${atLeast}`);
      },
      finish,
      remove,
    };
    return scenario;
  } catch (error) {
    if (process.env['SHOW_LOG'] !== undefined) process.stderr.write(cluster.log());
    await remove();
    throw error;
  }
};

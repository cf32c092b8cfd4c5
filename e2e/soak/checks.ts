import { openNatsNetwork } from '@shardnode/core/bus';
import { type Database, openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { type GroupClient, groupClient } from '@shardnode/messages';
import { type LedgerReport } from '@shardnode/testing/ledger-oracle';
import { logLines } from '../kit/cluster/log-lines.js';
import { metricSum } from '../kit/cluster/metrics.js';
import { agreement } from '../kit/cluster/node-views.js';
import { prepareJudgement, type Scenario } from '../kit/cluster/scenario.js';
import { type SyncForm } from '../kit/explorer/embedded-explorer.js';
import { untilHeadsEqual } from '../kit/explorer/same-as-nodes.js';
import { groups } from '../kit/chains.js';
import { patience } from '../kit/patience.js';
import { checkProjections } from '../kit/projection-check.js';
import { waitFor } from '../kit/wait-for.js';
import { runningNames } from './faults.js';

export interface CheckResult {
  readonly name: string;
  readonly isOk: boolean;
  /** What was found, for people. */
  readonly detail: string;
}

/** Fails, or says what it found. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<string> | string;
}

/** Milliseconds for each transaction whose status is asked for, on a busy machine. */
const perStatus = 25;

const fail = (text: string): never => {
  throw new Error(text);
};

const settled = async ({ load }: Scenario): Promise<string> => {
  await load.settle(patience(60_000) + perStatus * load.acknowledged);
  const acknowledged = load.transactions.filter((transaction) => transaction.acknowledged);
  const lost = acknowledged.filter(({ blockHash, reason }) => blockHash === undefined && reason === undefined);
  if (lost.length > 0) fail(`${lost.length} are lost, among them ${lost[0]!.txId} of group ${lost[0]!.from}`);
  const left = acknowledged.filter(({ reason }) => reason !== undefined);
  const reasons = [...new Set(left.map(({ reason }) => reason!.split(':')[0]))];
  const why = left.length === 0 ? '' : ` (${reasons.join(', ')})`;
  return `${acknowledged.length} acknowledged: ${acknowledged.length - left.length} confirmed, ${left.length} left with a reason${why}`;
};

const honest = ({ load }: Scenario): string => {
  const { defects } = load;
  if (defects.length > 0)
    fail(`${defects.length} answers that no careful sender may get: ${defects.slice(0, 5).join('; ')}`);
  const answers = [...load.answers].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  return `answers ${answers.join(', ')} (0: the connection broke)`;
};

/** Access past the proxies while the checks run; on the bus as the explorer: a gateway may not read the feed. */
interface Access {
  readonly client: GroupClient;
  readonly index: Database;
  readonly close: () => Promise<void>;
}

const openAccess = async ({ cluster }: Scenario): Promise<Access> => {
  const access = cluster.busAccess();
  const bus = openNatsNetwork({ ...access, logger: silentLogger });
  const joined = await bus.join({ sender: { service: 'explorer' }, logger: silentLogger });
  const client = groupClient(joined.bus, { ns: access.ns, groups: groups.length });
  const url = cluster.databaseUrl('explorer');
  const host = openDatabaseServer({ url, applicationName: 'e2e', logger: silentLogger });
  const close = async (): Promise<void> => {
    await host.close();
    await bus.close();
  };
  return { client, index: host.service('explorer'), close };
};

/** Coins of each address by the explorer, attoCoin. */
type Balances = ReadonlyMap<string, bigint>;

const balancesOf = async (index: Database): Promise<Balances> => {
  const rows = await index.query<{ address: string; balance: string }>(
    'balances-of-test',
    `SELECT address, balance::text AS balance FROM ${index.schema}.addresses WHERE balance > 0`,
  );
  return new Map(rows.map(({ address, balance }) => [address, BigInt(balance)]));
};

const followed = async ({ cluster }: Scenario, { client, index }: Access): Promise<string> => {
  await untilHeadsEqual(index, client, patience(60_000));
  const explorer = cluster.process('explorer');
  const sync = (await (await fetch(`${explorer.url}/infos/sync`)).json()) as SyncForm;
  const { synced, phase, unresolvedInputs, conflictInputs } = sync;
  const text = `${phase}, ${unresolvedInputs} unresolved inputs, ${conflictInputs} in conflict`;
  if (!synced || unresolvedInputs + conflictInputs > 0) fail(text);
  return text;
};

const audited = async ({ cluster }: Scenario): Promise<string> => {
  const explorer = cluster.process('explorer');
  await waitFor(
    'the supply audit to come to the heads',
    async () => metricSum(await explorer.metrics(), 'explorer_audit_lag_blocks') === 0,
    { timeoutMs: patience(120_000), everyMs: 500 },
  );
  const findings = metricSum(await explorer.metrics(), 'explorer_audit_findings');
  if (findings > 0) fail(`${findings} blocks break a rule`);
  return 'all blocks judged, no findings';
};

const compareBalances = (report: LedgerReport, shown: Balances): string => {
  const addresses = new Set([...report.addresses, ...shown.keys()]);
  const different = [...addresses].filter((address) => report.balanceOf(address) !== (shown.get(address) ?? 0n));
  const [first] = different;
  if (first !== undefined) {
    const amounts = `${report.balanceOf(first)} by the oracle, ${shown.get(first) ?? 0n} by the explorer`;
    fail(`${different.length} of ${addresses.size} addresses differ, among them ${first}: ${amounts}`);
  }
  const sum = [...shown.values()].reduce((total, balance) => total + balance, 0n);
  if (sum !== report.supply.held) fail(`the balances are ${sum}, the oracle finds ${report.supply.held} unspent`);
  return `${addresses.size} addresses, ${sum / 10n ** 18n} coins`;
};

const ended = ({ cluster }: Scenario): string => {
  const fatal = cluster.processes.flatMap((process) =>
    logLines(process, 60).map(({ msg, err }) => `${process.name}: ${msg} (${err?.message ?? ''})`),
  );
  if (fatal.length > 0) fail(`${fatal.length} errors that nobody handled: ${fatal.slice(0, 3).join('; ')}`);
  return `${runningNames.length} processes, all their starts`;
};

/**
 * What must hold when faults and load are over, all processes run and mine. In this order: the statuses while blocks are made,
 * what compares while none is, the oracle, which keeps the processor, and what is stored once nobody uses it.
 */
export const runChecks = async (
  scenario: Scenario,
  before: readonly Check[],
  note: (result: CheckResult) => void,
): Promise<readonly CheckResult[]> => {
  const { cluster, api, load } = scenario;
  const results: CheckResult[] = [];
  const check = async ({ name, run }: Check): Promise<void> => {
    let result: CheckResult;
    try {
      result = { name, isOk: true, detail: await run() };
    } catch (error) {
      result = { name, isOk: false, detail: (error as Error).message };
    }
    results.push(result);
    note(result);
  };
  const checks = async (...all: readonly Check[]): Promise<void> => {
    for (const one of all) await check(one);
  };
  await checks(...before, { name: 'nothing acknowledged is lost', run: () => settled(scenario) });
  await check({ name: 'answers', run: () => honest(scenario) });
  await api.post('/miners/cpu-mining?action=stop-mining').catch(() => undefined);
  const access = await openAccess(scenario);
  let shown: Balances = new Map();
  let judge: (() => LedgerReport) | undefined;
  let report: LedgerReport | undefined;
  try {
    await checks(
      {
        name: 'group-nodes agree',
        run: async () => `${(await agreement(cluster, patience(60_000))).blocks} blocks of all chains`,
      },
      { name: 'explorer follows', run: () => followed(scenario, access) },
      { name: 'supply audit', run: () => audited(scenario) },
      {
        name: 'blocks of all nodes',
        run: async () => {
          shown = await balancesOf(access.index);
          judge = await prepareJudgement(cluster, load);
          return 'read from the nodes that keep them';
        },
      },
    );
  } finally {
    await access.close();
  }
  await checks(
    {
      name: 'stop in order',
      run: async () => {
        const { code, signal } = await cluster.stop();
        return code === 0 && signal === null ? 'all processes' : fail(`code ${code}, signal ${signal}`);
      },
    },
    {
      name: 'ledger oracle',
      run: () => {
        report = (judge ?? fail('it has no blocks'))();
        return `${report.blocks} blocks, ${report.transactions} transactions, ${report.utxoCount} outputs`;
      },
    },
    {
      name: 'explorer shows the balances of the oracle',
      run: () => compareBalances(report ?? fail('there is no report'), shown),
    },
    { name: 'outputs equal the state', run: async () => `${await checkProjections(cluster)} outputs` },
    { name: 'no unhandled error', run: () => ended(scenario) },
  );
  return results;
};

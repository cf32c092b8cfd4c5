import { setTimeout as pause } from 'node:timers/promises';
import { oneOf } from '@shardnode/testing/seeded-random';
import { type ServerName } from '@shardnode/core/servers';
import { numberColumns, tableLines } from '@shardnode/core/terminal';
import { median } from '@shardnode/testing/statistics';
import { type Cluster } from './cluster.js';
import { type ProcessName } from './cluster-process.js';

/** What can end in a cluster: a process of ours, or a server. */
export type Target = ProcessName | ServerName;

export const serverNames: readonly ServerName[] = ['postgres', 'nats', 'redis'];

/** `SIGTERM`: in order, as an orchestrator asks; whoever does not end within its grace is killed. */
export type Ending = 'kill -9' | 'SIGTERM';

export interface HarmRound {
  readonly targets: readonly Target[];
  readonly ending: Ending;
}

/** A target that runs again. */
export interface Revival {
  readonly target: Target;
  readonly ending: Ending;
  /** Milliseconds from its start until it is ready, of a server until it answers. */
  readonly readyMs: number;
}

export const describeHarm = ({ targets, ending }: HarmRound): string => `${ending} of ${targets.join(' and ')}`;

/** Milliseconds: PostgreSQL that is asked so waits for its clients, which do not go. */
const grace = 2_000;

const isServer = (target: Target): target is ServerName => (serverNames as readonly string[]).includes(target);

const endServer = async (cluster: Cluster, name: ServerName, ending: Ending): Promise<void> => {
  const server = cluster.servers[name];
  const { pid } = server;
  if (ending === 'SIGTERM' && pid !== undefined) {
    process.kill(pid, 'SIGTERM');
    const until = performance.now() + grace;
    while (server.pid !== undefined && performance.now() < until) await pause(20);
  }
  await server.kill9();
};

/** Ends it and waits until it is gone. */
export const endTarget = async (cluster: Cluster, target: Target, ending: Ending): Promise<void> => {
  if (isServer(target)) return endServer(cluster, target, ending);
  const service = cluster.process(target);
  if (ending === 'kill -9') return service.kill9();
  const end = await service.stop('SIGTERM');
  if (end.code !== 0) throw new Error(`${target} did not end in order: code ${end.code}, signal ${end.signal}`);
};

/** Starts it again; milliseconds until it is ready. */
export const reviveTarget = async (cluster: Cluster, target: Target): Promise<number> => {
  if (!isServer(target)) return cluster.process(target).start();
  const began = performance.now();
  await cluster.servers[target].start();
  return performance.now() - began;
};

/** Ends all targets of a round at the same time, and starts them again after `downMs`. */
export const harmOnce = async (
  cluster: Cluster,
  { targets, ending }: HarmRound,
  downMs: number,
): Promise<readonly Revival[]> => {
  await Promise.all(targets.map((target) => endTarget(cluster, target, ending)));
  await pause(downMs);
  return Promise.all(targets.map(async (target) => ({ target, ending, readyMs: await reviveTarget(cluster, target) })));
};

/**
 * First each kind of target by itself, both endings in turn; then pairs, a server in every second one; then whatever chance
 * brings, a third of it in pairs.
 */
export const planHarm = (targets: readonly Target[], rounds: number, random: () => number): readonly HarmRound[] => {
  const endings: readonly Ending[] = ['kill -9', 'SIGTERM'];
  const kindOf = (target: Target): string => target.replace(/-\d$/, '');
  const kinds = [...new Set(targets.map(kindOf))];
  const pair = (first: Target): readonly Target[] => [
    first,
    oneOf(
      targets.filter((other) => other !== first),
      random,
    ),
  ];
  const alone = kinds.map((kind) => [
    oneOf(
      targets.filter((target) => kindOf(target) === kind),
      random,
    ),
  ]);
  const pairs = [
    pair(oneOf(serverNames, random)),
    pair(
      oneOf(
        targets.filter((target) => !isServer(target)),
        random,
      ),
    ),
  ];
  const planned = [...alone, ...pairs];
  while (planned.length < rounds)
    planned.push(random() < 1 / 3 ? pair(oneOf(targets, random)) : [oneOf(targets, random)]);
  return planned.map((of, index) => ({ targets: of, ending: endings[index % endings.length]! }));
};

/** Milliseconds until ready, by kind of target and ending: how many, median, slowest. */
export const revivalTable = (revivals: readonly Revival[]): string => {
  const titleOf = ({ target, ending }: Revival): string => `${target.replace(/-\d$/, '')}, ${ending}`;
  const titles = [...new Set(revivals.map(titleOf))].sort();
  const rows = titles.map((title) => {
    const times = revivals.filter((revival) => titleOf(revival) === title).map(({ readyMs }) => readyMs);
    return [title, ...[times.length, median(times), Math.max(...times)].map((number) => number.toFixed(0))];
  });
  const figures = numberColumns('ended', 'median', 'slowest');
  return `${tableLines([{ title: 'ready again, ms' }, ...figures], rows).join('\n')}\n`;
};

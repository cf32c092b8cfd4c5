import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, stringify } from 'yaml';
import { findProgram, freePort } from '@shardnode/core/servers';
import { startProcess } from './child-process.js';
import { waitFor } from './wait-for.js';

const configurationFolder = fileURLToPath(new URL('../../observability/', import.meta.url));

export interface AlertRule {
  readonly alert: string;
  expr: string;
  for?: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string; readonly runbook: string };
}

interface RuleFile {
  readonly groups: readonly { interval?: string; readonly rules: readonly AlertRule[] }[];
}

interface PrometheusFile {
  readonly scrape_configs: {
    proxy_url?: string;
    static_configs: { targets: string[]; labels?: Record<string, string> }[];
  }[];
  readonly global: Record<string, string>;
}

const readYaml = <T>(name: string): T => parse(readFileSync(join(configurationFolder, name), 'utf8')) as T;

/** The rules of `observability/alerts.yml` as they are. */
export const alertRules = (): readonly AlertRule[] =>
  readYaml<RuleFile>('alerts.yml').groups.flatMap(({ rules }) => rules);

/** The same rules with every span of time so short that a test can wait for it; all else stays. */
const hurried = (): RuleFile => {
  const file = readYaml<RuleFile>('alerts.yml');
  for (const group of file.groups) {
    group.interval = '500ms';
    for (const rule of group.rules) {
      // One reading that came late, on a machine with other work, is no alert.
      if (rule.for !== undefined) rule.for = '2s';
      rule.expr = rule.expr
        .replaceAll(/\[\d+m\]/g, '[5s]')
        .replaceAll(/offset \d+m/g, 'offset 5s')
        // Lags: thresholds that take a while to be reached.
        .replaceAll('sibling_lag_seconds) > 30', 'sibling_lag_seconds) > 2')
        .replaceAll('explorer_chain_lag_blocks) > 10', 'explorer_chain_lag_blocks) > 2');
    }
  }
  return file;
};

/** `observability/prometheus.yml` with the places where the services listen here, by their names there. */
const placed = (places: ReadonlyMap<string, string>): PrometheusFile => {
  const file = readYaml<PrometheusFile>('prometheus.yml');
  Object.assign(file.global, { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '500ms' });
  for (const job of file.scrape_configs) {
    delete job.proxy_url;
    job.static_configs = job.static_configs
      .flatMap(({ targets }) => targets)
      .map((target) => {
        const place = places.get(target.split(':')[0]!);
        if (place === undefined) throw new Error(`prometheus.yml scrapes ${target}, which this cluster does not have`);
        return { targets: [place], labels: { instance: target } };
      });
  }
  return file;
};

/** An alert that fires, with its labels. */
interface FiringAlert {
  readonly alertname: string;
  readonly service?: string;
  readonly instance?: string;
  readonly [label: string]: string | undefined;
}

export interface Prometheus {
  /** Alerts that fire now, as `GroupNotReady group-node-1`, without repetitions, sorted. */
  firing(): Promise<readonly string[]>;
  /** Whether it has read all its targets. */
  hasScraped(): Promise<boolean>;
  stop(): Promise<void>;
}

/** Undefined, after a line that says so, where it is not installed. With CI=true that is an error. */
export const prometheusProgram = (): string | undefined => {
  const program = findProgram('prometheus');
  if (program !== undefined) return program;
  const told = 'prometheus is not installed: sudo apt-get install -y prometheus';
  if (process.env['CI'] === 'true') throw new Error(told);
  process.stderr.write(`skipped: ${told}\n`);
  return undefined;
};

const get = async <T>(url: string): Promise<T> => {
  const answer = await fetch(url, { signal: AbortSignal.timeout(2_000) });
  return ((await answer.json()) as { data: T }).data;
};

const nameOf = ({ alertname, service, instance }: FiringAlert): string =>
  `${alertname} ${service ?? instance?.split(':')[0] ?? ''}`;

/** A Prometheus of its own with the files of `observability/`, in short time, on loopback. `places`: `host:port` by name. */
export const startPrometheus = async (program: string, places: ReadonlyMap<string, string>): Promise<Prometheus> => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-prometheus-'));
  writeFileSync(join(folder, 'alerts.yml'), stringify(hurried()));
  writeFileSync(join(folder, 'prometheus.yml'), stringify(placed(places)));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/api/v1`;
  const options = [
    `--config.file=${join(folder, 'prometheus.yml')}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ];
  const server = startProcess(program, options, {}, folder);
  const stop = async (): Promise<void> => {
    server.signal('SIGKILL');
    await server.ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  };
  const prometheus: Prometheus = {
    firing: async () => {
      const { alerts } = await get<{ alerts: { state: string; labels: FiringAlert }[] }>(`${url}/alerts`);
      const names = alerts.filter(({ state }) => state === 'firing').map(({ labels }) => nameOf(labels));
      return [...new Set(names)].sort();
    },
    hasScraped: async () => {
      const { activeTargets } = await get<{ activeTargets: { health: string }[] }>(`${url}/targets`);
      return activeTargets.length === places.size && activeTargets.every(({ health }) => health === 'up');
    },
    stop,
  };
  try {
    await waitFor('Prometheus to read all services', () => prometheus.hasScraped(), {
      timeoutMs: 30_000,
      everyMs: 100,
    });
  } catch (error) {
    await stop();
    throw new Error(`${(error as Error).message}\n${server.standardError().slice(-2_000)}`, { cause: error });
  }
  return prometheus;
};

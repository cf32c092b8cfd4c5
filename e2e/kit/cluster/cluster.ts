import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabaseServer } from '@shardnode/core/database';
import { freePort } from '@shardnode/core/servers';
import { silentLogger } from '@shardnode/core/observability';
import { developmentKeys, developmentMnemonic } from '@shardnode/testing/keys';
import { type BalanceForm } from '../api-forms.js';
import { type Environment, type ProcessEnd, type StartedProcess } from '../child-process.js';
import { type Deployment, type OpenDatabases, type Ready, type Start } from '../deployment.js';
import { type ClusterDatabases, clusterDatabases } from './cluster-databases.js';
import { ClusterProcess, explorerNames, groupNodeNames, type ProcessName } from './cluster-process.js';
import { busNamespace, type ClusterServers, makeBusUsers, startClusterServers, testUser } from './cluster-servers.js';
import { FaultProxy, type ProxyProtocol } from './fault-proxy.js';
import { preparedDatabases } from './prepared-databases.js';
import { type Reaper, startReaper } from './reaper.js';
import { SmallDisk } from './small-disk.js';

export interface ClusterOptions {
  /** Of all processes but explorers, at each of their starts. */
  readonly settings?: Environment;
  /** A second gateway; default none. */
  readonly secondGateway?: boolean;
  /** Two explorers with one database, which do not start with the others; default none. */
  readonly explorers?: boolean;
  /** Settings of PostgreSQL over those of the kit: `{ fsync: 'off' }`. */
  readonly postgres?: Readonly<Record<string, string>>;
  /**
   * The processes speak to the servers themselves, not through proxies, which run in the process of the test: no harm can be
   * done between them, and nothing stands in the way of what is measured.
   */
  readonly direct?: boolean;
  /** The services make their tables at the first start. Default: copies of databases that have them, see `preparedDatabases`. */
  readonly emptyDatabases?: boolean;
  /** The data of PostgreSQL lie on a disk of this size that can be filled: see `disk`. Default: on the disk of temporary files. */
  readonly postgresDiskMegabytes?: number;
  /** Each process collects garbage every so many milliseconds, and tells what is left: see `heapSamples`. Default: never. */
  readonly heapEveryMs?: number;
}

/** For `openNatsNetwork`; with a password: never to be logged. */
export interface BusAccess {
  readonly servers: readonly string[];
  readonly user: string;
  readonly password: string;
  readonly ns: string;
}

/** A time that a process needed, for the table at the end of a scenario. */
export interface Recovery {
  readonly name: ProcessName;
  /** Milliseconds from the start of the process until it was ready. */
  readonly milliseconds: number;
}

export const isExplorer = (name: ProcessName): boolean => (explorerNames as readonly string[]).includes(name);

/** Service, its database; the gateways have none. */
const databaseOf = (name: ProcessName): string | undefined => {
  if (isExplorer(name)) return 'shardnode_explorer';
  const group = (groupNodeNames as readonly string[]).indexOf(name);
  if (group !== -1) return `shardnode_group_${group}`;
  return name === 'wallet-service' ? 'shardnode_wallet' : undefined;
};

const databaseNames = [...groupNodeNames, 'wallet-service' as const].map((name) => databaseOf(name)!);

/** Of the settings of its HTTP, whichever the service has. */
const portsOf = (name: ProcessName, port: number): Environment =>
  isExplorer(name)
    ? { EXPLORER_PORT: String(port), EXPLORER_HOST: '127.0.0.1' }
    : { HEALTH_PORT: String(port), PORT: String(port), WS_PORT: '0' };

const protocols = ['nats', 'postgres', 'redis'] as const;

const throughPort = (url: string, port: number): string => {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.toString();
};

/** Everything that a cluster has opened. */
interface Parts {
  readonly servers: ClusterServers;
  readonly databases: ClusterDatabases;
  readonly proxies: ReadonlyMap<string, FaultProxy>;
  readonly processes: ReadonlyMap<ProcessName, ClusterProcess>;
}

/**
 * Four group-nodes, wallet-service and gateway as processes, with a PostgreSQL, a NATS and a Redis of their own; each
 * process speaks to each server through a proxy of its own, unless all is `direct`. Servers start with the first start of the cluster.
 */
export class Cluster implements Deployment {
  readonly name = 'cluster';
  readonly dataDir: string;
  /** Of all starts of processes that became ready, in order. */
  readonly recoveries: Recovery[] = [];
  private readonly reaper: Reaper = startReaper();
  private readonly busUsers = makeBusUsers();
  private opening: Promise<Parts> | undefined;
  private parts: Parts | undefined;
  private smallDisk: SmallDisk | undefined;
  /** Settings of every start. */
  private kept: Environment;

  constructor(private readonly options: ClusterOptions = {}) {
    this.kept = options.settings ?? {};
    this.dataDir = mkdtempSync(join(tmpdir(), 'shardnode-cluster-'));
    this.reaper.watchFolder(this.dataDir);
  }

  get baseUrl(): string {
    return this.process('gateway').url;
  }
  get processes(): readonly ClusterProcess[] {
    return [...this.opened.processes.values()];
  }
  get servers(): ClusterServers {
    return this.opened.servers;
  }

  /** Of PostgreSQL. Undefined when none was wanted, or cannot be mounted here. */
  get disk(): SmallDisk | undefined {
    return this.smallDisk;
  }

  process(name: ProcessName): ClusterProcess {
    const found = this.opened.processes.get(name);
    if (!found) throw new Error(`this cluster has no ${name}`);
    return found;
  }

  /** Between a process and a server. */
  proxy(name: ProcessName, server: ProxyProtocol): FaultProxy {
    const found = this.opened.proxies.get(`${name} to ${server}`);
    if (!found) throw new Error(`${name} does not speak to ${server}`);
    return found;
  }

  /** All proxies before a server. */
  proxiesTo(server: ProxyProtocol): readonly FaultProxy[] {
    return [...this.opened.proxies.values()].filter(({ name }) => name.endsWith(` to ${server}`));
  }

  /** How to join the bus past the proxies: as the tests, who may do everything, or as a service with its permissions. */
  busAccess(user: string = testUser): BusAccess {
    const password = this.busUsers.passwords[user];
    if (password === undefined) throw new Error(`the bus has no user ${user}`);
    return { servers: [this.servers.nats.url], user, password, ns: busNamespace };
  }

  /** A second process with the settings of a service, which is not one of the cluster: it is ended with it at the latest. */
  anotherProcess(name: ProcessName, port: number): StartedProcess {
    return this.process(name).another(portsOf(name, port));
  }

  setClockOffset(name: ProcessName, milliseconds: number): void {
    this.process(name).setClockOffset(milliseconds);
  }

  /** No proxy does harm any more. */
  async heal(): Promise<void> {
    await Promise.all([...this.opened.proxies.values()].map((proxy) => proxy.heal()));
  }

  /** Copies the database of a service, which must not run. */
  async backup(name: ProcessName, label: string): Promise<void> {
    await this.opened.databases.backup(this.stoppedDatabase(name), label);
  }

  /** Gives a service, which must not run, the database of a backup. */
  async restore(name: ProcessName, label: string): Promise<void> {
    await this.opened.databases.restore(this.stoppedDatabase(name), label);
  }

  /** Of a service, past the proxies. With the password: never to be logged. */
  databaseUrl(name: ProcessName): string {
    return this.opened.databases.url(databaseOf(name)!);
  }

  /** The schema of a service, which must not run, as its owner sees it. */
  async asOwner(name: ProcessName, run: (database: Database) => Promise<void>): Promise<void> {
    const url = this.opened.databases.url(this.stoppedDatabase(name));
    const host = openDatabaseServer({ url, applicationName: 'e2e', logger: silentLogger });
    const group = (groupNodeNames as readonly string[]).indexOf(name);
    try {
      await run(host.service(group === -1 ? 'wallet' : `group_${group}`));
    } finally {
      await host.close();
    }
  }

  async start(settings: Environment = {}, ...args: readonly string[]): Promise<Ready> {
    this.kept = { ...this.kept, ...settings };
    await this.launch({}, args);
    await this.ready();
    return this.describe();
  }

  /** The first process that ends takes all others with it, as if all were one. */
  async begin(settings: Environment = {}, ...args: readonly string[]): Promise<Start> {
    await this.launch(settings, args);
    const { processes } = this;
    const ready = this.ready().then(() => this.describe());
    // Who only waits for the end must not be bothered by the failure to get ready.
    ready.catch(() => undefined);
    const first = Promise.race(processes.map(({ ended }) => ended));
    const ended = first.then(async (end) => {
      await this.kill9();
      return end;
    });
    return {
      pid: processes[0]!.pid ?? -1,
      ready,
      ended,
      kill9: () => void this.kill9(),
      standardError: () => this.log(),
      standardOutput: () => this.log(),
    };
  }

  async restart(settings?: Environment): Promise<Ready> {
    await this.stop();
    return this.start(settings);
  }

  /** All processes at once; the servers stay. */
  async stop(): Promise<ProcessEnd> {
    const running = (this.parts ? this.processes : []).filter(({ isRunning }) => isRunning);
    const ends = await Promise.all(running.map((process) => process.stop()));
    return (
      ends.find(({ code, signal }) => code !== 0 || signal !== null) ?? { code: ends[0]?.code ?? null, signal: null }
    );
  }

  async kill9(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.kill9()));
  }

  /** Waits until every process that runs is ready. */
  async ready(): Promise<void> {
    await Promise.all(this.processes.filter(({ isRunning }) => isRunning).map(({ ready }) => ready));
  }

  log(): string {
    return (this.parts ? this.processes : []).map((process) => process.log()).join('\n');
  }

  async openDatabases(): Promise<OpenDatabases> {
    const { databases } = this.opened;
    const hosts = groupNodeNames.map((name) =>
      openDatabaseServer({
        url: databases.url(this.stoppedDatabase(name)),
        applicationName: 'e2e',
        logger: silentLogger,
      }),
    );
    return {
      service: (schema) => hosts[Number(schema.slice('group_'.length))]!.service(schema),
      close: async () => {
        await Promise.all(hosts.map((host) => host.close()));
      },
    };
  }

  async remove(): Promise<void> {
    // A start that is still under way has things to close, too.
    await this.opening?.catch(() => undefined);
    const { parts } = this;
    if (parts) {
      await this.kill9();
      await Promise.all([...parts.proxies.values()].map((proxy) => proxy.close()));
      await Promise.all(Object.values(parts.servers).map((server) => server.remove()));
    }
    this.smallDisk?.unmount();
    rmSync(this.dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
    this.reaper.forgetFolder(this.dataDir);
    await this.reaper.close();
  }

  private get opened(): Parts {
    if (!this.parts) throw new Error('the cluster was never started');
    return this.parts;
  }

  private stoppedDatabase(name: ProcessName): string {
    const database = databaseOf(name);
    if (database === undefined) throw new Error(`${name} has no database`);
    if (this.process(name).isRunning) throw new Error(`${name} has to be stopped first`);
    return database;
  }

  private async launch(once: Environment, args: readonly string[]): Promise<void> {
    this.opening ??= this.open();
    const { databases } = await this.opening;
    if (args.includes('--reset')) await databases.reset();
    for (const process of this.processes) {
      if (isExplorer(process.name)) continue;
      process.begin(once);
      const note = (milliseconds: number): unknown => this.recoveries.push({ name: process.name, milliseconds });
      void process.ready.then(note, () => undefined);
    }
  }

  private async open(): Promise<Parts> {
    const { secondGateway = false, emptyDatabases = false, direct = false, explorers = false } = this.options;
    const { postgres, postgresDiskMegabytes } = this.options;
    if (postgresDiskMegabytes !== undefined) this.smallDisk = this.mountDisk(postgresDiskMegabytes);
    const { smallDisk } = this;
    const servers = await startClusterServers({
      folder: this.dataDir,
      ...(smallDisk && { postgresFolder: smallDisk.folder }),
      ...(!emptyDatabases && { postgresCopyOf: await preparedDatabases() }),
      busUsers: this.busUsers,
      reaper: this.reaper,
      ...(postgres === undefined ? {} : { postgres }),
    });
    const ofExplorers = explorers ? [databaseOf('explorer')!] : [];
    const databases = clusterDatabases(servers.postgres.url, [...databaseNames, ...ofExplorers]);
    const names: ProcessName[] = [...groupNodeNames, 'wallet-service', 'gateway'];
    if (secondGateway) names.push('gateway-2');
    if (explorers) names.push(...explorerNames);
    const proxies = new Map<string, FaultProxy>();
    const processes = new Map<ProcessName, ClusterProcess>();
    // Whatever fails from here on, `remove` finds what there is.
    this.parts = { servers, databases, proxies, processes };
    await databases.create();
    for (const name of names) {
      for (const server of direct ? [] : protocols) {
        if (server === 'postgres' && databaseOf(name) === undefined) continue;
        if (server === 'redis' && isExplorer(name)) continue;
        const proxy = await FaultProxy.open(`${name} to ${server}`, servers[server].port, server);
        proxies.set(proxy.name, proxy);
      }
      processes.set(name, await this.processOf(name));
    }
    return this.parts;
  }

  private mountDisk(megabytes: number): SmallDisk | undefined {
    // The server's own user must get through to it.
    chmodSync(this.dataDir, 0o711);
    return SmallDisk.mount(join(this.dataDir, 'disk'), megabytes);
  }

  private async processOf(name: ProcessName): Promise<ClusterProcess> {
    const port = await freePort();
    const [clockFile, heapFile] = [join(this.dataDir, `clock-of-${name}`), join(this.dataDir, `heap-of-${name}`)];
    const { heapEveryMs } = this.options;
    const process = new ClusterProcess({
      name,
      application: name.replace(/-\d$/, ''),
      port,
      clockFile,
      heapFile,
      reaper: this.reaper,
      environment: () => ({
        ...this.environmentOf(name),
        ...portsOf(name, port),
        CLOCK_OFFSET_FILE: clockFile,
        ...(heapEveryMs !== undefined && { HEAP_FILE: heapFile, HEAP_EVERY_MS: String(heapEveryMs) }),
        ...(!isExplorer(name) && this.kept),
      }),
    });
    process.setClockOffset(0);
    return process;
  }

  private environmentOf(name: ProcessName): Environment {
    const { servers, databases } = this.opened;
    const { nats, redis } = servers;
    const database = databaseOf(name);
    const group = (groupNodeNames as readonly string[]).indexOf(name);
    const user = name === 'gateway-2' ? 'gateway' : isExplorer(name) ? 'explorer' : name;
    const through = (url: string, server: ProxyProtocol): string =>
      this.options.direct ? url : throughPort(url, this.proxy(name, server).port);
    return {
      NATS_URL: through(nats.url, 'nats'),
      NATS_NAMESPACE: busNamespace,
      NATS_USER: user,
      NATS_PASSWORD: this.busUsers.passwords[user]!,
      ...(!isExplorer(name) && { REDIS_URL: through(redis.url, 'redis') }),
      ...(group === -1 ? {} : { GROUP: String(group) }),
      ...(database === undefined ? {} : { DATABASE_URL: through(databases.url(database), 'postgres') }),
    };
  }

  /** As `npm run cluster -- --json` would say it. */
  private async describe(): Promise<Ready> {
    const { baseUrl, dataDir } = this;
    const services = [...this.processes]
      .map(({ name, url }) => ({ name, url }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    const accounts = (await developmentKeys()).map(async ({ address, group }) => {
      const answer = await fetch(`${baseUrl}/addresses/${address}/balance`);
      return { address, group, balance: ((await answer.json()) as Partial<BalanceForm>).balanceHint ?? 'unknown' };
    });
    return {
      baseUrl,
      docsUrl: `${baseUrl}/docs`,
      dataDir,
      mining: this.kept['MINING'] ?? 'instant',
      networkId: 4,
      services,
      accounts: await Promise.all(accounts),
      mnemonic: developmentMnemonic.join(' '),
    };
  }
}

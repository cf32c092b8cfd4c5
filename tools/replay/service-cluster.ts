import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openNatsNetwork } from '@shardnode/core/bus';
import { silentLogger } from '@shardnode/core/observability';
import { createServiceDatabase, dropServiceDatabase, startNats, startPostgres } from '@shardnode/core/servers';
import { type GroupClient } from '@shardnode/messages';
import { permittedClient } from '@shardnode/testing/permitted-client';
import { type ServiceProcess, startService } from './service-process.js';

export interface ServiceClusterOptions {
  readonly groups: number;
  readonly mining: 'off' | 'instant';
  /** JSON file with the settings of the network; default: the development network. */
  readonly genesisFile?: string;
  /** Servers that run already: a role that may make databases, and the bus. Default: own ones, removed at the end. */
  readonly servers?: { readonly databaseUrl: string; readonly natsUrl: string };
  /** So many gateways, too; default none. */
  readonly gateways?: number;
}

export interface ServiceCluster {
  /** Client with the permissions of a gateway. */
  readonly client: GroupClient;
  readonly groupNodes: readonly ServiceProcess[];
  /** Of the gateways. */
  readonly baseUrls: readonly string[];
  /** Resident memory of the services, megabytes; that of the servers is not in it. */
  memory(): number;
  /** Stops everything and removes its data. */
  close(): Promise<void>;
}

/** Open resources, closed in reverse order, even if some fail. */
class Opened {
  private readonly closers: (() => Promise<void> | void)[] = [];
  private closing: Promise<void> | undefined;

  add(close: () => Promise<void> | void): void {
    this.closers.push(close);
  }

  close(): Promise<void> {
    return (this.closing ??= this.closeAll());
  }

  private async closeAll(): Promise<void> {
    const failures: unknown[] = [];
    for (const close of this.closers.splice(0).reverse()) {
      try {
        await close();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}

const ownServers = async (opened: Opened): Promise<NonNullable<ServiceClusterOptions['servers']>> => {
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-servers-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  opened.add(() => {
    process.removeListener('exit', remove);
    remove();
  });
  const postgres = await startPostgres({ folder: join(folder, 'postgres') });
  opened.add(() => postgres.remove());
  const nats = await startNats({ folder: join(folder, 'nats') });
  opened.add(() => nats.remove());
  return { databaseUrl: postgres.url, natsUrl: nats.url };
};

const databasesOf = (opened: Opened, adminUrl: string, groups: number): Promise<string[]> =>
  Promise.all(
    Array.from({ length: groups }, (_, group) => {
      const name = `shardnode_temporary_${process.pid}_${randomBytes(4).toString('hex')}_${group}`;
      opened.add(() => dropServiceDatabase(adminUrl, name));
      return createServiceDatabase(adminUrl, name, randomBytes(16).toString('hex'));
    }),
  );

const joined = async (opened: Opened, natsUrl: string, ns: string, groups: number): Promise<GroupClient> => {
  const network = openNatsNetwork({ servers: [natsUrl], logger: silentLogger });
  opened.add(() => network.close());
  return permittedClient(network, { ns, groups });
};

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Milliseconds until all group-nodes must have caught up with each other. */
const syncPatience = 60_000;

const synced = async (client: GroupClient): Promise<void> => {
  const limit = performance.now() + syncPatience;
  for (let group = 0; group < client.groups;) {
    const { synced: isSynced, reason } = await client.request(group, 'read.node.status', {});
    if (isSynced) group += 1;
    else if (performance.now() > limit) throw new Error(`group ${group} is not ready: ${reason}`);
    else await pause(10);
  }
};

const startAll = async (opened: Opened, options: ServiceClusterOptions): Promise<Omit<ServiceCluster, 'close'>> => {
  const { groups, genesisFile } = options;
  const { databaseUrl, natsUrl } = options.servers ?? (await ownServers(opened));
  const databases = await databasesOf(opened, databaseUrl, groups);
  const ns = `temporary-${randomBytes(4).toString('hex')}`;
  const common = {
    NATS_URL: natsUrl,
    NATS_NAMESPACE: ns,
    ...(genesisFile === undefined ? {} : { GENESIS_FILE: genesisFile }),
  };
  const processes: ServiceProcess[] = [];
  const start = async (kind: 'group-node' | 'gateway', name: string, own: Record<string, string>) => {
    const service = await startService({
      kind,
      environment: { ...common, ...own },
    });
    opened.add(() => service.stop());
    processes.push(service);
    return service;
  };
  const groupNodes = await Promise.all(
    databases.map((url, group) =>
      start('group-node', `group-node-${group}`, {
        GROUP: String(group),
        DATABASE_URL: url,
        HEALTH_PORT: '0',
        MINING: options.mining,
      }),
    ),
  );
  const client = await joined(opened, natsUrl, ns, groups);
  await synced(client);
  const gateways = await Promise.all(
    Array.from({ length: options.gateways ?? 0 }, (_, i) =>
      start('gateway', i === 0 ? 'gateway' : `gateway-${i + 1}`, { HOST: '127.0.0.1', PORT: '0' }),
    ),
  );
  return {
    client,
    groupNodes,
    baseUrls: gateways.map(({ port }) => `http://127.0.0.1:${port}`),
    memory: () => processes.reduce((sum, service) => sum + service.memory(), 0),
  };
};

/** Group-nodes, and gateways if wanted, as processes of their own over PostgreSQL and NATS. For tools and benchmarks. */
export const openServiceCluster = async (options: ServiceClusterOptions): Promise<ServiceCluster> => {
  const opened = new Opened();
  const close = (): Promise<void> => opened.close();
  try {
    return { ...(await startAll(opened, options)), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
};

import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { engineOptions } from '@shardnode/core/process';
import { freePort } from '@shardnode/core/servers';
import { openServiceCluster } from '../tools/replay/service-cluster.js';

/** A network accessed over HTTP. */
export interface NetworkProcess {
  readonly baseUrl: string;
  /** Milliseconds from starting the process to its announcement. */
  readonly startedIn: number;
  /** Memory in megabytes, of the processes that it has started, too; what they share is counted once. */
  memory(): number;
  stop(): Promise<void>;
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    child.stdout!.on('data', (part: Buffer) => {
      text += part.toString('utf8');
      if (text.includes('\n')) resolve(text.slice(0, text.indexOf('\n')));
    });
    child.once('exit', (code) => reject(new Error(`the network ended with code ${code}`)));
  });

/** Proportional set size of a process and its children: pages that several of them share are divided between them. */
const treeMegabytes = (pid: number): number => {
  const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))![1]);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + treeMegabytes(Number(child)), kilobytes / 1_024);
};

/** The announcement of the embedded network when it is ready. */
interface Announcement {
  readonly baseUrl: string;
  readonly wsUrl: string;
  readonly services: readonly { readonly name: string; readonly url: string }[];
}

interface EmbeddedProcess extends NetworkProcess {
  readonly announcement: Announcement;
}

/** The embedded network as `npm start` runs it, in a process of its own. */
export const startNetwork = async (
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<EmbeddedProcess> => {
  const began = performance.now();
  const child = spawn(process.execPath, [...engineOptions, 'apps/localnet/dist/main.js', '--json'], {
    env: {
      ...process.env,
      NODE_OPTIONS: '',
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      EXPLORER: 'off',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const announcement = JSON.parse(await firstLine(child)) as Announcement;
  const startedIn = performance.now() - began;
  return {
    announcement,
    baseUrl: announcement.baseUrl,
    startedIn,
    memory: () => treeMegabytes(child.pid!),
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit');
        child.once('exit', () => resolve());
        child.kill('SIGINT');
      }),
  };
};

interface ClusterProcesses extends NetworkProcess {
  /** Of all gateways; `baseUrl` is the first. */
  readonly baseUrls: readonly string[];
}

/** Four group-nodes and gateways, each a process, over a PostgreSQL and a NATS server of their own. */
export const startCluster = async (genesisFile?: string, gateways = 1): Promise<ClusterProcesses> => {
  const began = performance.now();
  const cluster = await openServiceCluster({
    groups: 4,
    mining: 'instant',
    gateways,
    ...(genesisFile === undefined ? {} : { genesisFile }),
  });
  return {
    baseUrl: cluster.baseUrls[0]!,
    baseUrls: cluster.baseUrls,
    startedIn: performance.now() - began,
    memory: cluster.memory,
    stop: cluster.close,
  };
};

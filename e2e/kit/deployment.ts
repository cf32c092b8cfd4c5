import { describe } from '@jest/globals';
import { type Database } from '@shardnode/core/database';
import { describeWithServers } from '@shardnode/testing/servers';
import { type Environment, type ProcessEnd } from './child-process.js';
import { Cluster } from './cluster/cluster.js';
import { obstacle } from '../../tools/containers/engine.js';
import { composeDeployment } from './compose-deployment.js';
import { embeddedDeployment } from './embedded-deployment.js';

/** What a network says of itself when it is ready. */
export interface Ready {
  readonly baseUrl: string;
  readonly docsUrl: string;
  readonly dataDir: string;
  readonly mining: string;
  readonly networkId: number;
  /** Where health and metrics of each service are. */
  readonly services: readonly { readonly name: string; readonly url: string }[];
  readonly accounts: readonly {
    readonly address: string;
    readonly group: number;
    readonly balance: string;
    readonly privateKey?: string;
  }[];
  readonly mnemonic: string;
  /** Of `npm start` and `npm run cluster` alone: the push of blocks. */
  readonly explorerUrl?: string;
  readonly wsUrl?: string;
  /** The same, with `DEV_WALLET=true`. */
  readonly wallet?: { readonly name: string; readonly password: string };
}

/** A whole network as a test drives it, however many processes it has. */
export interface Deployment {
  readonly name: string;
  /** Of the last start. */
  readonly baseUrl: string;
  readonly dataDir: string;
  /** Settings hold for this start and all later ones. Fails unless the network is ready in time. */
  start(settings?: Environment, ...args: readonly string[]): Promise<Ready>;
  /** Starts and does not wait; `ready` or the end comes later. Settings hold for this start only. */
  begin(settings?: Environment, ...args: readonly string[]): Promise<Start>;
  /** Stops in order, and starts again with the same data. */
  restart(settings?: Environment): Promise<Ready>;
  /** As Ctrl-C does. */
  stop(): Promise<ProcessEnd>;
  /** All processes at once, without a chance to write anything. */
  kill9(): Promise<void>;
  /** What all processes have written since the first start. */
  log(): string;
  /** The databases of a network that does not run. */
  openDatabases(): Promise<OpenDatabases>;
  /** Stops what runs and removes the data. */
  remove(): Promise<void>;
}

export interface OpenDatabases {
  /** `group_0` ... */
  service(schema: string): Database;
  close(): Promise<void>;
}

/** A start whose end a test wants to see. */
export interface Start {
  readonly pid: number;
  readonly ready: Promise<Ready>;
  readonly ended: Promise<ProcessEnd>;
  kill9(): void;
  standardError(): string;
  standardOutput(): string;
}

const kinds = ['embedded', 'cluster', 'compose'] as const;

/** Which network the scenarios run over: by `DEPLOYMENT`, `embedded` (the default), `cluster` or `compose`. */
export const deploymentKind = (): (typeof kinds)[number] => {
  const wanted = process.env['DEPLOYMENT'] ?? 'embedded';
  const kind = kinds.find((known) => known === wanted);
  if (!kind) throw new Error(`DEPLOYMENT must be one of ${kinds.join(', ')}, not ${wanted}`);
  return kind;
};

const deployments: Readonly<Record<(typeof kinds)[number], (settings: Environment) => Deployment>> = {
  embedded: embeddedDeployment,
  cluster: (settings) => new Cluster({ settings }),
  compose: (settings) => composeDeployment(settings),
};

export const deploymentUnderTest = (settings: Environment = {}): Deployment => deployments[deploymentKind()](settings);

/** Scenarios of a whole network, of whichever kind is under test. Without the servers that it needs: see `describeWithServers`. */
export const describeNetwork = (title: string, body: () => void): void => {
  const kind = deploymentKind();
  if (kind === 'embedded') describe(title, body);
  else if (kind === 'cluster') describeCluster(title, body);
  else describeContainers(title, body);
};

/**
 * Scenarios over containers, which take minutes and want root: only with `CONTAINERS=1`, and with `LONG=1` where they can
 * run; elsewhere they are skipped, and why is printed.
 */
export const describeContainers = (title: string, body: () => void): void => {
  const isAsked = process.env['CONTAINERS'] === '1';
  const problem = isAsked || process.env['LONG'] === '1' ? obstacle() : 'set CONTAINERS=1';
  if (problem === undefined || isAsked) {
    describe(title, body);
    return;
  }
  process.stderr.write(`skipped: ${title} over containers; ${problem}\n`);
  describe.skip(title, body);
};

/** Scenarios of `npm start` alone. */
export const describeEmbedded = (title: string, body: () => void): void =>
  (deploymentKind() === 'embedded' ? describe : describe.skip)(title, body);

/** Scenarios of a cluster alone, with servers of its own. */
export const describeCluster = (title: string, body: () => void): void =>
  describeWithServers(['postgres', 'nats', 'redis'], title, body);

import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@shardnode/core/servers';
import { developmentKeys, developmentMnemonic } from '@shardnode/testing/keys';
import { servicesWithoutImage } from '../../tools/containers/base-images.js';
import { readComposeFile } from '../../tools/containers/compose-file.js';
import { openEngine } from '../../tools/containers/engine.js';
import { ContainerNetwork, type ContainerEnd } from '../../tools/containers/network.js';
import { type Environment } from './child-process.js';
import { type Deployment, type Ready } from './deployment.js';

const projectFolder = join(dirname(fileURLToPath(import.meta.url)), '../..');

/** A network of docker-compose.yml, of a name, ports and volumes of its own. */
export interface ComposeDeployment extends Deployment {
  /** How each container ended at the last stop. */
  readonly ends: readonly ContainerEnd[];
  /** The running network; fails before the first start. */
  readonly network: ContainerNetwork;
  readonly explorerUrl: string;
  /** Of the profile `observability`. */
  readonly prometheusUrl: string;
}

const portNames = ['API_PORT', 'PUSH_PORT', 'EXPLORER_PORT', 'PROMETHEUS_PORT', 'GRAFANA_PORT'] as const;

const freePorts = async (): Promise<Record<(typeof portNames)[number], string>> => {
  const all = await Promise.all(portNames.map(async (name) => [name, String(await freePort())] as const));
  return Object.fromEntries(all) as Record<(typeof portNames)[number], string>;
};

/**
 * Settings of the whole network are variables of docker-compose.yml: `MINING`, `LOG_LEVEL` ... Services of the profiles whose
 * image cannot be made here are left out.
 */
export const composeDeployment = (settings: Environment, profiles: readonly string[] = []): ComposeDeployment => {
  const project = `shardnode-e2e-${process.pid}-${Math.floor(performance.now())}`;
  let kept = settings;
  let ports: Readonly<Record<(typeof portNames)[number], string>> | undefined;
  let network: ContainerNetwork | undefined;
  let ends: readonly ContainerEnd[] = [];

  const opened = (): ContainerNetwork => {
    if (!network) throw new Error('the network was never started');
    return network;
  };
  const baseUrl = (): string => `http://127.0.0.1:${ports?.API_PORT ?? 0}`;
  const describe = async (): Promise<Ready> => {
    const answer = await fetch(`${baseUrl()}/health/ready`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`the gateway is not ready: ${text}`);
    const keys = await developmentKeys();
    return {
      baseUrl: baseUrl(),
      docsUrl: `${baseUrl()}/docs`,
      dataDir: project,
      mining: kept['MINING'] ?? 'instant',
      networkId: 4,
      services: [{ name: 'gateway', url: baseUrl() }],
      accounts: keys.map(({ address, group }) => ({ address, group, balance: '1000000 COIN' })),
      mnemonic: developmentMnemonic.join(' '),
    };
  };
  const start = async (more: Environment = {}): Promise<Ready> => {
    kept = { ...kept, ...more };
    ports ??= await freePorts();
    const print = (line: string): void => void process.stderr.write(`${line}\n`);
    const variables = { ...kept, ...ports };
    const leftOut = servicesWithoutImage(projectFolder, readComposeFile(projectFolder, variables));
    network = new ContainerNetwork({
      engine: openEngine(),
      projectFolder,
      project,
      print,
      variables,
      profiles,
      leftOut,
    });
    await network.up();
    return describe();
  };
  const stop = async () => {
    ends = (await network?.stop()) ?? [];
    const unclean = ends.find(({ exitCode }) => exitCode !== 0);
    return { code: unclean?.exitCode ?? (ends.length === 0 ? null : 0), signal: null };
  };
  const notHere = (what: string): never => {
    throw new Error(`${what} cannot be done from outside the containers`);
  };
  return {
    name: 'compose',
    get baseUrl() {
      return baseUrl();
    },
    get ends() {
      return ends;
    },
    get network() {
      return opened();
    },
    get explorerUrl() {
      return `http://127.0.0.1:${ports?.EXPLORER_PORT ?? 0}`;
    },
    get prometheusUrl() {
      return `http://127.0.0.1:${ports?.PROMETHEUS_PORT ?? 0}`;
    },
    dataDir: project,
    start,
    begin: async () => notHere('a start that is not waited for'),
    restart: async (more) => {
      await stop();
      return start(more);
    },
    stop,
    kill9: async () => opened().kill(),
    // Of the last containers: whoever wants to see it asks after the fact.
    log: () => '',
    openDatabases: async () => notHere('opening the databases'),
    remove: async () => {
      await network?.down(true);
    },
  };
};

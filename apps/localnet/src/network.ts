import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { create as createGateway, type GatewayPorts, gatewayChoicesOf, httpOf, pushOf } from '@shardnode/gateway';
import { type CrashPoint, create as createGroupNode, nodeChoicesOf } from '@shardnode/group-node';
import { create as createWalletService, walletChoicesOf } from '@shardnode/wallet-service';
import { createInProcessNetwork, type BusNetwork } from '@shardnode/core/bus';
import { type DatabaseHost } from '@shardnode/core/database';
import { composeServices, systemClock, type Service } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { mayHaveDevelopmentTools } from './development-tools.js';
import { linkedPlaces } from './linked-places.js';
import { mayHaveDevelopmentWallet, openDevelopmentWallet } from './development-wallet.js';
import { ns } from './namespace.js';
import { type LocalnetConfiguration, namesFile } from './settings.js';

/** Ports that tests inject. */
export interface InjectedPorts {
  /** The crash point of each group-node. */
  readonly crashPointOf?: (group: number) => CrashPoint;
  /** In the place of the bus of this process. */
  readonly bus?: BusNetwork;
}

const loopback = '127.0.0.1';

/** A service with its port of HTTP, once started: the API's, or that of health and metrics. */
type ListeningService = Service & { readonly port: number };

export interface LocalNetwork extends Service {
  /** Port of the API, once started. */
  readonly port: number;
  /** The others, once started. */
  readonly inner: readonly { readonly name: string; readonly port: number }[];
  /** Whether the wallet of the development network exists and is unlocked; once started. */
  readonly hasDevelopmentWallet: Promise<boolean>;
}

/** Threads of each group-node for the signatures of large blocks; started by the first one. */
const signatureWorkers = availableParallelism() > 1 ? 1 : 0;

/** For each of the four group-nodes: they share one process and the memory of a laptop. */
const trieCacheMegabytes = 24;

interface Parts {
  readonly configuration: LocalnetConfiguration;
  readonly bus: BusNetwork;
  readonly databases: DatabaseHost;
  readonly logger: Logger;
  readonly crashPointOf: InjectedPorts['crashPointOf'];
}

const groupNodeOf = (
  { configuration, bus, databases, logger, crashPointOf }: Parts,
  group: number,
): Promise<ListeningService> => {
  const { settings, network, minerAddresses, healthPorts } = configuration;
  return createGroupNode(
    {
      ns,
      group,
      settings: network,
      host: loopback,
      port: healthPorts.ports[group]!,
      orAnyPort: healthPorts.orAnyPort,
      hostNames: settings.HOST_NAMES,
      signatureWorkers,
      trieCacheMegabytes,
      ...nodeChoicesOf(settings),
      coinSymbol: settings.COIN_SYMBOL,
      minerAddresses,
      diskFolder: configuration.dataDir,
    },
    {
      network: bus,
      database: databases.service(`group_${group}`),
      clock: systemClock,
      logger,
      crashPoint: crashPointOf?.(group),
    },
  );
};

const walletServiceOf = ({ configuration, bus, databases, logger }: Parts): Promise<ListeningService> => {
  const { settings, network, healthPorts } = configuration;
  const { networkId, groups } = network;
  const { ports, orAnyPort } = healthPorts;
  const health = { host: loopback, port: ports[groups]!, orAnyPort, hostNames: settings.HOST_NAMES };
  return createWalletService(
    {
      ns,
      networkId,
      groups,
      health,
      ...walletChoicesOf(settings),
      diskFolder: configuration.dataDir,
    },
    { network: bus, database: databases.service('wallet'), clock: systemClock, logger },
  );
};

const gatewayOf = (
  { configuration, bus, logger }: Parts,
  development: GatewayPorts['development'],
): Promise<ListeningService> => {
  const { settings, network } = configuration;
  return createGateway(
    {
      ns,
      network,
      ...gatewayChoicesOf(settings),
      http: httpOf(settings),
      push: pushOf(settings),
      apiKey: settings.API_KEY,
      apiKeyWallets: settings.API_KEY_WALLETS,
      apiKeyRead: settings.API_KEY_READ,
      corsOrigins: settings.CORS_ORIGINS,
      processMetrics: true,
      explorerUrl: linkedPlaces(settings).explorerUrl,
    },
    {
      network: bus,
      clock: systemClock,
      logger: logger.child({ service: 'gateway' }),
      development,
      namesFile: development && join(configuration.dataDir, namesFile),
    },
  );
};

/**
 * The whole network in one process: the services of a cluster, over the in-process bus and one embedded database. The
 * gateway starts after them, because it sends requests to the others. The wallet is opened while the group-nodes start.
 * The explorer is a process of its own (`explorer/`), so that no payment ever waits for it.
 */
export const openNetwork = async (
  configuration: LocalnetConfiguration,
  databases: DatabaseHost,
  logger: Logger,
  { crashPointOf, bus = createInProcessNetwork() }: InjectedPorts = {},
): Promise<LocalNetwork> => {
  const { network, settings } = configuration;
  const parts: Parts = { configuration, bus, databases, logger, crashPointOf };
  const groups = Array.from({ length: network.groups }, (_, group) => group);
  const groupNodes = await Promise.all(groups.map((group) => groupNodeOf(parts, group)));
  const wallet = mayHaveDevelopmentWallet(network, settings) ? openDevelopmentWallet(bus, { ns, logger }) : undefined;
  const gateway = await gatewayOf(
    parts,
    wallet && mayHaveDevelopmentTools(network, settings)
      ? { sendTestPayment: wallet.sendTestPayment, mining: settings.MINING }
      : undefined,
  );
  const walletService = await walletServiceOf(parts);
  const inner = [...groupNodes, walletService];
  const services = composeServices(
    'localnet',
    [walletService, ...(wallet ? [wallet] : []), ...groupNodes, gateway],
    logger,
  );
  return {
    name: services.name,
    start: services.start,
    stop: async () => {
      try {
        await services.stop();
      } finally {
        await bus.close();
        await databases.close();
      }
    },
    get port() {
      return gateway.port;
    },
    get hasDevelopmentWallet() {
      return wallet?.opened ?? Promise.resolve(false);
    },
    get inner() {
      return inner.map(({ name, port }) => ({ name, port }));
    },
  };
};

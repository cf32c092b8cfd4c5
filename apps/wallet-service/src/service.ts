import { busMetrics, type BusNetwork, busReadiness } from '@shardnode/core/bus';
import { keyedMutex } from '@shardnode/core/concurrency';
import { type Database, databaseMetrics, diskMetrics } from '@shardnode/core/database';
import { type Clock } from '@shardnode/core/lifecycle';
import { createMetrics, type Logger } from '@shardnode/core/observability';
import { createService, type RunningService } from '@shardnode/core/service';
import { groupClient, walletRouting } from '@shardnode/messages';
import { type KeyStretcher } from '@shardnode/protocol/address';
import { type WalletChoices } from './configuration.js';
import { PasswordGuard } from './keys/password-guard.js';
import { UnlockedWallets } from './keys/unlocked-wallets.js';
import { OtherAddresses } from './other-addresses.js';
import { Payments } from './payments.js';
import { Signing } from './signing.js';
import { signingMetrics } from './signing-metrics.js';
import { Sweeps } from './sweeps.js';
import { HEALTH, HealthHandler } from './rpc/health-handler.js';
import { WalletHandlers } from './rpc/wallet-handlers.js';
import { boundedStretcher, stretchPassword, type PasswordStretcher } from './storage/secret-record.js';
import { type OwnedStore, ownStore, walletStoreOver } from './storage/open-wallet-store.js';
import { type WalletStore } from './storage/wallet-store.js';
import { Wallets } from './wallets.js';

export interface WalletServiceConfiguration extends WalletChoices {
  /** Name of the network and cluster on the bus. */
  readonly ns: string;
  /** Of the network: nothing is signed for another one. */
  readonly networkId: number;
  /** Number of groups of the network. */
  readonly groups: number;
  /** Port 0 takes a free port; so does `orAnyPort` when the port is in use. */
  readonly health: {
    readonly host: string;
    readonly port: number;
    readonly orAnyPort?: boolean;
    /** False: no port is opened. Default true. */
    readonly listens?: boolean;
    /** See `HttpSettings`. */
    readonly hostNames?: readonly string[];
  };
  /** Memory and event loop metrics of the process; for one service of a process. */
  readonly processMetrics?: boolean;
  /** A folder on the disk of its database, if that is on this machine: metrics report the free space of the disk. */
  readonly diskFolder?: string | undefined;
}

interface OtherPorts {
  readonly network: BusNetwork;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Stretches a password into a key; tests pass a cheap function. */
  readonly stretchPassword?: PasswordStretcher;
  /** Stretches a mnemonic into a seed; default: off the main thread. */
  readonly stretchMnemonic?: KeyStretcher;
  /** Another process has become the writer of the wallets (architecture, decision 3): this one must end. */
  readonly onFatal?: (error: Error) => void;
}

/** Wallets are stored in a schema of a database, whose writer's lock the service takes, or in a store of its own. */
export type WalletServicePorts = OtherPorts &
  (
    | { readonly database: Database; readonly store?: undefined }
    | { readonly store: WalletStore; readonly database?: undefined }
  );

const openStore = (ports: WalletServicePorts, logger: Logger): OwnedStore => {
  const { database, clock, onFatal = () => undefined } = ports;
  return database ? walletStoreOver({ database, clock, logger, onFatal }) : ownStore(ports.store);
};

/** The owner of mnemonics: the only service with private keys (architecture, decision 12). */
export const create = async (
  configuration: WalletServiceConfiguration,
  ports: WalletServicePorts,
): Promise<RunningService> => {
  const { ns, networkId, groups, health, lockTimeoutMs, keyDerivations } = configuration;
  const { database, clock, stretchMnemonic } = ports;
  const logger = ports.logger.child({ service: 'wallet-service' });
  const metrics = createMetrics({ service: 'wallet-service', processMetrics: configuration.processMetrics ?? false });
  if (database) databaseMetrics(metrics.registry, database);
  if (configuration.diskFolder !== undefined) diskMetrics(metrics.registry, configuration.diskFolder);
  const connection = await ports.network.join({
    sender: { service: 'wallet-service' },
    routing: walletRouting(ns, groups),
    logger,
    observer: busMetrics(metrics.registry),
  });
  const owned = openStore(ports, logger);
  const { store } = owned;
  const unlocked = new UnlockedWallets(clock, lockTimeoutMs);
  const stretch = boundedStretcher(ports.stretchPassword ?? stretchPassword, keyDerivations);
  const guard = new PasswordGuard(store, clock);
  const wallets = new Wallets({ store, unlocked, guard, stretch, stretchMnemonic, groups });
  const groupNodes = groupClient(connection.bus, { ns, groups });
  const addressMutex = keyedMutex();
  const signing = new Signing(networkId, logger, signingMetrics(metrics.registry));
  const others = new OtherAddresses(groupNodes);
  const service: RunningService = createService({
    name: 'wallet-service',
    module: {
      controllers: [WalletHandlers, HealthHandler],
      providers: [
        { provide: HEALTH, useValue: () => service.health() },
        { provide: Wallets, useValue: wallets },
        { provide: Payments, useValue: new Payments(groupNodes, clock, addressMutex, signing, others) },
        { provide: Sweeps, useValue: new Sweeps(groupNodes, clock, addressMutex, signing, others, logger) },
      ],
    },
    http: health,
    server: connection.server,
    logger,
    metrics,
    clock,
    identity: () => ({ namespace: ns, bus: connection.busId }),
    readiness: [
      busReadiness(connection),
      {
        name: 'database',
        action: 'Look whether PostgreSQL runs at DATABASE_URL and its disk has room; work goes on by itself.',
        notReadyBecause: () => owned.notReadyBecause(),
      },
    ],
    beforeListening: () => owned.open(),
    afterClosing: async () => {
      unlocked.lockAll();
      await connection.close();
      await owned.close();
    },
  });
  return service;
};

import { scryptSync } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { createInProcessNetwork, type InProcessNetwork } from '@shardnode/core/bus';
import { openEmbeddedDatabase, type DatabaseHost } from '@shardnode/core/database';
import { startInOrder, stopInReverse } from '@shardnode/core/lifecycle';
import { createStoppedClock, type StoppedClock } from '@shardnode/testing/clocks';
import { preparedClusterFile } from '@shardnode/testing/prepared-clusters';
import { createLogger } from '@shardnode/core/observability';
import { type RunningService } from '@shardnode/core/service';
import { developmentNetwork } from '@shardnode/protocol/network';
import { walletClient, type WalletClient } from '@shardnode/messages';
import { create, type WalletServicePorts } from '../src/index.js';
import { standInGroups, StandInLedger } from './stand-in-groups.js';
import { tappedNetwork, type TappedMessage } from './tapped-network.js';

export const ns = 'testnet';
export const lockTimeoutMs = 600_000;
const http = { host: '127.0.0.1', port: 0 };

/** As slow stretching, in no time. */
export const cheapStretch: NonNullable<WalletServicePorts['stretchPassword']> = async (password, salt) => {
  await new Promise((resolve) => setImmediate(resolve));
  return scryptSync(Buffer.from(password, 'utf8'), salt, 32, { N: 2, r: 1, p: 1 });
};

/** An embedded database in a folder of its own. */
export const temporaryDatabase = async (): Promise<{
  readonly dataDir: string;
  host: DatabaseHost;
  reopen(): Promise<void>;
  remove(): Promise<void>;
}> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'wallet-service-'));
  const temporary = {
    dataDir,
    host: await openEmbeddedDatabase({ dataDir, preparedCluster: await preparedClusterFile({}) }),
    reopen: async () => {
      await temporary.host.close();
      temporary.host = await openEmbeddedDatabase({ dataDir });
    },
    remove: async () => {
      await temporary.host.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return temporary;
};

export interface WalletWorld {
  readonly client: WalletClient;
  readonly ledger: StandInLedger;
  /** Of the wallet-service; deadlines of the bus run on `busClock`. */
  readonly clock: StoppedClock;
  readonly busClock: StoppedClock;
  readonly network: InProcessNetwork;
  readonly messages: TappedMessage[];
  readonly logLines: string[];
  service: RunningService;
  readonly groupNodes: readonly RunningService[];
  /** The wallet-service alone, over the same database; `whileStopped` runs in between. */
  restart(whileStopped?: () => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

export interface WorldSettings {
  /** Asked at every start. */
  readonly host: () => DatabaseHost;
  readonly schema: string;
  readonly stretchPassword?: WalletServicePorts['stretchPassword'];
  /** Default: 2. */
  readonly keyDerivations?: number;
}

/** A wallet-service on its database and the bus, four stand-ins for group-nodes, and a client in the gateway's place. */
export const createWorld = async ({
  host,
  schema,
  stretchPassword = cheapStretch,
  keyDerivations = 2,
}: WorldSettings): Promise<WalletWorld> => {
  const logLines: string[] = [];
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      logLines.push(chunk.toString());
      done();
    },
  });
  const logger = createLogger({ level: 'trace', destination });
  const clock = createStoppedClock();
  const busClock = createStoppedClock();
  const network = createInProcessNetwork({ clock: busClock });
  const messages: TappedMessage[] = [];
  const tapped = tappedNetwork(network, messages);
  const ledger = new StandInLedger();
  const groupNodes = await standInGroups(tapped, ns, ledger, logger);
  await startInOrder(groupNodes);
  const gateway = await tapped.join({ sender: { service: 'gateway' }, logger });
  const start = async (): Promise<RunningService> => {
    const service = await create(
      { ns, networkId: developmentNetwork.networkId, groups: 4, health: http, lockTimeoutMs, keyDerivations },
      { network: tapped, database: host().service(schema), clock, logger, stretchPassword },
    );
    await startInOrder([service]);
    return service;
  };
  const world: WalletWorld = {
    client: walletClient(gateway.bus, { ns }),
    ledger,
    clock,
    busClock,
    network,
    messages,
    logLines,
    service: await start(),
    groupNodes,
    restart: async (whileStopped) => {
      await world.service.stop();
      await whileStopped?.();
      world.service = await start();
    },
    stop: async () => {
      await stopInReverse([...groupNodes, world.service]);
      await network.close();
    },
  };
  return world;
};

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  create as createGroupNode,
  defaultNodeChoices,
  groupNodeSettings,
  readMinerAddresses,
} from '@shardnode/group-node';
import { createInProcessNetwork } from '@shardnode/core/bus';
import { readConfiguration, type Environment } from '@shardnode/core/configuration';
import { type DatabaseHost, openEmbeddedDatabase } from '@shardnode/core/database';
import { composeServices, systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { groupClient } from '@shardnode/messages';
import { networkIdentity, networkSettings, readNetwork } from '@shardnode/messages/network';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { z } from 'zod';
import { CommandFailure } from '../command.js';
import { type OpenedNetwork } from './opened-network.js';

const ns = 'localnet';

const settingsOfFolder = z.object({
  ...networkSettings,
  MINER_ADDRESSES: groupNodeSettings.shape.MINER_ADDRESSES,
});

const startGroupNodes = async (databases: DatabaseHost, environment: Environment, network: NetworkSettings) => {
  const { MINER_ADDRESSES: addresses } = readConfiguration(settingsOfFolder, environment);
  const minerAddresses = readMinerAddresses(addresses, network.groups);
  const bus = createInProcessNetwork();
  const nodes = await Promise.all(
    Array.from({ length: network.groups }, (_, group) =>
      createGroupNode(
        {
          ...defaultNodeChoices,
          ns,
          group,
          settings: network,
          host: '127.0.0.1',
          port: 0,
          mining: 'off',
          minerAddresses,
        },
        { network: bus, database: databases.service(`group_${group}`), clock: systemClock, logger: silentLogger },
      ),
    ),
  );
  const services = composeServices('group-nodes', nodes, silentLogger);
  await services.start();
  const { bus: joined } = await bus.join({ sender: { service: 'operator' }, logger: silentLogger });
  const stop = async (): Promise<void> => {
    await services.stop();
    await bus.close();
  };
  return { client: groupClient(joined, { ns, groups: network.groups }), stop };
};

export interface DataFolderOptions {
  /** An empty folder becomes a data folder of this network. */
  readonly mayBeNew: boolean;
}

/**
 * The network of a data folder that no process has open: its group-nodes run in this process, without mining.
 * @throws DatabaseError when the folder is in use or foreign; CommandFailure; ConfigurationError
 */
export const openDataFolder = async (
  environment: Environment,
  folder: string,
  { mayBeNew }: DataFolderOptions,
): Promise<OpenedNetwork> => {
  const dataDir = resolve(folder);
  const settings = readNetwork(readConfiguration(settingsOfFolder, environment));
  if (!mayBeNew && !existsSync(join(dataDir, 'database.json'))) {
    throw new CommandFailure(`${dataDir} is no data folder of a network: it has no database.json.`);
  }
  const databases = await openEmbeddedDatabase({ dataDir, identity: networkIdentity(settings) });
  try {
    const { client, stop } = await startGroupNodes(databases, environment, settings);
    const close = async (): Promise<void> => {
      await stop();
      await databases.close();
    };
    return { client, settings, name: `the data folder ${dataDir}`, close };
  } catch (error) {
    await databases.close();
    throw error;
  }
};

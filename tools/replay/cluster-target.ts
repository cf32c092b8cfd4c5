import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { missingPrograms } from '@shardnode/core/servers';
import { type History, readGenesisText } from '@shardnode/testing/replay';
import { busTarget } from './bus-target.js';
import { openServiceCluster, type ServiceClusterOptions } from './service-cluster.js';

/** Throws an Error with the commands that install what is missing. */
const requireServers = (): void => {
  const missing = missingPrograms(['postgres', 'nats']).map(({ program, install }) => `${program}: ${install}`);
  if (missing.length > 0) throw new Error(`servers are not installed\n${missing.join('\n')}`);
};

/** The comparison's port; `memory` is that of the processes in megabytes. */
export type ClusterTarget = ReturnType<typeof busTarget> & { readonly memory: () => number };

/** Four group-nodes, each a process of its own, over PostgreSQL and NATS: servers of its own unless some are given. */
export const openClusterTarget = async (
  { folder: history, settings }: Pick<History, 'folder' | 'settings'>,
  options: Pick<ServiceClusterOptions, 'servers'> = {},
): Promise<ClusterTarget> => {
  if (!options.servers) requireServers();
  const folder = mkdtempSync(join(tmpdir(), 'shardnode-genesis-'));
  const remove = (): void => rmSync(folder, { recursive: true, force: true });
  const genesisFile = join(folder, 'genesis.json');
  writeFileSync(genesisFile, readGenesisText(history));
  try {
    const cluster = await openServiceCluster({ ...options, groups: settings.groups, mining: 'off', genesisFile });
    const onClose = (): Promise<void> => cluster.close().finally(remove);
    const name = `${settings.groups} group-node processes over PostgreSQL and NATS`;
    return { ...busTarget({ client: cluster.client, settings, name, onClose }), memory: cluster.memory };
  } catch (error) {
    remove();
    throw error;
  }
};

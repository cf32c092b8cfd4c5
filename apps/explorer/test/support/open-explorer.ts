import { type Database } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { type RunningService } from '@shardnode/core/service';
import { type GroupClient } from '@shardnode/messages';
import { createStoppedClock, type StoppedClock } from '@shardnode/testing/clocks';
import {
  type DevelopmentTools,
  explorerApi,
  type ExplorerApiConfiguration,
  type Index,
  openIndex,
} from '../../src/index.js';
import { openEmbedded } from './databases.js';

/** An explorer over an index of its own. */
export interface Explorer {
  readonly database: Database;
  readonly index: Index;
  readonly clock: StoppedClock;
  readonly api: RunningService;
  close(): Promise<void>;
}

/**
 * @param observed wraps the database that the API reads
 * @param limits of the API, in place of the defaults
 * @param groupNodes that the API asks; default: it stands alone
 * @param development of a development network; default: of another one
 */
export const openExplorer = async (
  groups: number,
  observed: (database: Database) => Database = (database) => database,
  limits: Partial<ExplorerApiConfiguration> = {},
  groupNodes?: GroupClient,
  development?: DevelopmentTools,
): Promise<Explorer> => {
  const { database, close } = await openEmbedded();
  const clock = createStoppedClock();
  const http = { host: '127.0.0.1', port: 0, accessLog: false, ...limits.http };
  const ports = {
    database: observed(database),
    clock,
    logger: silentLogger,
    ...(groupNodes && { groupNodes }),
    development,
  };
  const api = explorerApi({ ...limits, groups, http }, ports);
  await api.start();
  return {
    database,
    index: openIndex({ database, groups }),
    clock,
    api,
    close: async () => {
      await api.stop();
      await close();
    },
  };
};

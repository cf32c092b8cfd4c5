import { type Database } from '@shardnode/core/database';
import { type PrismaClient } from './generated/prisma/client.js';
import { type create as createGroupNode } from './service.js';

export { type GroupNodeConfig, type GroupNodePorts } from './service.js';
export { type CrashPoint } from './import/importer-parts.js';
export type * from './store/model.js';
export { bytesOfEvent, checkEventBytes } from './store/event-bytes.js';
export {
  defaultNodeChoices,
  firstHealthPort,
  groupNodeSettings,
  nodeChoicesOf,
  readMinerAddresses,
  recentHeightsSetting,
} from './configuration.js';

export { groupNodeMigrations } from './store/migrations.js';

export { type StateCheck, type StateCheckOptions, type StateProblem } from './store/state-check.js';

/** See `store/state-check.ts`; its modules are loaded here. */
export const openStateCheck = () => import('./store/state-check.js');

export { type SweepOptions, type SweepResult } from './pruning/sweep.js';

/** A Prisma client of the database of a group. Its modules are loaded here. */
export const openGroupClient = async (database: Database): Promise<PrismaClient> => {
  const prisma = await import('./generated/prisma/client.js');
  return new prisma.PrismaClient({ adapter: database.prismaAdapter() });
};

/** See `pruning/sweep.ts`; its modules are loaded here. */
export const openSweep = () => import('./pruning/sweep.js');

/** See `service.ts`. Its modules are loaded here, so that importing the settings alone is fast. */
export const create = async (
  ...given: Parameters<typeof createGroupNode>
): Promise<ReturnType<typeof createGroupNode>> => {
  const service = await import('./service.js');
  return service.create(...given);
};

import { type create as createGroupNode } from './service.js';

export { type GroupNodeConfig, type GroupNodePorts } from './service.js';
export type * from './store/model.js';
export { firstHealthPort, groupNodeSettings, readMinerAddresses } from './configuration.js';

export { groupNodeMigrations } from './store/migrations.js';

/** See `service.ts`. Its modules are loaded here, so that the settings alone are there in no time. */
export const create = async (
  ...given: Parameters<typeof createGroupNode>
): Promise<ReturnType<typeof createGroupNode>> => {
  const service = await import('./service.js');
  return service.create(...given);
};

import { type create as createGateway } from './service.js';

export { type GatewayConfiguration, type GatewayPorts } from './service.js';
export { brandOf } from '@shardnode/http/brand-settings';
export {
  corsOriginsSetting,
  defaultGatewayChoices,
  gatewayChoicesOf,
  gatewaySettings,
  httpOf,
  pushOf,
} from './settings/configuration.js';

/** See `service.ts`. Its modules are loaded here, so that importing the settings alone is fast. */
export const create = async (...given: Parameters<typeof createGateway>): ReturnType<typeof createGateway> => {
  const service = await import('./service.js');
  return service.create(...given);
};

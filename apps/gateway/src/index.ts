export { create, type GatewayConfiguration, type GatewayPorts } from './service.js';
export { gatewaySettings } from './configuration.js';

import { ConfigurationError } from '@shardnode/core/configuration';
import { firstHealthPort } from '@shardnode/group-node';

/** Ports of health and metrics of the inner services (protocol 00, decision 21). */
export interface HealthPorts {
  /** By group, then that of the wallet-service; 0 takes a free port. */
  readonly ports: readonly number[];
  /** The ports are defaults: free ones replace those in use. */
  readonly orAnyPort: boolean;
}

/** @throws ConfigurationError */
export const healthPortsOf = (
  settings: { readonly HEALTH_PORT: number | undefined; readonly PORT: number },
  groups: number,
): HealthPorts => {
  const { HEALTH_PORT: first, PORT: api } = settings;
  const from = first ?? firstHealthPort;
  if (from + groups > 65_535) {
    throw new ConfigurationError([`HEALTH_PORT must be at most ${65_535 - groups}, because ${groups} more follow.`]);
  }
  const ports = Array.from({ length: groups + 1 }, (_, i) => (from === 0 ? 0 : from + i));
  if (first !== undefined && api !== 0 && ports.includes(api)) {
    throw new ConfigurationError([
      `HEALTH_PORT must leave PORT ${api} to the API; ${ports.length} ports are taken from it on.`,
    ]);
  }
  return { ports: ports.map((port) => (port === api ? 0 : port)), orAnyPort: first === undefined };
};

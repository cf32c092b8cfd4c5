import { openRedisCache, type Cache } from '@shardnode/core/cache';
import { secretReader } from '@shardnode/core/configuration';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { type MainTools } from '@shardnode/core/process';
import { openServiceBus, openServiceTracing, redisAccess } from '@shardnode/core/service';
import { gatewayChoicesOf, type GatewaySettings, httpOf, pushOf } from './settings/configuration.js';
import { create } from './service.js';

const service = 'gateway';

const keyOf = (settings: GatewaySettings, name: 'API_KEY' | 'API_KEY_WALLETS' | 'API_KEY_READ') =>
  settings[name] === undefined ? undefined : secretReader(settings, name);

const configurationOf = (settings: GatewaySettings) => ({
  ns: settings.NATS_NAMESPACE,
  network: settings.network,
  ...gatewayChoicesOf(settings),
  http: httpOf(settings),
  push: pushOf(settings),
  apiKey: keyOf(settings, 'API_KEY'),
  apiKeyWallets: keyOf(settings, 'API_KEY_WALLETS'),
  apiKeyRead: keyOf(settings, 'API_KEY_READ'),
  apiKeyOverlapMs: settings.API_KEY_OVERLAP * 1_000,
  corsOrigins: settings.CORS_ORIGINS,
  processMetrics: true,
  explorerUrl: settings.EXPLORER_URL,
});

/** Requests never wait for Redis: without it they only take longer. */
const openCache = (settings: GatewaySettings, tools: MainTools): Cache | undefined => {
  const access = redisAccess(settings);
  if (access === undefined) return undefined;
  const cache = openRedisCache({ ...access, prefix: settings.NATS_NAMESPACE, logger: tools.logger.child({ service }) });
  tools.onClose(() => cache.close());
  return cache;
};

/** Ports that tests inject in place of the system's. */
export interface InjectedPorts {
  readonly clock?: Clock;
}

/** Opens the ports of the process and makes the service. */
export const open = async (
  settings: GatewaySettings,
  tools: MainTools,
  { clock = systemClock }: InjectedPorts = {},
) => {
  await openServiceTracing(settings, tools, service);
  const cache = openCache(settings, tools);
  const network = await openServiceBus(settings, tools, service);
  const ports = { network, clock, logger: tools.logger };
  return create(configurationOf(settings), cache === undefined ? ports : { ...ports, cache });
};

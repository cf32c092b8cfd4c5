import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { type MainTools } from '@shardnode/core/process';
import { openServiceBus, openServiceDatabase, openServiceTracing } from '@shardnode/core/service';
import { explorerChoicesOf, type ExplorerProcessSettings } from './configuration.js';
import { schemaProblem } from './index-store/schema-state.js';
import { create } from './service.js';

const service = 'explorer';

/** Ports that tests inject in place of the system's. */
export interface InjectedPorts {
  readonly clock?: Clock;
}

/** The schema is not the one of this version yet: a writer makes it. */
class SchemaNotReady extends Error {}

/** Opens the ports of the process and makes the service. A reader waits for the schema of its version. */
export const open = async (
  settings: ExplorerProcessSettings,
  tools: MainTools,
  { clock = systemClock, resync = false }: InjectedPorts & { readonly resync?: boolean } = {},
) => {
  await openServiceTracing(settings, tools, service);
  const names = { service, schema: 'explorer', readConnections: settings.DATABASE_POOL_READ };
  const database = await openServiceDatabase(settings, tools, names);
  const choices = explorerChoicesOf(settings);
  if (choices.mode === 'reader') {
    const fits = async (): Promise<void> => {
      const problem = await schemaProblem(database);
      if (problem !== undefined) throw new SchemaNotReady(problem);
    };
    const isAway = (error: unknown): boolean => error instanceof SchemaNotReady;
    await tools.waitFor(fits, { server: 'The schema of the explorer', setting: 'DATABASE_URL', isAway });
  }
  const network = await openServiceBus(settings, tools, service);
  return create(
    {
      ns: settings.NATS_NAMESPACE,
      network: settings.network,
      http: {
        host: settings.EXPLORER_HOST,
        port: settings.EXPLORER_PORT,
        hostNames: settings.HOST_NAMES,
        trustedProxies: settings.TRUST_PROXY,
      },
      ...choices,
      resync,
      processMetrics: true,
      diskFolder: settings.DISK_FOLDER,
    },
    { network, database, clock, logger: tools.logger, onFatal: tools.onFatal },
  );
};

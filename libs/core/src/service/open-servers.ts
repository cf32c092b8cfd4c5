import { openNatsNetwork, type BusNetwork } from '../bus/index.js';
import { openDatabaseServer, type Database } from '../database/index.js';
import { type BusAccessSettings, type DatabaseAccessSettings, busAccess, databaseAccess } from './server-access.js';
import { openTracing } from '../observability/index.js';
import { isDatabaseAway, natsAnswers, StartFailure, type MainTools } from '../process/index.js';

/** Turns an adapter's error into a sentence for the operator. */
const asStartFailure = (error: unknown): never => {
  if (!(error instanceof Error)) throw error;
  const { message } = error;
  throw new StartFailure(`${message.charAt(0).toUpperCase()}${message.slice(1)}.`, { cause: error });
};

/** Opens tracing for a service as a process, if configured. Call it before the service is created. */
export const openServiceTracing = async (
  settings: { readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined },
  tools: MainTools,
  service: string,
): Promise<void> => {
  tools.onClose(await openTracing({ endpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT, service }));
};

/** Opens the bus of a service as a process: waits until a server answers, closes with the service. */
export const openServiceBus = async (
  settings: BusAccessSettings,
  tools: MainTools,
  service: string,
): Promise<BusNetwork> => {
  const access = busAccess(settings);
  await tools.waitFor(() => natsAnswers(access.servers), { server: 'NATS', setting: 'NATS_URL' });
  const network = openNatsNetwork({ ...access, logger: tools.logger.child({ service }) });
  tools.onClose(() => network.close());
  // A server that answers and refuses the service is not retried.
  return { join: (options) => network.join(options).catch(asStartFailure), close: () => network.close() };
};

/** Opens the database of a service as a process: waits until the server answers, closes with the service. */
export const openServiceDatabase = async (
  settings: DatabaseAccessSettings,
  tools: MainTools,
  names: { readonly service: string; readonly schema: string; readonly readConnections?: number },
): Promise<Database> => {
  const { service, schema, readConnections } = names;
  const host = openDatabaseServer({
    ...databaseAccess(settings),
    applicationName: service,
    ...(readConnections !== undefined && { readConnections }),
    logger: tools.logger.child({ service }),
  });
  tools.onClose(() => host.close());
  await tools.waitFor(() => host.check(), { server: 'The database', setting: 'DATABASE_URL', isAway: isDatabaseAway });
  return host.service(schema);
};

import { lockFolder, makeDataFolder } from '@shardnode/core/database';
import {
  requireSupportedNode,
  listenForStop,
  startFailureText,
  StopAsked,
  type StopRequest,
} from '@shardnode/core/process';
import { serveControl, writeClusterFile } from '@shardnode/messages/cluster';
import { announce, explainNpmLines } from '../announce.js';
import { environmentWith } from '../arguments.js';
import { describeNetwork } from '../describe-network.js';
import { warnOfUnknownSettings } from '../unknown-settings.js';
import { checkExplorerPort, checkHealthPorts, checkPortIsFree, freePorts } from '../free-port.js';
import { parseClusterArguments, usage, type ClusterArguments } from './arguments.js';
import { openCluster, type Cluster } from './cluster.js';
import { openOwnCredentials, openRolePasswords, type ClusterCredentials } from './credentials.js';
import { operatorAccess } from './operator-access.js';
import { startOwnServers } from './own-servers.js';
import { checkServers, missingServerPrograms, placeOf, problemsText, type ServerUrls } from './server-checks.js';
import { controlOf } from './service-control.js';
import { clusterSettings, readClusterConfiguration, type ClusterConfiguration } from './settings.js';
import { Undo } from './undo.js';

interface Run {
  readonly options: ClusterArguments;
  readonly configuration: ClusterConfiguration;
  readonly undo: Undo;
  readonly progress: (line: string) => void;
}

/** Milliseconds; the services and the servers have limits of their own. */
const stopWithinMs = 60_000;

const print = (line: string): void => void process.stderr.write(`${line}\n`);

const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** The problems are printed already. */
class ProblemsReported extends Error {}

/** Servers, and their secrets. */
interface Opened {
  readonly urls: ServerUrls;
  readonly credentials: ClusterCredentials;
}

const ownServers = async ({ configuration, undo, progress }: Run): Promise<Opened> => {
  const missing = missingServerPrograms();
  if (missing.some(({ isNeeded }) => isNeeded)) {
    print(problemsText(missing, true));
    throw new ProblemsReported();
  }
  const lock = lockFolder(configuration.dataDir);
  undo.add(() => lock.release());
  progress('Starting PostgreSQL, NATS and Redis');
  const credentials = openOwnCredentials(configuration);
  const servers = await startOwnServers(configuration.dataDir, credentials.folder);
  undo.add(() => servers.stop());
  const { postgres, nats, redis } = servers;
  const REDIS_URL = redis?.url ?? configuration.settings.REDIS_URL;
  return { credentials, urls: { POSTGRES_URL: postgres.url, NATS_URL: [nats.url], REDIS_URL } };
};

/** The available servers. Throws ProblemsReported when a required one is missing. */
const answeringServers = async (run: Run) => {
  const { configuration, options } = run;
  const foreign = (): Opened => ({ urls: configuration.settings, credentials: openRolePasswords(configuration) });
  const { urls, credentials } = options.servers ? await ownServers(run) : foreign();
  const { POSTGRES_URL, NATS_URL, REDIS_URL } = urls;
  const problems = await checkServers(urls);
  if (problems.some(({ isNeeded }) => isNeeded)) {
    print(problemsText(problems, false));
    throw new ProblemsReported();
  }
  if (problems.length === 0) return { credentials, urls: { POSTGRES_URL, NATS_URL, REDIS_URL } };
  run.progress(`Redis does not answer at ${placeOf(REDIS_URL)}: the gateway keeps its cache in memory`);
  return { credentials, urls: { POSTGRES_URL, NATS_URL, REDIS_URL: undefined } };
};

/** Opens the cluster to the operator's program; a failure does not affect the cluster. */
const openToOperator = async ({ configuration, undo }: Run, { services }: Cluster): Promise<void> => {
  const { dataDir } = configuration;
  try {
    const control = await serveControl(dataDir, controlOf({ services, folder: dataDir, print }));
    undo.add(() => control.close());
  } catch (error) {
    print(`The operator's hold, release and restart cannot reach this cluster: ${(error as Error).message}.`);
  }
};

const start = async (run: Run): Promise<{ cluster: Cluster; places: readonly { name: string; place: string }[] }> => {
  const { configuration, options, undo, progress } = run;
  const { HOST, PORT } = configuration.settings;
  makeDataFolder(configuration.dataDir);
  await checkPortIsFree(HOST, PORT);
  await checkExplorerPort(HOST, configuration.settings);
  await checkHealthPorts('127.0.0.1', configuration.healthPorts);
  const { urls, credentials } = await answeringServers(run);
  const cluster = await openCluster({
    configuration,
    environment: environmentWith(options, process.env),
    urls,
    credentials,
    healthPorts: await freePorts('127.0.0.1', configuration.healthPorts),
    reset: options.reset,
    progress,
    print,
  });
  undo.add(() => cluster.stop());
  progress('Starting the services');
  await cluster.start();
  const ownServers = options.servers;
  writeClusterFile(configuration.dataDir, operatorAccess({ configuration, urls, credentials, cluster, ownServers }));
  await openToOperator(run, cluster);
  const places = [
    { name: 'PostgreSQL', place: placeOf(urls.POSTGRES_URL) },
    { name: 'NATS', place: urls.NATS_URL.map(placeOf).join(' ') },
    ...(urls.REDIS_URL === undefined ? [] : [{ name: 'Redis', place: placeOf(urls.REDIS_URL) }]),
  ];
  return { cluster, places };
};

const announceCluster = async (
  { configuration, options }: Run,
  started: Awaited<ReturnType<typeof start>>,
): Promise<void> => {
  const { cluster, places } = started;
  const { port, explorerPort, inner, logs } = cluster;
  const announcement = {
    ...(await describeNetwork({ ...configuration, port, explorerPort, inner })),
    servers: places,
    logs,
  };
  await announce(options, announcement);
};

const serve = async (run: Run, stop: StopRequest): Promise<void> => {
  const interrupted = stop.asked.then(() => {
    throw new StopAsked();
  });
  // A stop that arrives before the await must not be an unhandled rejection.
  interrupted.catch(() => undefined);
  const started = await Promise.race([start(run), interrupted]);
  await Promise.race([announceCluster(run, started), interrupted]);
  await interrupted;
};

const main = async (): Promise<number> => {
  const options = parseClusterArguments(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  requireSupportedNode();
  explainNpmLines(options, 'run cluster');
  warnOfUnknownSettings(clusterSettings, process.env);
  const configuration = readClusterConfiguration(environmentWith(options, process.env));
  const undo = new Undo((error) => print(`The cluster did not stop gracefully: ${textOf(error)}`));
  const progress = options.quiet ? () => undefined : print;
  const stop = listenForStop(() => print('The cluster does not stop gracefully.'), stopWithinMs);
  try {
    await serve({ options, configuration, undo, progress }, stop);
  } catch (error) {
    if (!(error instanceof StopAsked)) {
      await undo.run();
      throw error;
    }
    progress('Stopping');
  }
  return (await undo.run()) ? 0 : 1;
};

try {
  process.exitCode = await main();
} catch (error) {
  if (!(error instanceof ProblemsReported)) {
    const told = startFailureText(error, ': PORT=23973 npm run cluster', 'HOST');
    print(told ?? textOf(error));
  }
  process.exitCode = 1;
}
process.exit();

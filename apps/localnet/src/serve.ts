import { createInProcessNetwork } from '@shardnode/core/bus';
import { runUntilSignal, type Service } from '@shardnode/core/lifecycle';
import { createLogger } from '@shardnode/core/observability';
import { requireSupportedNode } from '@shardnode/core/process';
import { destination } from 'pino';
import { announce, explainNpmLines } from './announce.js';
import { environmentWith, parseArguments, usage, type Arguments } from './arguments.js';
import { openDatabases } from './databases.js';
import { describeNetwork } from './describe-network.js';
import { explorerProcess } from './explorer/explorer-process.js';
import { announcedPort, checkExplorerPort, checkHealthPorts, checkPortIsFree } from './free-port.js';
import { type InjectedPorts, type LocalNetwork } from './network.js';
import { resetNetworkFolder } from './reset-network-folder.js';
import { localnetSettings, readLocalnetConfiguration, type LocalnetConfiguration } from './settings.js';
import { describeStartFailure } from './start-failure.js';
import { warnOfUnknownSettings } from './unknown-settings.js';

/** A network, and its explorer, which starts after it. */
interface Started {
  readonly network: LocalNetwork;
  readonly explorer: (Service & { readonly port: number }) | undefined;
}

const print = (line: string): void => void process.stderr.write(`${line}\n`);

const start = async (
  options: Arguments,
  configuration: LocalnetConfiguration,
  injected: InjectedPorts,
): Promise<Started> => {
  const { settings, dataDir } = configuration;
  const logger = createLogger({ level: settings.LOG_LEVEL, destination: destination({ dest: 2, sync: true }) });
  await checkPortIsFree(settings.HOST, settings.PORT);
  await checkExplorerPort(settings.HOST, settings);
  await checkHealthPorts('127.0.0.1', configuration.healthPorts);
  if (options.reset) await resetNetworkFolder(dataDir);
  // The modules of the services load slowest: errors are reported before, and the database opens meanwhile.
  const [databases, { openNetwork }] = await Promise.all([openDatabases(configuration), import('./network.js')]);
  const bus = createInProcessNetwork();
  const network = await openNetwork(configuration, databases, logger, { ...injected, bus });
  await network.start();
  if (settings.EXPLORER === 'off') return { network, explorer: undefined };
  const port = await announcedPort(settings.HOST, settings.EXPLORER_PORT);
  const explorer = explorerProcess({ configuration, port, bus, logger, print });
  return { network, explorer: { ...explorer, port } };
};

/** Stops the explorer first: it asks the network. */
const together = ({ network, explorer }: Started): Service => ({
  ...network,
  stop: async () => {
    await explorer?.stop();
    await network.stop();
  },
});

const run = async (injected: InjectedPorts): Promise<number> => {
  const options = parseArguments(process.argv.slice(2));
  if (options.help) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  requireSupportedNode();
  explainNpmLines(options, 'start');
  warnOfUnknownSettings(localnetSettings, process.env);
  const configuration = readLocalnetConfiguration(environmentWith(options, process.env));
  const started = await start(options, configuration, injected);
  const { explorer } = started;
  const { port, inner, hasDevelopmentWallet } = started.network;
  const whole = together(started);
  const stopped = runUntilSignal(whole);
  const services = explorer ? [...inner, { name: explorer.name, port: explorer.port }] : inner;
  const network = { ...configuration, port, inner: services, explorerPort: explorer?.port, hasDevelopmentWallet };
  try {
    await announce(options, await describeNetwork(network));
  } catch (error) {
    await whole.stop();
    throw error;
  }
  await explorer?.start();
  const code = await stopped;
  if (!options.json && !options.quiet) process.stdout.write(`\nStopped. The chain is in ${configuration.dataDir}.\n`);
  return code;
};

/** The network as a process. @param injected replacements by tests that kill it */
export const serve = async (injected: InjectedPorts = {}): Promise<never> => {
  try {
    process.exitCode = await run(injected);
  } catch (error) {
    const told = describeStartFailure(error);
    process.stderr.write(`${told ?? (error instanceof Error ? (error.stack ?? error.message) : String(error))}\n`);
    process.exitCode = 1;
  }
  return process.exit();
};

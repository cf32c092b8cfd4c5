import { resetDataFolder } from '@shardnode/core/database';
import { runUntilSignal } from '@shardnode/core/lifecycle';
import { createLogger } from '@shardnode/core/observability';
import { requireSupportedNode } from '@shardnode/core/process';
import { destination } from 'pino';
import { announce, explainNpmLines } from './announce.js';
import { environmentWith, parseArguments, usage, type Arguments } from './arguments.js';
import { openDatabases } from './databases.js';
import { describeNetwork } from './describe-network.js';
import { checkExplorerPort, checkHealthPorts, checkPortIsFree } from './free-port.js';
import { type InjectedPorts, type LocalNetwork } from './network.js';
import { localnetSettings, namesFile, readLocalnetConfiguration, type LocalnetConfiguration } from './settings.js';
import { describeStartFailure } from './start-failure.js';
import { warnOfUnknownSettings } from './unknown-settings.js';

const start = async (
  options: Arguments,
  configuration: LocalnetConfiguration,
  injected: InjectedPorts,
): Promise<LocalNetwork> => {
  const { settings, dataDir } = configuration;
  const logger = createLogger({ level: settings.LOG_LEVEL, destination: destination({ dest: 2, sync: true }) });
  await checkPortIsFree(settings.HOST, settings.PORT);
  await checkExplorerPort(settings.HOST, settings);
  await checkHealthPorts('127.0.0.1', configuration.healthPorts);
  if (options.reset) resetDataFolder(dataDir, [namesFile]);
  // The modules of the services load slowest: errors are reported before, and the database opens meanwhile.
  const [databases, { openNetwork }] = await Promise.all([openDatabases(configuration), import('./network.js')]);
  const network = await openNetwork(configuration, databases, logger, injected);
  await network.start();
  return network;
};

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
  const network = await start(options, configuration, injected);
  const stopped = runUntilSignal(network);
  const { port, inner, explorerPort, explorerProblem, hasDevelopmentWallet } = network;
  try {
    await announce(
      options,
      await describeNetwork({ ...configuration, port, inner, explorerPort, explorerProblem, hasDevelopmentWallet }),
    );
  } catch (error) {
    await network.stop();
    throw error;
  }
  return stopped;
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

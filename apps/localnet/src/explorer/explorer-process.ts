import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type InProcessNetwork, processChannel } from '@shardnode/core/bus';
import { variablesOf } from '@shardnode/core/configuration';
import { type Service } from '@shardnode/core/lifecycle';
import { type Logger } from '@shardnode/core/observability';
import { ChildService } from '../child-service.js';
import { mayHaveDevelopmentTools } from '../development-tools.js';
import { linkedPlaces } from '../linked-places.js';
import { localnetSettings, type LocalnetConfiguration } from '../settings.js';

/** Steps of `nice` below the chain: on two busy cores it gets a tenth of what a service of the chain gets. */
const niceness = 10;

const program = fileURLToPath(new URL('./main.js', import.meta.url)).replace('/localnet/src/', '/localnet/dist/');

/** Folder of the index in the data folder of the network. */
export const indexFolderOf = (dataDir: string): string => join(dataDir, 'explorer');

/** Variables of the explorer's process: those of the system, and its own. */
const environmentOf = ({ settings, network, dataDir }: LocalnetConfiguration, port: number): Record<string, string> => {
  const ours = new Set(variablesOf(localnetSettings));
  const own: Readonly<Record<string, string | undefined>> = {
    HOST: settings.HOST,
    EXPLORER_PORT: String(port),
    HOST_NAMES: settings.HOST_NAMES.join(','),
    INDEX_DIR: indexFolderOf(dataDir),
    HAS_DEVELOPMENT_TOOLS: String(mayHaveDevelopmentTools(network, settings)),
    LOG_LEVEL: settings.LOG_LEVEL,
    NODE_API_URL: linkedPlaces(settings).nodeApiUrl,
    API_PROFILE: settings.API_PROFILE,
    COIN_NAME: settings.COIN_NAME,
    COIN_SYMBOL: settings.COIN_SYMBOL,
    GENESIS_FILE: settings.GENESIS_FILE,
  };
  const inherited = Object.entries(process.env).filter(([name]) => !ours.has(name));
  const all = [...inherited, ...Object.entries(own)];
  return Object.fromEntries(all.filter((entry): entry is [string, string] => entry[1] !== undefined));
};

export interface ExplorerProcessOptions {
  readonly configuration: LocalnetConfiguration;
  /** A free port. */
  readonly port: number;
  readonly bus: Pick<InProcessNetwork, 'serve'>;
  readonly logger: Logger;
  /** Writes a line to the terminal: the process ended, or does not start. */
  readonly print: (line: string) => void;
}

/**
 * The explorer of a network in a process of its own, with an engine of its own, below the chain in priority: whatever it
 * does, no payment waits for it. The network runs without it: a crash restarts it, with growing pauses.
 */
export const explorerProcess = (options: ExplorerProcessOptions): Service => {
  const { configuration, port, bus, logger, print } = options;
  const service = new ChildService(
    { name: 'explorer', file: program, environment: environmentOf(configuration, port), portSetting: 'EXPLORER_PORT' },
    {
      logFile: undefined,
      print,
      niceness,
      serveChannel: (child) =>
        bus.serve(processChannel(child), {
          sender: { service: 'explorer' },
          logger: logger.child({ service: 'explorer' }),
        }),
    },
  );
  return {
    name: 'explorer',
    // Nobody waits for it.
    start: async () => {
      service.start().catch(({ message }: Error) => print(`The explorer does not run, the rest goes on: ${message}`));
    },
    stop: () => service.stop(),
  };
};

import { ConfigurationError, type Environment } from '@shardnode/core/configuration';

/** Options of `npm start -- ...`. */
export interface Arguments {
  /** Start over with an empty chain. */
  readonly reset: boolean;
  /** Announce readiness as one line of JSON. */
  readonly json: boolean;
  /** Say nothing when ready. */
  readonly quiet: boolean;
  /** The API as existing client libraries expect it. */
  readonly reference: boolean;
  readonly help: boolean;
}

export const usage = `Starts a whole network in this process: four group-nodes, gateway, wallet-service and
explorer.

  npm start                 start, or continue the chain of the data folder
  npm start -- --reset      start over: delete the chain and the wallets of the data folder
  npm -s start -- --json    when ready, print one line of JSON (without -s npm adds lines)
  npm start -- --quiet      when ready, print nothing
  npm start -- --reference  the API that published clients expect: docs/existing-tools.md
  npm start -- --help       this text

Settings are variables of the environment: PORT, DATA_DIR, MINING=instant|interval|off,
EXPLORER=on|off, EXPLORER_PORT and others (docs/settings.md).`;

const known: Readonly<Record<string, keyof Arguments>> = {
  '--reset': 'reset',
  '--json': 'json',
  '--quiet': 'quiet',
  '--reference': 'reference',
  '--help': 'help',
  '-h': 'help',
};

/**
 * Reads the words after `command --`; each is a switch.
 * @throws ConfigurationError for an unknown one
 */
export const parseSwitches = <Name extends string>(
  command: string,
  switches: Readonly<Record<string, Name>>,
  given: readonly string[],
): Record<Name, boolean> => {
  const result = Object.fromEntries(Object.values(switches).map((name) => [name, false])) as Record<Name, boolean>;
  for (const argument of given) {
    const name = switches[argument];
    if (name === undefined) {
      throw new ConfigurationError([`There is no option ${argument}; \`${command} -- --help\` lists the options.`]);
    }
    result[name] = true;
  }
  return result;
};

/** @throws ConfigurationError for an unknown argument */
export const parseArguments = (given: readonly string[]): Arguments => parseSwitches('npm start', known, given);

/** The environment with the settings of the switches. */
export const environmentWith = ({ reference }: Pick<Arguments, 'reference'>, environment: Environment): Environment =>
  reference ? { ...environment, API_PROFILE: 'reference' } : environment;

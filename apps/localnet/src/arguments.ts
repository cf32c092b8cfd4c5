import { ConfigurationError } from '@shardnode/core/configuration';

/** What `npm start -- ...` takes. */
export interface Arguments {
  /** Start over with an empty chain. */
  readonly reset: boolean;
  /** Announce readiness as one line of JSON. */
  readonly json: boolean;
  /** Say nothing when ready. */
  readonly quiet: boolean;
  readonly help: boolean;
}

export const usage = `Starts a whole network in this process: four group-nodes, gateway and wallet-service.

  npm start                 start, or go on with the chain of the data folder
  npm start -- --reset      start over: forget the chain and the wallets of the data folder
  npm start -- --json       when ready, print one line of JSON
  npm start -- --quiet      when ready, print nothing
  npm start -- --help       this text

Settings are variables of the environment: PORT, DATA_DIR, MINING=instant|interval|off and others (docs/settings.md).`;

const known: Readonly<Record<string, keyof Arguments>> = {
  '--reset': 'reset',
  '--json': 'json',
  '--quiet': 'quiet',
  '--help': 'help',
  '-h': 'help',
};

/** @throws ConfigurationError for an argument that does not exist */
export const parseArguments = (given: readonly string[]): Arguments => {
  const result = { reset: false, json: false, quiet: false, help: false };
  for (const argument of given) {
    const name = known[argument];
    if (!name)
      throw new ConfigurationError([`There is no option ${argument}; \`npm start -- --help\` lists the options.`]);
    result[name] = true;
  }
  return result;
};

import { parseSwitches, type Arguments } from '../arguments.js';

/** Options of `npm run cluster -- ...`. */
export interface ClusterArguments extends Arguments {
  /** Start PostgreSQL, NATS and Redis too, with their data in the data folder. */
  readonly servers: boolean;
}

export const usage = `Starts a whole network as separate processes: four group-nodes, gateway, wallet-service
and explorer, over PostgreSQL, NATS and Redis.

  npm run cluster                 start, or continue the chain in the databases; the servers run
                                  already
  npm run cluster -- --servers    start servers of its own too, with their data in DATA_DIR
  npm run cluster -- --reset      start over: drop the databases, the wallets among them
  npm -s run cluster -- --json    when ready, print one line of JSON (without -s npm adds lines)
  npm run cluster -- --quiet      print nothing but errors
  npm run cluster -- --reference  the API that published clients expect: docs/existing-tools.md
  npm run cluster -- --help       this text

While it runs, from another terminal:

  npm run operator -- status                show all groups in one table
  npm run operator -- hold group-node-1     stop a service until \`release group-node-1\`
  npm run operator -- restart group-node-1  stop a service and start it again

Settings are variables of the environment: POSTGRES_URL, NATS_URL, REDIS_URL, PORT, DATA_DIR,
EXPLORER=on|off, EXPLORER_PORT and others (docs/settings.md).`;

const known: Readonly<Record<string, keyof ClusterArguments>> = {
  '--reset': 'reset',
  '--json': 'json',
  '--quiet': 'quiet',
  '--reference': 'reference',
  '--servers': 'servers',
  '--help': 'help',
  '-h': 'help',
};

/** @throws ConfigurationError for an unknown argument */
export const parseClusterArguments = (given: readonly string[]): ClusterArguments =>
  parseSwitches('npm run cluster', known, given);

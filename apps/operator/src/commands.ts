import { type Command } from './command.js';

const environmentNote = `Settings come from the environment as those of the services: NATS_URL, NATS_NAMESPACE, NATS_USER (operator),
NATS_PASSWORD or NATS_PASSWORD_FILE, GENESIS_FILE (docs/settings.md).`;

/** Everything that the operator's program can do, by the word that asks for it. */
export const commands: Readonly<Record<string, Command>> = {
  'export-blocks': {
    summary: 'writes all blocks of a network into one file',
    usage: `export-blocks FILE [--side-blocks] [--data-dir DIR] [--json]

Writes the canonical blocks of all chains into FILE, each after those that it depends on, compressed and with checksums.
While it works the file is called FILE.part. The network goes on meanwhile.

  --side-blocks   blocks of other branches, too
  --data-dir DIR  of the data folder of a stopped \`npm start\`, instead of a running network
  --json          the result as one line of JSON

${environmentNote}`,
    load: async () => (await import('./blocks/commands.js')).runExport,
  },
  'import-blocks': {
    summary: 'imports the blocks of such a file, checking every rule',
    usage: `import-blocks FILE [--data-dir DIR] [--json]

Checks the whole of FILE first, then hands its blocks to the group-nodes, which judge each by every rule. It may be
interrupted and started again: what is known is skipped. Start the group-nodes with MINING=off until it has ended.

  --data-dir DIR  into the data folder of a stopped \`npm start\`, instead of a running network
  --json          the result as one line of JSON

${environmentNote}`,
    load: async () => (await import('./blocks/commands.js')).runImport,
  },
  credentials: {
    summary: 'makes, shows and rotates the secrets of a network',
    usage: `credentials generate --folder DIR [--tls] [--tls-names NAMES] [--tls-folder DIR] [--groups N] [--namespace NAME]
                     [--mode 0600] [--nats-host ADDRESS] [--nats-port N]
credentials rotate --folder DIR [--files-only] [NAME ...]
credentials databases --folder DIR
credentials show --folder DIR

generate   makes the secrets that are missing, one file each, and nats/nats.conf and redis/users.acl for the servers
rotate     gives all secrets new values, or those named: nats/gateway, database, tls. Servers that POSTGRES_URL, REDIS_URL and
           NATS_PID_FILE name are told, as are those of \`npm run cluster -- --servers\`; for the others it says what to do.
databases  makes roles and databases in the PostgreSQL of POSTGRES_URL, with the passwords of the files
show       names and ages, never a value

  --tls        certificates for postgres, nats and redis, of an authority made for them; openssl makes them
  --tls-names  further names and addresses in them, separated by commas
  --tls-folder where the NATS server finds them, if not in DIR/tls
  --files-only tell no server`,
    load: async () => (await import('./credentials/commands.js')).runCredentials,
  },
};

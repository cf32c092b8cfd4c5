import { type Command } from './command.js';

const clusterNote = `  --cluster DIR   the local cluster with this data folder (npm run cluster)`;

const usualCluster = `Without --cluster it is the cluster in data/cluster, if there is one and the environment names no
other network.`;

const localNote = `A running \`npm start\` is found by its data folder; DATA_DIR, HOST, PORT and EXPLORER_PORT are as
that command has them. Its bus and database are inside its process.`;

const environmentNote = `${usualCluster} Else the settings are those of the services: NATS_URL, NATS_NAMESPACE, NATS_USER
(operator), NATS_PASSWORD or NATS_PASSWORD_FILE, GENESIS_FILE (docs/settings.md).`;

const databaseNote = `${usualCluster} Else DATABASE_URL, DATABASE_PASSWORD_FILE and the others are as the service has
them. For several databases at once, {database} in them stands for the name of each:
postgresql://{database}@HOST:5432/{database} (docs/operations.md).`;

const controlNote = `SERVICE is group-node-0 to group-node-3, wallet-service or gateway. Only for a cluster that
\`npm run cluster\` runs on this machine; elsewhere it is for whoever runs the services.

  --cluster DIR   its data folder; default: data/cluster`;

/** All commands of the operator's program, by name. */
export const commands: Readonly<Record<string, Command>> = {
  status: {
    summary: 'shows all groups in one table, and the explorers',
    cluster: 'reach',
    usage: `status [--watch] [--every SECONDS] [--json] [--cluster DIR]

A line for each group: whether it is ready, the heights of its chains, blocks that a sibling has and
it lacks, pending transactions, blocks that wait for others, how far its clock is from the one here.
Below: why a group is not ready, services that are held, and how far the explorers are that SERVICES
names (with --cluster: that of the cluster). Ends with 0 when all groups are ready.

  --watch         repeat until it is stopped
  --every SECONDS how often; default 2
  --json          one line of JSON each time
${clusterNote}

${localNote}

${environmentNote}`,
    load: async () => (await import('./status/status.js')).runStatus,
  },
  doctor: {
    summary: 'looks for everything that may be wrong, and says what to do',
    cluster: 'reach',
    usage: `doctor [--json] [--cluster DIR]

Looks at Node.js, the bus, the group-nodes and their clocks, the databases, their tables and disks,
Redis, and the ports of the services: whether what answers there is the service, and of this
network. Nothing is changed. Ends with 0 without a fault, else with 1.

  --json          the findings as one line of JSON
${clusterNote}

${localNote}

${environmentNote}

DATABASE_URL names all databases at once, {database} standing for shardnode_group_0 and so on;
DATABASE_PASSWORD_FILE likewise:

  DATABASE_URL=postgresql://{database}@127.0.0.1:5432/{database}
  DATABASE_PASSWORD_FILE=FOLDER/database/{database}

REDIS_URL, REDIS_USER and REDIS_PASSWORD_FILE are as the gateway has them.
SERVICES=group-node-0=HOST:PORT,... says where the services answer over HTTP, when that is not
127.0.0.1 with the usual ports. DISK_FOLDERS: folders of databases on this machine.`,
    load: async () => (await import('./doctor/doctor.js')).runDoctor,
  },
  hold: {
    summary: 'stops a service of a local cluster until it is released',
    cluster: 'control',
    usage: `hold SERVICE [--cluster DIR]

Stops the service gracefully. The cluster does not start it again until \`release\`, or until the
cluster itself is started again: then all services run.

${controlNote}`,
    load: async () => (await import('./cluster/commands.js')).runHold,
  },
  release: {
    summary: 'starts a service that is held',
    cluster: 'control',
    usage: `release SERVICE [--cluster DIR]

Starts a service that \`hold\` has stopped, and waits until it accepts requests.

${controlNote}`,
    load: async () => (await import('./cluster/commands.js')).runRelease,
  },
  restart: {
    summary: 'stops a service of a local cluster and starts it again',
    cluster: 'control',
    usage: `restart SERVICE [--cluster DIR]

Stops the service gracefully, starts it again, and waits until it accepts requests.

${controlNote}`,
    load: async () => (await import('./cluster/commands.js')).runRestart,
  },
  'check-state': {
    summary: 'compares what a group has stored with itself',
    cluster: 'reach',
    usage: `check-state [--group G] [--rebuild] [--sweep] [--json] [--cluster DIR]

Reads one moment of the database: headers, heights, ranks, tips and bodies are compared with each
other, all unspent outputs and sums of addresses with the state trie. The group-node may run; if the
bus can be reached, its memory is compared, too. Without --group all groups are checked. Ends with
0 when everything fits.

  --rebuild       rebuilds outputs and sums from the trie where they differ; the group-node must
                  be stopped
  --sweep         where all fits, deletes what orphaned blocks have left in the trie; the group-node
                  must be stopped
  --json          the result as one line of JSON
${clusterNote}

${databaseNote}`,
    load: async () => (await import('./state/check-state.js')).runCheckState,
  },
  backup: {
    summary: 'writes the database of one service into a file',
    cluster: 'reach',
    usage: `backup --group G | --wallet | --explorer FILE [--json] [--cluster DIR]

pg_dump of one database, at one moment; the service may run. FILE.json says what it is, with a
checksum: keep both. A backup of the wallets holds their mnemonics, encrypted with their passwords.

  --json          what FILE.json says, as one line
${clusterNote}

${databaseNote}`,
    load: async () => (await import('./backup/backup.js')).runBackup,
  },
  restore: {
    summary: 'puts a backup in the place of the database of one service',
    cluster: 'reach',
    usage: `restore --group G | --wallet | --explorer FILE [--yes] [--cluster DIR]

Checks FILE with its FILE.json, the network, the group and the version, then replaces the database
of a service that does not run (\`hold\` stops one of a local cluster). When it fails, what was there
stays. A group catches up with its siblings by itself when it is started.

  --yes           without asking
${clusterNote}

${databaseNote}`,
    load: async () => (await import('./backup/restore.js')).runRestore,
  },
  wipe: {
    summary: 'empties the database of one service, or of all',
    cluster: 'reach',
    usage: `wipe --group G | --wallet | --explorer | --all [--yes] [--cluster DIR]

Deletes everything that a service has stored. It must not run. What is named only is touched; a
group that is alone gets its blocks back from its siblings when it is started.

  --yes           without asking
${clusterNote}

${databaseNote}`,
    load: async () => (await import('./wipe/wipe.js')).runWipe,
  },
  'export-blocks': {
    summary: 'writes all blocks of a network into one file',
    cluster: 'reach',
    usage: `export-blocks FILE [--side-blocks] [--data-dir DIR | --cluster DIR] [--json]

Writes the canonical blocks of all chains into FILE, each after those that it depends on, compressed
and with checksums. While it works the file is called FILE.part. The network goes on meanwhile.

  --side-blocks   blocks of other branches, too
  --data-dir DIR  of the data folder of a stopped \`npm start\`, instead of a running network
${clusterNote}
  --json          the result as one line of JSON

${environmentNote}`,
    load: async () => (await import('./blocks/commands.js')).runExport,
  },
  'import-blocks': {
    summary: 'imports the blocks of such a file, checking every rule',
    cluster: 'reach',
    usage: `import-blocks FILE [--data-dir DIR | --cluster DIR] [--json]

Checks the whole of FILE first, then hands its blocks to the group-nodes, which judge each by every
rule. It may be interrupted and started again: what is known is skipped. Start the group-nodes with
MINING=off until it has ended.

  --data-dir DIR  into the data folder of a stopped \`npm start\`, instead of a running network
${clusterNote}
  --json          the result as one line of JSON

${environmentNote}`,
    load: async () => (await import('./blocks/commands.js')).runImport,
  },
  credentials: {
    summary: 'makes, shows and rotates the secrets of a network',
    usage: `credentials generate --folder DIR [--tls] [--tls-names NAMES] [--tls-folder DIR] [--groups N]
                     [--namespace NAME] [--mode 0600] [--nats-host ADDRESS] [--nats-port N]
credentials rotate --folder DIR [--files-only] [NAME ...]
credentials databases --folder DIR
credentials show --folder DIR

generate   makes the secrets that are missing, one file each, and nats/nats.conf and
           redis/users.acl for the servers
rotate     gives all secrets new values, or those named: nats/gateway, database, tls. Servers that
           POSTGRES_URL, REDIS_URL and NATS_PID_FILE name are told, as are those of
           \`npm run cluster -- --servers\`; for the others it says what to do.
databases  makes roles and databases in the PostgreSQL of POSTGRES_URL, with the passwords of the
           files
show       names and ages, never a value

  --folder        the files; of a local cluster data/cluster/credentials
  --tls           certificates for postgres, nats and redis, of an authority made for them; openssl
                  makes them
  --tls-names     further names and addresses in them, separated by commas
  --tls-folder    where the NATS server finds them, if not in DIR/tls
  --files-only    change no server`,
    load: async () => (await import('./credentials/commands.js')).runCredentials,
  },
};

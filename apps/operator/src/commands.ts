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
};

import { hostname } from 'node:os';
import { type Database, noteRestore, readMigrations, replacedSchema, schemaVersion } from '@shardnode/core/database';
import { operatorCommand } from '@shardnode/messages/cluster';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type CommandInput, CommandFailure } from '../command.js';
import { databaseOptions, networkOf, requireNamed } from '../databases/chosen-database.js';
import { isSchemaThere, putBackReplaced } from '../databases/replaced-schema.js';
import { openServiceDatabase, type ServiceDatabase } from '../databases/service-databases.js';
import { confirmByName } from '../terminal/confirm.js';
import { parseWords } from '../words.js';
import { genesisOf } from './backup.js';
import { type BackupNote, verifiedNote } from './backup-note.js';
import { runPostgresProgram } from './postgres-programs.js';

const options = { ...databaseOptions, yes: { type: 'boolean' } } as const;

/** @throws CommandFailure when the backup does not belong to this database */
const requireFitting = (path: string, note: BackupNote, one: ServiceDatabase, network: NetworkSettings): void => {
  if (note.service !== one.service) {
    throw new CommandFailure(`${path} is a backup of ${note.service}, not of ${one.service}.`);
  }
  if (
    one.group !== undefined &&
    (note.networkId !== network.networkId || note.genesis?.join() !== genesisOf(network).join())
  ) {
    throw new CommandFailure(
      `${path} is of another network (id ${note.networkId}) than GENESIS_FILE of this command says (id ${network.networkId}).`,
    );
  }
  if (!readMigrations(one.migrations.folder).some(({ name }) => name === note.migration)) {
    throw new CommandFailure(
      `${path} was made by a newer version of this program (migration ${note.migration}): take that version.`,
    );
  }
};

/** Renames the present schema until the restore is complete, and back when it fails. */
const replaceSchema = async (database: Database, restore: () => Promise<void>): Promise<void> => {
  const { schema } = database;
  const aside = replacedSchema(schema);
  const isThere = await isSchemaThere(database);
  if (isThere) await database.script(`ALTER SCHEMA "${schema}" RENAME TO "${aside}"`);
  try {
    await restore();
  } catch (error) {
    await database.script(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
    if (isThere) await database.script(`ALTER SCHEMA "${aside}" RENAME TO "${schema}"`);
    throw error;
  }
  await database.script(`DROP SCHEMA IF EXISTS "${aside}" CASCADE`);
};

/** `restore`: resets the database of a stopped service to the backup. */
export const runRestore = async ({ words: given, environment, cluster }: CommandInput): Promise<number> => {
  const words = parseWords(given, options, ['FILE']);
  const network = networkOf(environment);
  const one = requireNamed(words, network.groups);
  const note = await verifiedNote(words.FILE);
  requireFitting(words.FILE, note, one, network);
  const host = openServiceDatabase(one, environment);
  try {
    await host.check();
    const database = host.service(one.schema);
    // Excludes other writers meanwhile: an error names the running service.
    const holder = `operator restore of ${one.service}, process ${process.pid} on ${hostname()}`;
    const writer = await database.openWriter({ holder, onLost: () => undefined });
    const args = ['--single-transaction', '--exit-on-error', '--no-owner', '--no-privileges'];
    try {
      await putBackReplaced(database, one.name);
      const present = await schemaVersion(database, readMigrations(one.migrations.folder));
      if (present.kind !== 'absent' && !words.yes) {
        await confirmByName(`What is in ${one.name} is replaced by the backup of ${note.madeAt}.`, one.name);
      }
      await replaceSchema(database, () => runPostgresProgram('pg_restore', [...args, words.FILE], one, environment));
      await noteRestore(database, { backupMadeAt: note.madeAt, restoredAt: new Date().toISOString() });
    } finally {
      await writer.close();
    }
  } finally {
    await host.close();
  }
  const start =
    cluster === undefined
      ? `Start ${one.service}.`
      : `To start it: ${operatorCommand(cluster, 'release', one.service)}`;
  const rest = one.group === undefined ? [] : ['What was made since it gets from its siblings; it is ready then.'];
  process.stdout.write([`${one.name} is as it was at ${note.madeAt}. ${start}`, ...rest, ''].join('\n'));
  return 0;
};

import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Database, readMigrations, schemaVersion } from '@shardnode/core/database';
import { openGroupClient } from '@shardnode/group-node';
import { genesisBlocks } from '@shardnode/protocol/block';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { type CommandInput, CommandFailure } from '../command.js';
import { databaseOptions, networkOf, requireNamed } from '../databases/chosen-database.js';
import { openServiceDatabase, type ServiceDatabase } from '../databases/service-databases.js';
import { bytesText } from '../terminal/quantities.js';
import { parseWords } from '../words.js';
import { type BackupNote, digestOf, noteFile, partFile } from './backup-note.js';
import { runPostgresProgram } from './postgres-programs.js';

const options = { ...databaseOptions, json: { type: 'boolean' } } as const;

/** Hashes of the genesis blocks that a group has stored. */
const storedGenesis = async (database: Database): Promise<string[]> => {
  const { blockHeader } = await openGroupClient(database);
  const rows = await blockHeader.findMany({ where: { height: 0 }, orderBy: { hash: 'asc' }, select: { hash: true } });
  return rows.map(({ hash }) => bytesToHex(hash));
};

export const genesisOf = (settings: NetworkSettings): string[] =>
  genesisBlocks(settings)
    .map(({ header }) => header.hash)
    .sort();

/** The origin of a backup for its note. @throws CommandFailure */
const describeDatabase = async (one: ServiceDatabase, database: Database, network: NetworkSettings) => {
  const version = await schemaVersion(database, readMigrations(one.migrations.folder));
  if (version.kind === 'absent') {
    throw new CommandFailure(`${one.name} has no tables yet: there is nothing to back up.`);
  }
  if (version.kind !== 'current') {
    throw new CommandFailure(
      `The tables of ${one.name} are not of this version: make the backup with the program that runs there (doctor says more).`,
    );
  }
  const common = { format: 1 as const, service: one.service, schema: one.schema, migration: version.newest };
  if (one.group === undefined) return common;
  const genesis = await storedGenesis(database);
  if (genesis.join() !== genesisOf(network).join()) {
    throw new CommandFailure(`${one.name} belongs to another network than GENESIS_FILE of this command says.`);
  }
  return { ...common, networkId: network.networkId, genesis };
};

const describe = async (one: ServiceDatabase, environment: CommandInput['environment'], network: NetworkSettings) => {
  const host = openServiceDatabase(one, environment);
  try {
    await host.check();
    return await describeDatabase(one, host.service(one.schema), network);
  } finally {
    await host.close();
  }
};

const synced = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  await handle.sync().finally(() => handle.close());
};

/**
 * Renames FILE.part to FILE, and writes the note last. A killed backup has no note, and a file without a note is no
 * backup.
 */
const putInPlace = async (path: string, note: BackupNote): Promise<void> => {
  const freshNote = partFile(noteFile(path));
  await rm(freshNote, { force: true });
  await writeFile(freshNote, `${JSON.stringify(note, undefined, 2)}\n`, { mode: 0o600, flag: 'wx' });
  for (const one of [partFile(path), freshNote]) await synced(one);
  // The note of an earlier backup of that name would not match the new file.
  await rm(noteFile(path), { force: true });
  await rename(partFile(path), path);
  await synced(dirname(path));
  await rename(freshNote, noteFile(path));
  await synced(dirname(path));
};

/** `backup`: one database of a service, which may run meanwhile. */
export const runBackup = async ({ words: given, environment }: CommandInput): Promise<number> => {
  const words = parseWords(given, options, ['FILE']);
  const network = networkOf(environment);
  const one = requireNamed(words, network.groups);
  const about = await describe(one, environment, network);
  const part = partFile(words.FILE);
  const args = ['--format=custom', `--schema=${one.schema}`, '--no-owner', '--no-privileges', `--file=${part}`];
  try {
    await rm(part, { force: true });
    // pg_dump writes into an existing file: one for its owner alone, because it may contain wallets.
    await writeFile(part, '', { mode: 0o600, flag: 'wx' });
    await runPostgresProgram('pg_dump', args, one, environment);
    const note: BackupNote = { ...about, madeAt: new Date().toISOString(), ...(await digestOf(part)) };
    await putInPlace(words.FILE, note);
    const text = `${words.FILE}: ${one.name}, ${bytesText(note.bytes)}; ${noteFile(words.FILE)} says what it is: keep both.`;
    process.stdout.write(words.json ? `${JSON.stringify({ file: words.FILE, ...note })}\n` : `${text}\n`);
    return 0;
  } finally {
    for (const one of [part, partFile(noteFile(words.FILE))]) await rm(one, { force: true });
  }
};

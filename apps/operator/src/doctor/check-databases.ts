import {
  type Database,
  DatabaseError,
  type DatabaseHost,
  readMigrations,
  schemaVersion,
} from '@shardnode/core/database';
import { type Environment } from '@shardnode/core/configuration';
import { isDatabaseAway } from '@shardnode/core/process';
import {
  databasesAreApart,
  databasesAreNamed,
  groupDatabase,
  openServiceDatabase,
  OtherDatabase,
  reachedDatabases,
  type ServiceDatabase,
} from '../databases/service-databases.js';
import { replacedProblem } from '../databases/replaced-schema.js';
import { bytesText } from '../terminal/quantities.js';
import { checkDisk } from './check-machine.js';
import { type Finding, fault, ok, skipped, warning } from './finding.js';

const inaccessible = (what: string, error: unknown): Finding => {
  if (error instanceof OtherDatabase) {
    const [text = '', next = ''] = error.message.split(' Nothing was done. ');
    return fault('database-other', what, text, next);
  }
  if (error instanceof DatabaseError && error.code === 'AccessRefused') {
    const next =
      'Check DATABASE_PASSWORD_FILE and DATABASE_URL; `operator credentials databases` makes roles and databases fit (docs/credentials.md).';
    return fault('database-refused', what, error.message.split(' Look at')[0]!, next);
  }
  const text = error instanceof Error ? error.message.split(' Start it')[0]! : String(error);
  return fault('database-down', what, text, 'Start PostgreSQL, or set DATABASE_URL to where it is.');
};

/** A busy server may need several times the few seconds of a connection; a refusal arrives at once. */
const attempts = 4;

const patiently = async (host: DatabaseHost, left = attempts): Promise<void> => {
  try {
    await host.check();
  } catch (error) {
    const isSilent = isDatabaseAway(error) && !(error as Error).message.includes('ECONNREFUSED');
    if (!isSilent || left <= 1) throw error;
    await patiently(host, left - 1);
  }
};

const checkSchema = async (
  database: Database,
  { service, name, migrations, isOptional }: ServiceDatabase,
  what: string,
) => {
  const left = await replacedProblem(database, name);
  if (left) return fault('restore-unfinished', what, left.problem, left.remedy);
  const version = await schemaVersion(database, readMigrations(migrations.folder));
  switch (version.kind) {
    case 'current':
      return ok('schema', what, `its tables are of this version (${version.newest})`);
    case 'absent':
      if (isOptional)
        return skipped('schema-absent', what, 'it has no tables', `Start ${service}, if it shall run: it makes them.`);
      return warning('schema-absent', what, 'it has no tables yet', `Start ${service}: it makes them.`);
    case 'older': {
      const text = `its tables are older than this program: ${version.missing.join(', ')} not applied`;
      return fault('schema-old', what, text, `Restart ${service} with this version: it brings them up to date.`);
    }
    case 'newer': {
      const text = `its tables are newer than this program (${version.unknown})`;
      return fault('schema-new', what, text, `Run ${service}, and this command, in the version that made them.`);
    }
    case 'changed': {
      const text = `its tables were made by another form of migration ${version.name}`;
      return fault('schema-changed', what, text, 'Run the version that made them, or restore a backup.');
    }
  }
};

/** Data folder of the server, if the role may read it. */
const dataFolderOf = async (database: Database): Promise<string | undefined> => {
  try {
    const [row] = await database.query<{ folder: string }>(
      'operator-folder',
      `SELECT current_setting('data_directory') AS folder`,
    );
    return row?.folder;
  } catch {
    return undefined;
  }
};

const checkOne = async (
  one: ServiceDatabase,
  environment: Environment,
): Promise<{ findings: Finding[]; folder?: string | undefined }> => {
  const what = `database ${one.name}`;
  let host: DatabaseHost | undefined;
  try {
    host = openServiceDatabase(one, environment);
    await patiently(host);
    const database = host.service(one.schema);
    const [size] = await database.query<{ bytes: bigint }>(
      'operator-size',
      'SELECT pg_database_size(current_database()) AS bytes',
    );
    const answers = ok('database', what, `answers, ${bytesText(Number(size?.bytes ?? 0))}`);
    return { findings: [answers, await checkSchema(database, one, what)], folder: await dataFolderOf(database) };
  } catch (error) {
    if (one.isOptional && error instanceof DatabaseError && error.code === 'AccessRefused') {
      const next = `\`operator credentials databases\` makes it, if this network shall have an ${one.service}.`;
      return { findings: [skipped('database', what, `not checked: it is not there, or lets nobody in`, next)] };
    }
    return { findings: [inaccessible(what, error)] };
  } finally {
    await host?.close();
  }
};

/** GROUP, as set for a group-node, selects one database; otherwise all that DATABASE_URL serves for. */
const wantedDatabases = (environment: Environment, groups: number): readonly ServiceDatabase[] => {
  const group = environment['GROUP']?.trim() ?? '';
  if (group === '' || databasesAreApart(environment)) return reachedDatabases(environment, groups);
  return [groupDatabase(Number(group))];
};

/** Checks all databases, their tables and, where they are on this machine, their disks. */
export const checkDatabases = async (
  environment: Environment,
  groups: number,
  folders: readonly string[] | undefined,
): Promise<Finding[]> => {
  const next =
    'Set DATABASE_URL to postgresql://{database}@HOST:5432/{database}, and DATABASE_PASSWORD_FILE to FOLDER/database/{database}.';
  if (!databasesAreNamed(environment)) {
    const rest = await Promise.all((folders ?? []).map(checkDisk));
    return [skipped('database', 'databases', 'not checked: DATABASE_URL is not set', next), ...rest];
  }
  const wanted = wantedDatabases(environment, groups);
  if (wanted.length === 0) {
    const text = 'DATABASE_URL names the database of no service of this network';
    return [fault('database-other', 'databases', text, next)];
  }
  const results = await Promise.all(wanted.map((one) => checkOne(one, environment)));
  const seen = new Set(folders ?? results.flatMap(({ folder }) => folder ?? []));
  const disks = await Promise.all([...seen].map(checkDisk));
  if (disks.length === 0) {
    const why = 'the free room of the databases is not known: their roles may not ask';
    disks.push(
      skipped('disk', 'disks', why, 'Name their folders with DISK_FOLDERS, or watch them (docs/observability.md).'),
    );
  }
  return [...results.flatMap(({ findings }) => findings), ...disks];
};

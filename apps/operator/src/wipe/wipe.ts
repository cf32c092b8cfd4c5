import { hostname } from 'node:os';
import { DatabaseError, type DatabaseHost, type DatabaseWriter, replacedSchema } from '@shardnode/core/database';
import { type CommandInput, UsageError } from '../command.js';
import { databaseOptions, namedDatabase, networkOf, requireApart } from '../databases/chosen-database.js';
import { accessOf, allDatabases, openServiceDatabase, type ServiceDatabase } from '../databases/service-databases.js';
import { confirmByName } from '../terminal/confirm.js';
import { parseWords } from '../words.js';

const options = { ...databaseOptions, all: { type: 'boolean' }, yes: { type: 'boolean' } } as const;

/** A database whose writer's lock this command holds. */
interface Held {
  readonly one: ServiceDatabase;
  readonly host: DatabaseHost;
  readonly writer: DatabaseWriter;
}

/** DatabaseError `WriterExists` names the running service. */
const hold = async (one: ServiceDatabase, environment: CommandInput['environment']): Promise<Held> => {
  const host = openServiceDatabase(one, environment);
  try {
    await host.check();
    const holder = `operator wipe of ${one.service}, process ${process.pid} on ${hostname()}`;
    const writer = await host.service(one.schema).openWriter({ holder, onLost: () => undefined });
    return { one, host, writer };
  } catch (error) {
    await host.close();
    throw error;
  }
};

/** Whether a server has no such database, or no such role. */
const isAbsent = (error: unknown): boolean => error instanceof DatabaseError && error.code === 'AccessRefused';

const chosen = (words: ReturnType<typeof parseWords<typeof options>>, groups: number): readonly ServiceDatabase[] => {
  const named = namedDatabase(words, groups);
  if ((named === undefined) !== (words.all ?? false)) {
    throw new UsageError('Name what is to be wiped: --group G, --wallet, --explorer, or --all.');
  }
  return named ? [named] : allDatabases(groups);
};

const warningOf = (databases: readonly ServiceDatabase[]): string => {
  const names = databases.map(({ name }) => name).join(', ');
  const losses = [...new Set(databases.map(({ loss }) => loss))].join(' ');
  return `This deletes everything in ${names}. ${losses}`;
};

/** `wipe`: empties databases of stopped services. */
export const runWipe = async ({ words: given, environment }: CommandInput): Promise<number> => {
  const words = parseWords(given, options);
  const databases = chosen(words, networkOf(environment).groups);
  if (databases.length > 1) requireApart(environment);
  // Before the question, because a refusal after the person's consent would be useless.
  for (const one of databases) accessOf(one, environment);
  if (!words.yes) await confirmByName(warningOf(databases), databases.length > 1 ? 'all' : databases[0]!.name);
  const held: Held[] = [];
  try {
    // All locks before the first deletion: one running service prevents every deletion.
    for (const one of databases) {
      try {
        held.push(await hold(one, environment));
      } catch (error) {
        if (!words.all || !one.isOptional || !isAbsent(error)) throw error;
        process.stdout.write(`${one.name} is not there: this network has no ${one.service}.\n`);
      }
    }
    for (const { one, host } of held) {
      // A killed restore has left the second schema.
      for (const schema of [one.schema, replacedSchema(one.schema)])
        await host.service(one.schema).script(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`);
      process.stdout.write(`${one.name} is empty. ${one.service} creates its tables when it starts.\n`);
    }
  } finally {
    for (const { host, writer } of held) {
      await writer.close();
      await host.close();
    }
  }
  return 0;
};

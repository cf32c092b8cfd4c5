/** Opens the database of a folder and writes pairs of rows until it is killed; prints a line for each committed pair. */
import { DatabaseError, openEmbeddedDatabase } from '@shardnode/core/database';

const [dataDir, preparedCluster, engine] = process.argv.slice(2);

const run = async (): Promise<void> => {
  const host = await openEmbeddedDatabase({
    dataDir: dataDir!,
    preparedCluster,
    engine: engine === 'thread' ? 'thread' : 'in-process',
  });
  process.stdout.write('open\n');
  const database = host.service('first');
  const rows = await database.query<{ n: bigint }>('count', 'SELECT count(*) AS n FROM first.thing');
  for (let id = Number(rows[0]!.n); ; id += 2) {
    await database.transaction(async (statements) => {
      for (const each of [id, id + 1]) {
        const text = 'INSERT INTO first.thing (id, name, amount) VALUES ($1, $2, 1)';
        await statements.query('insert', text, [each, 'x'.repeat(each % 3000)]);
      }
    });
    process.stdout.write(`${id}\n`);
  }
};

run().catch((error: unknown) => {
  process.stderr.write(`${error instanceof DatabaseError ? error.message : String(error)}\n`);
  process.exitCode = 1;
});

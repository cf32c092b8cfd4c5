/** Migrates the fixture in the database of DATABASE_URL, as a service that starts. */
import { fileURLToPath } from 'node:url';
import { openDatabaseServer } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';

const prisma = fileURLToPath(new URL('./fixture/prisma', import.meta.url));

const run = async (): Promise<void> => {
  const url = process.env['DATABASE_URL']!;
  const host = openDatabaseServer({ url, applicationName: 'starter', logger: silentLogger });
  await host.service('first').migrate({ folder: `${prisma}/migrations`, schemaFile: `${prisma}/schema.prisma` });
  await host.close();
};

run().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});

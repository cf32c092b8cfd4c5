import { fileURLToPath } from 'node:url';
import { type MigrationSource } from '@shardnode/core/database';

/** Location of the schema of the wallet-service; the same from the source and from the build. */
export const walletMigrations: MigrationSource = {
  folder: fileURLToPath(new URL('../../prisma/migrations', import.meta.url)),
  schemaFile: fileURLToPath(new URL('../../prisma/schema.prisma', import.meta.url)),
};

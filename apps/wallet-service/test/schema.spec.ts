import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PGlite } from '@electric-sql/pglite';
import { poolOver, startParameters } from '../../../libs/core/src/database/embedded/open-embedded-database.js';
import { migrateSchema } from '../../../libs/core/src/database/migrations/migrate-schema.js';
import { differenceToModel } from '../../../libs/core/src/database/migrations/schema-engine.js';

const prisma = join(dirname(fileURLToPath(import.meta.url)), '../prisma');
const source = { folder: join(prisma, 'migrations'), schemaFile: join(prisma, 'schema.prisma') };
const schema = 'wallet_service';

describe('schema of the wallet-service', () => {
  let pglite: PGlite;
  let pool: ReturnType<typeof poolOver>;
  beforeAll(async () => {
    pglite = await PGlite.create({ startParams: startParameters() });
    pool = poolOver(pglite);
    await migrateSchema(pool, schema, source);
  });
  afterAll(async () => {
    await pool.end();
    await pglite.close();
  });

  it('the migrations make what schema.prisma says', async () => {
    expect(await differenceToModel(pool, schema, source)).toBeUndefined();
  });

  it('a difference would be seen', async () => {
    await pool.query(`ALTER TABLE "${schema}".wallet ADD COLUMN extra INTEGER`);
    expect(await differenceToModel(pool, schema, source)).toContain('extra');
    await pool.query(`ALTER TABLE "${schema}".wallet DROP COLUMN extra`);
  });

  it('a second start changes nothing', async () => {
    await migrateSchema(pool, schema, source);
    expect(await differenceToModel(pool, schema, source)).toBeUndefined();
  });
});

import pg from 'pg';
import { Connections } from '../connections.js';
import { type MigrationSource } from '../database.js';
import { DatabaseError } from '../database-error.js';
import { migrateSchema } from '../migrations/migrate-schema.js';
import { takeLock } from './advisory-lock.js';
import { connectionSettings, type DatabaseAccess } from './connection-settings.js';
import { newToken, processHolder, sessionName } from './session-name.js';

/** Milliseconds to wait while another process migrates the same schema. */
const patience = 60_000;

const busy = (schema: string, holder: string): DatabaseError =>
  new DatabaseError(
    'MigrationFailed',
    `The data of ${schema} has been migrated by ${holder} for more than ${patience / 1000} seconds.`,
    'Look what that one does, or stop it.',
  );

/**
 * Migrates a schema to the newest migration over a dedicated connection, because the migration changes the search path.
 * The connection takes our lock when it connects: of several starting processes one migrates, the others wait and find
 * nothing pending. Prisma's own lock would time out after 10 s.
 */
export const migrateOnServer = async (
  access: DatabaseAccess,
  applicationName: string,
  schema: string,
  source: MigrationSource,
): Promise<void> => {
  const token = newToken();
  const settings = connectionSettings(access, sessionName(processHolder(`${applicationName} migration`), token));
  const onConnect = (client: pg.ClientBase): Promise<void> =>
    takeLock(client, {
      purpose: 'migration',
      schema,
      token,
      patience,
      refused: (holder) => busy(schema, holder),
    });
  const connections = new Connections(
    new pg.Pool({ ...settings, connectionTimeoutMillis: patience, max: 1, idleTimeoutMillis: 0, onConnect }),
  );
  try {
    await migrateSchema(connections.pool, schema, source);
  } finally {
    await connections.end(2_000);
  }
};

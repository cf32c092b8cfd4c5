import { ConfigurationError } from '@shardnode/core/configuration';
import { DatabaseError, type DatabaseErrorCode } from '@shardnode/core/database';

interface SystemError extends Error {
  readonly code?: string;
  readonly port?: number;
  readonly address?: string;
}

/** Data that this program cannot go on with. `FolderNotOurs` is not among them: nobody should reset what is not ours. */
const canStartOver: ReadonlySet<DatabaseErrorCode> = new Set([
  'OtherNetwork',
  'OtherVersion',
  'NewerSchema',
  'ChangedMigration',
  'MigrationFailed',
  'DamagedFolder',
]);

const startOver = '`npm start -- --reset` starts over: it forgets the chain and the wallets of that folder.';

const isSystemError = (error: unknown): error is SystemError => error instanceof Error && 'code' in error;

/**
 * One sentence, or one for each wrong setting, that says what is wrong and what to do. Undefined for a failure that
 * nobody at the terminal can mend: a fault of ours, which is printed whole.
 */
export const describeStartFailure = (error: unknown): string | undefined => {
  if (error instanceof ConfigurationError) return error.message;
  if (error instanceof DatabaseError) {
    return canStartOver.has(error.code) ? `${error.message} ${startOver}` : error.message;
  }
  if (!isSystemError(error)) return undefined;
  const place = `${error.address ?? 'this address'}:${error.port ?? '?'}`;
  switch (error.code) {
    case 'EADDRINUSE':
      return `Another program listens on ${place} already; stop it, or choose another port: PORT=23973 npm start.`;
    case 'EADDRNOTAVAIL':
      return `This machine has no interface ${error.address ?? ''}; set HOST to one that it has, for example 127.0.0.1.`;
    case 'EACCES':
      return `Listening on ${place} is not allowed; choose a port above 1023 with PORT.`;
    default:
      return undefined;
  }
};

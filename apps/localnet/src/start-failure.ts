import { DatabaseError, type DatabaseErrorCode } from '@shardnode/core/database';
import { startFailureText } from '@shardnode/core/process';

/** Errors that a reset fixes. `FolderNotOurs` is not among them: a foreign folder must not be reset. */
const canStartOver: ReadonlySet<DatabaseErrorCode> = new Set<DatabaseErrorCode>([
  'OtherNetwork',
  'OtherVersion',
  'NewerSchema',
  'ChangedMigration',
  'MigrationFailed',
  'DamagedFolder',
]);

const startOver = '`npm start -- --reset` starts over: it deletes the chain and the wallets of that folder.';

/**
 * One sentence, or one for each wrong setting, with the problem and the next step. Undefined for a failure that the
 * person at the terminal cannot fix: a fault of this program, which is printed with its stack.
 */
export const describeStartFailure = (error: unknown): string | undefined => {
  if (error instanceof DatabaseError && canStartOver.has(error.code)) return `${error.message} ${startOver}`;
  return startFailureText(error, ': PORT=23973 npm start', 'HOST');
};

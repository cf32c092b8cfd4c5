import { DatabaseError, type DatabaseErrorCode } from '@shardnode/core/database';
import { startFailureText } from '@shardnode/core/process';

/** Data that this program cannot go on with. `FolderNotOurs` is not among them: nobody should reset what is not ours. */
const canStartOver: ReadonlySet<DatabaseErrorCode> = new Set<DatabaseErrorCode>([
  'OtherNetwork',
  'OtherVersion',
  'NewerSchema',
  'ChangedMigration',
  'MigrationFailed',
  'DamagedFolder',
]);

const startOver = '`npm start -- --reset` starts over: it forgets the chain and the wallets of that folder.';

/**
 * One sentence, or one for each wrong setting, that says what is wrong and what to do. Undefined for a failure that
 * nobody at the terminal can mend: a fault of ours, which is printed whole.
 */
export const describeStartFailure = (error: unknown): string | undefined => {
  if (error instanceof DatabaseError && canStartOver.has(error.code)) return `${error.message} ${startOver}`;
  return startFailureText(error, ': PORT=23973 npm start');
};

/** Why a database cannot be used. `remedy` is one sentence for the person at the terminal. */
export type DatabaseErrorCode =
  | 'FolderInUse'
  | 'FolderNotWritable'
  | 'FolderNotOurs'
  | 'OtherNetwork'
  | 'OtherVersion'
  | 'NewerSchema'
  | 'ChangedMigration'
  | 'MigrationFailed'
  | 'RestoreUnfinished'
  | 'DamagedFolder'
  | 'WriterExists'
  | 'Unreachable'
  | 'AccessRefused'
  | 'InvalidUrl';

export class DatabaseError extends Error {
  constructor(
    readonly code: DatabaseErrorCode,
    readonly problem: string,
    readonly remedy: string,
    options?: ErrorOptions,
  ) {
    super(`${problem} ${remedy}`, options);
    this.name = 'DatabaseError';
  }
}

/** @param since time when the holder connected, if known */
export const writerExists = (schema: string, holder: string, since?: Date): DatabaseError =>
  new DatabaseError(
    'WriterExists',
    `The data of ${schema} is being written by ${holder}${since ? `, connected since ${since.toISOString()}` : ''}.`,
    'Stop that one first: each group has one writer.',
  );

/** The connection was lost in COMMIT, and reading back failed: the outcome is unknown. */
export class UnknownOutcomeError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost in COMMIT: the outcome is unknown', { cause });
    this.name = 'UnknownOutcomeError';
  }
}

/** The writer's lock was lost before the statement was sent: the statement had no effect. */
export class WriterLostError extends Error {
  constructor(cause: unknown) {
    super("the writer's lock was lost", { cause });
    this.name = 'WriterLostError';
  }
}

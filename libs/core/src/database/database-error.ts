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
  | 'DamagedFolder';

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

/** The connection was lost in COMMIT, and nobody could say whether it took effect. */
export class UnknownOutcomeError extends Error {
  constructor(cause: unknown) {
    super('the connection was lost in COMMIT: the outcome is unknown', { cause });
    this.name = 'UnknownOutcomeError';
  }
}

import { describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '@shardnode/core/configuration';
import { DatabaseError, type DatabaseErrorCode } from '@shardnode/core/database';
import { describeStartFailure } from './start-failure.js';

const databaseError = (code: DatabaseErrorCode): DatabaseError => new DatabaseError(code, 'A problem.', 'A remedy.');

describe('the text of a failed start', () => {
  it.each<DatabaseErrorCode>([
    'OtherNetwork',
    'OtherVersion',
    'NewerSchema',
    'ChangedMigration',
    'MigrationFailed',
    'DamagedFolder',
  ])('%s names --reset', (code) => {
    expect(describeStartFailure(databaseError(code))).toMatch(/^A problem\. A remedy\. `npm start -- --reset`/);
  });

  it.each<DatabaseErrorCode>(['FolderInUse', 'FolderNotWritable', 'FolderNotOurs'])(
    '%s does not: it would not help, or would harm',
    (code) => {
      expect(describeStartFailure(databaseError(code))).toBe('A problem. A remedy.');
    },
  );

  it.each([
    ['EADDRINUSE', /127\.0\.0\.1:80 already.*PORT=/],
    ['EADDRNOTAVAIL', /HOST/],
    ['EACCES', /above 1023 with PORT/],
  ])('%s', (code, says) => {
    const error = Object.assign(new Error('listen'), { code, address: '127.0.0.1', port: 80, syscall: 'listen' });
    expect(describeStartFailure(error)).toMatch(says);
  });

  it('wrong settings are reported as they are, faults of the program are not hidden', () => {
    expect(describeStartFailure(new ConfigurationError(['PORT must be a number.']))).toBe('PORT must be a number.');
    expect(describeStartFailure(new Error('a bug'))).toBeUndefined();
    expect(describeStartFailure(Object.assign(new Error('a bug'), { code: 'ERR_X' }))).toBeUndefined();
  });
});

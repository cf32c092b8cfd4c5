import { describe, expect, it } from '@jest/globals';
import { DatabaseError, UnknownOutcomeError, WriterLostError } from './database-error.js';
import { withKnownOutcome } from './known-outcome.js';
import { isConnectionLost, unavailableReason } from './unavailable.js';

const lost = new Error('Connection terminated unexpectedly');
const fail = (error: Error) => () => Promise.reject(error);
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
const coded = (code: string, message = 'x'): Error => Object.assign(new Error(message), { code });

describe('a write whose connection is lost', () => {
  it('is read back: succeeds if it took effect, otherwise rejects with the original error', async () => {
    await expect(withKnownOutcome(fail(lost), () => Promise.resolve(true), { pause })).resolves.toBeUndefined();
    await expect(withKnownOutcome(fail(lost), () => Promise.resolve(false), { pause })).rejects.toBe(lost);
  });

  it('is read back again until the database answers, and is unknown if it never does', async () => {
    let asked = 0;
    const answersLate = (): Promise<boolean> => (++asked < 4 ? Promise.reject(lost) : Promise.resolve(true));
    await expect(withKnownOutcome(fail(lost), answersLate, { pause })).resolves.toBeUndefined();
    expect(asked).toBe(4);
    await expect(withKnownOutcome(fail(lost), fail(lost), { pause, patience: 30 })).rejects.toThrow(
      UnknownOutcomeError,
    );
  });

  it('is not read back after a refusal or a success', async () => {
    const asked = (): Promise<boolean> => Promise.reject(new Error('asked'));
    const refusal = Object.assign(new Error('duplicate key'), { code: '23505' });
    await expect(withKnownOutcome(fail(refusal), asked, { pause })).rejects.toBe(refusal);
    await expect(withKnownOutcome(() => Promise.resolve(5), asked, { pause })).resolves.toBe(5);
  });

  it('is unknown when the read back is refused: another writer may have written', async () => {
    const exists = new DatabaseError('WriterExists', 'The data is being written by another.', 'Stop it.');
    const unknown = withKnownOutcome(fail(lost), fail(exists), { pause });
    await expect(unknown).rejects.toMatchObject({ name: 'UnknownOutcomeError', cause: exists });
  });

  it('is recognised by code, by severity and by text, also of a cause', () => {
    expect(isConnectionLost(lost)).toBe(true);
    for (const code of ['ECONNRESET', 'ECONNREFUSED', 'ENOTFOUND', '57P01', '57P02', '57P03', '08006', 'P1017'])
      expect(isConnectionLost(coded(code))).toBe(true);
    const texts = [
      'Query read timeout',
      'timeout expired',
      'timeout exceeded when trying to connect',
      'Connection terminated due to connection timeout',
      'Client has encountered a connection error and is not queryable',
    ];
    for (const text of texts) expect(isConnectionLost(new Error(text))).toBe(true);
    expect(isConnectionLost(new Error('x', { cause: coded('ECONNRESET') }))).toBe(true);
    expect(isConnectionLost(Object.assign(coded('53100'), { severity: 'PANIC' }))).toBe(true);
    expect(isConnectionLost(Object.assign(coded('53100'), { severity: 'ERROR' }))).toBe(false);
    expect(isConnectionLost(new Error('syntax error'))).toBe(false);
    expect(isConnectionLost(new WriterLostError(lost))).toBe(false);
    expect(isConnectionLost('text')).toBe(false);
  });
});

describe('the reason of an unavailable store', () => {
  it('exists for errors of an unavailable server only', () => {
    expect(unavailableReason(lost)).toBe('its database does not answer');
    expect(unavailableReason(new UnknownOutcomeError(lost))).toBe('its database does not answer');
    expect(unavailableReason(new WriterLostError(lost))).toBe("it lost the writer's lock of its database");
    expect(unavailableReason(coded('53100'))).toBe('the disk of its database is full');
    const full = 'could not extend file "base/1": No space left on device';
    expect(unavailableReason(coded('58030', full))).toBe('its database cannot read or write its disk');
    expect(unavailableReason(new Error(full))).toBe('the disk of its database is full');
    expect(unavailableReason(coded('25006'))).toBe('its database is read-only');
    expect(unavailableReason(new DatabaseError('WriterExists', 'Written by B.', 'Stop it.'))).toBe('Written by B.');
    expect(unavailableReason(coded('23505', 'duplicate key'))).toBeUndefined();
    expect(unavailableReason(new DatabaseError('MigrationFailed', 'a', 'b'))).toBeUndefined();
  });
});

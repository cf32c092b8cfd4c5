import { describe, expect, it } from '@jest/globals';
import { UnknownOutcomeError } from './database-error.js';
import { isConnectionLost, withKnownOutcome } from './known-outcome.js';

const lost = new Error('Connection terminated unexpectedly');
const fail = (error: Error) => () => Promise.reject(error);
const pause = (): Promise<void> => Promise.resolve();

describe('a write whose connection is lost', () => {
  it('is read back: it counts if it took effect, and fails as it did if not', async () => {
    await expect(withKnownOutcome(fail(lost), () => Promise.resolve(true), pause)).resolves.toBeUndefined();
    await expect(withKnownOutcome(fail(lost), () => Promise.resolve(false), pause)).rejects.toBe(lost);
  });

  it('is asked about again until the database answers, and is unknown if it never does', async () => {
    let asked = 0;
    const answersLate = (): Promise<boolean> => (++asked < 4 ? Promise.reject(lost) : Promise.resolve(true));
    await expect(withKnownOutcome(fail(lost), answersLate, pause)).resolves.toBeUndefined();
    expect(asked).toBe(4);
    await expect(withKnownOutcome(fail(lost), fail(lost), pause, 3)).rejects.toThrow(UnknownOutcomeError);
  });

  it('is not asked about when the database said no, or yes', async () => {
    const asked = (): Promise<boolean> => Promise.reject(new Error('asked'));
    const refusal = Object.assign(new Error('duplicate key'), { code: '23505' });
    await expect(withKnownOutcome(fail(refusal), asked, pause)).rejects.toBe(refusal);
    await expect(withKnownOutcome(() => Promise.resolve(5), asked, pause)).resolves.toBe(5);
  });

  it('is told from other errors by code and by text', () => {
    expect(isConnectionLost(lost)).toBe(true);
    expect(isConnectionLost(Object.assign(new Error('x'), { code: 'ECONNRESET' }))).toBe(true);
    expect(isConnectionLost(Object.assign(new Error('x'), { code: '57P01' }))).toBe(true);
    expect(isConnectionLost(new Error('syntax error'))).toBe(false);
    expect(isConnectionLost('text')).toBe(false);
  });
});

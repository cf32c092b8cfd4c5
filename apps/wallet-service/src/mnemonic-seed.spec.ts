import { describe, expect, it } from '@jest/globals';
import { developmentMnemonic } from '@shardnode/testing/keys';
import { passphraseCheckOf, seedOf } from './mnemonic-seed.js';

describe('passphrases (00-decisions, 8)', () => {
  it('that look the same are the same', async () => {
    const composed = 'caf\u00e9';
    const decomposed = 'cafe\u0301';
    expect(passphraseCheckOf(composed)).toBe(passphraseCheckOf(decomposed));
    expect(await seedOf(developmentMnemonic, composed)).toEqual(await seedOf(developmentMnemonic, decomposed));
  });

  it('an empty one counts as given and gives the same keys as none', async () => {
    expect(passphraseCheckOf(undefined)).toBeUndefined();
    expect(passphraseCheckOf('')).toMatch(/^[0-9a-f]{64}$/);
    expect(await seedOf(developmentMnemonic, '')).toEqual(await seedOf(developmentMnemonic, undefined));
  });
});

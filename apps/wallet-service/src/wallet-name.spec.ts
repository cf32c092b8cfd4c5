import { describe, expect, it } from '@jest/globals';
import { canBeCreated, generatedName, isWalletName } from './wallet-name.js';

describe('wallet names (protocol 07 §3.1)', () => {
  it.each(['a', 'wallet-1', 'A_b-9', '-', '0'.repeat(128)])('%s can be created', (name) => {
    expect(canBeCreated(name)).toBe(true);
  });
  it.each(['../x', '..', 'a.b', 'a b', 'a/b', 'ä', 'a\n', '\u0000', "a'", 'a%2f', '0'.repeat(129)])(
    '%j is no name',
    (name) => {
      expect(isWalletName(name)).toBe(false);
      expect(canBeCreated(name)).toBe(false);
    },
  );
  it('the empty one is of the right form and cannot be created', () => {
    expect(isWalletName('')).toBe(true);
    expect(canBeCreated('')).toBe(false);
  });
  it('a generated one has 8 lower-case hexadecimal digits', () => {
    expect(generatedName(Uint8Array.of(0, 0xab, 0xcd, 0xef))).toBe('wallet-00abcdef');
  });
});

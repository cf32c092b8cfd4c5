import { describe, expect, it } from '@jest/globals';
import { HDKey } from '@scure/bip32';
import { fc } from '@shardnode/testing/properties';
import { deriveKey, walletKeys } from './index.js';

const steps = fc.array(
  fc.tuple(fc.oneof(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 0x7fff_ffff })), fc.boolean()),
  { maxLength: 4 },
);

describe('the tree of keys', () => {
  it('has the keys and chain codes of another implementation', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 64 }), steps, (seed, path) => {
        const text = ['m', ...path.map(([index, isHardened]) => `${index}${isHardened ? "'" : ''}`)].join('/');
        const { privateKey, publicKey, chainCode } = HDKey.fromMasterSeed(seed).derive(text);
        expect(deriveKey(seed, text)).toEqual({ privateKey, publicKey, chainCode, path: text });
      }),
      { numRuns: 30 },
    );
  });

  it.each([15, 65])('has no root for a seed of %d bytes', (length) => {
    expect(() => deriveKey(new Uint8Array(length), 'm')).toThrow(`a seed of ${length} bytes: expected 16 to 64`);
  });

  it('gives no more keys when it is wiped', () => {
    const keys = walletKeys(new Uint8Array(64).fill(7));
    expect(keys.at(1).path).toBe("m/44'/1234'/0'/0/1");
    keys.wipe();
    keys.wipe();
    expect(() => keys.at(1)).toThrow('the keys of this wallet are wiped');
  });
});

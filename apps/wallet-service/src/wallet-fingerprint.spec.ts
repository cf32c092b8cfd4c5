import { describe, expect, it } from '@jest/globals';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { developmentMnemonic } from '@shardnode/testing/keys';
import { seedOf } from './mnemonic-seed.js';
import { fingerprintOf, isSameFingerprint } from './wallet-fingerprint.js';

describe('the fingerprint of a wallet', () => {
  it('differs by name, mnemonic and passphrase, and holds no part of the seed', async () => {
    const seeds = [
      await seedOf(developmentMnemonic, undefined),
      await seedOf(developmentMnemonic, 'tea'),
      await seedOf([...developmentMnemonic].reverse(), undefined),
    ];
    const fingerprints = seeds.flatMap((seed) => ['hot', 'cold'].map((name) => fingerprintOf(seed, name)));
    expect(new Set(fingerprints.map(bytesToHex)).size).toBe(6);
    for (const fingerprint of fingerprints) {
      expect(fingerprint).toHaveLength(32);
      for (const seed of seeds) expect(bytesToHex(fingerprint)).not.toContain(bytesToHex(seed.subarray(0, 4)));
    }
  });

  it('is the same for the same wallet, and never that of another length', async () => {
    const [seed, again] = [await seedOf(developmentMnemonic, ''), await seedOf(developmentMnemonic, undefined)];
    expect(isSameFingerprint(fingerprintOf(seed, 'hot'), fingerprintOf(again, 'hot'))).toBe(true);
    expect(isSameFingerprint(fingerprintOf(seed, 'hot'), fingerprintOf(again, 'cold'))).toBe(false);
    expect(isSameFingerprint(fingerprintOf(seed, 'hot'), new Uint8Array())).toBe(false);
  });
});

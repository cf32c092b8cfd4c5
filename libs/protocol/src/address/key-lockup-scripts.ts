import { blake2bHash } from '../crypto/blake2b/index.js';
import { type LockupScript } from '../primitives/index.js';

/** The lockup script of one 33-byte public key (protocol 01 §6.1). */
export const p2pkhOf = (publicKey: Uint8Array): Extract<LockupScript, { kind: 'p2pkh' }> => ({
  kind: 'p2pkh',
  publicKeyHash: blake2bHash(publicKey),
});

/**
 * The m-of-n lockup script of 33-byte public keys, whose order is part of the address (protocol 01 §6.1).
 * Throws RangeError unless 0 < m <= n.
 */
export const multisigOf = (publicKeys: readonly Uint8Array[], m: number): Extract<LockupScript, { kind: 'p2mpkh' }> => {
  if (!Number.isInteger(m) || m < 1 || m > publicKeys.length)
    throw new RangeError(`invalid threshold ${m} of ${publicKeys.length} keys`);
  return { kind: 'p2mpkh', publicKeyHashes: publicKeys.map(blake2bHash), m };
};

import { createHmac, timingSafeEqual } from 'node:crypto';

/**
 * The fingerprint (32 bytes) of a wallet: HMAC-SHA256 under its seed (64 bytes). The same name, mnemonic and passphrase
 * have the same fingerprint. No key or address can be derived from it, and two names of one mnemonic have different
 * ones.
 */
export const fingerprintOf = (seed: Uint8Array, walletName: string): Uint8Array =>
  createHmac('sha256', seed).update(`wallet fingerprint ${walletName}`).digest();

export const isSameFingerprint = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b);

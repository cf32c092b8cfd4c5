import { type Hash } from './hash.js';

/** Conditions under which an output may be spent (protocol 01 §6.1). */
export type LockupScript =
  | { readonly kind: 'p2pkh'; readonly publicKeyHash: Hash }
  | { readonly kind: 'p2mpkh'; readonly publicKeyHashes: readonly Hash[]; readonly m: number }
  | { readonly kind: 'p2sh'; readonly scriptHash: Hash }
  | { readonly kind: 'p2c'; readonly contractId: Hash };

/** A lockup script that an asset output may carry: every kind but p2c (protocol 01 §6.1). */
export type AssetLockupScript = Exclude<LockupScript, { kind: 'p2c' }>;

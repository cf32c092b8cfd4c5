import { djb } from '../crypto/short-hashes.js';
import { hexToBytes } from '../encoding/index.js';
import { type Hash } from './hash.js';
import { type LockupScript } from './lockup-script.js';

/** Hash that determines the hint; for multisig only the first key (protocol 01 §7). */
const hintedHash = (script: LockupScript): Hash => {
  switch (script.kind) {
    case 'p2pkh':
      return script.publicKeyHash;
    case 'p2mpkh':
      return script.publicKeyHashes[0]!;
    case 'p2sh':
      return script.scriptHash;
    case 'p2c':
      return script.contractId;
  }
};

/** Script hint: signed 32-bit, always odd (protocol 01 §7). */
export const scriptHint = (script: LockupScript): number => djb(hexToBytes(hintedHash(script))) | 1;

/** Hint of an output with this lockup script: odd for an asset output, even for a contract output (protocol 01 §7). */
export const outputHint = (script: LockupScript): number =>
  script.kind === 'p2c' ? scriptHint(script) ^ 1 : scriptHint(script);

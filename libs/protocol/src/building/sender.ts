import { type AssetLockupScript } from '../primitives/index.js';
import { type UnlockScript } from '../transaction/index.js';

/** Whose outputs are spent, and with which unlock script all of them are. */
export interface Sender {
  readonly lockupScript: AssetLockupScript;
  readonly unlockScript: UnlockScript;
}

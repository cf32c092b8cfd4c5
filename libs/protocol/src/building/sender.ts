import { type AssetLockupScript } from '../primitives/index.js';
import { type UnlockScript } from '../transaction/index.js';

/** The owner of the spent outputs, and the unlock script of all of them. */
export interface Sender {
  readonly lockupScript: AssetLockupScript;
  readonly unlockScript: UnlockScript;
}

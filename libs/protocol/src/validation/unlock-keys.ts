import { type UnlockScript } from '../transaction/index.js';

/** The public keys of an unlock script that must sign, in the order of their signatures; undefined without keys. */
export const unlockKeys = (unlock: UnlockScript): readonly Uint8Array[] | undefined => {
  switch (unlock.kind) {
    case 'p2pkh':
      return [unlock.publicKey];
    case 'p2mpkh':
      return unlock.keys.map((key) => key.publicKey);
    case 'p2sh':
    case 'sameAsPrevious':
    case 'reserved':
      return undefined;
  }
};

import { addressOf, p2pkhOf } from '@shardnode/protocol/address';
import { statelessScriptHash } from '@shardnode/protocol/script';
import { type UnlockScript } from '@shardnode/protocol/transaction';
import { addressText } from './address-text.js';

/** Places of unlock scripts with "same as previous" replaced by the nearest explicit one (protocol 08 §3.5). */
export const expandUnlockScripts = <T>(scripts: readonly T[], isSameAsPrevious: (script: T) => boolean): T[] => {
  let explicit: T | undefined;
  return scripts.map((script) => {
    if (!isSameAsPrevious(script)) explicit = script;
    return explicit ?? script;
  });
};

/** "Same as previous" as stored: the single byte 03. */
export const isSameAsPreviousByte = (script: Uint8Array): boolean => script.length === 1 && script[0] === 3;

/** Signer of an input by its expanded unlock script. */
export interface Signer {
  /** Undefined where the script does not say it: multisig shows only the keys that signed. */
  readonly address: string | undefined;
  /** 33 bytes, of P2PKH only. */
  readonly publicKey: Uint8Array | undefined;
}

const unknown: Signer = { address: undefined, publicKey: undefined };

/** The address that an expanded unlock script unlocks (protocol 08 §3.5). */
export const signerOf = (script: UnlockScript): Signer => {
  switch (script.kind) {
    case 'p2pkh':
      return { address: addressText(p2pkhOf(script.publicKey)), publicKey: script.publicKey };
    case 'p2sh':
      return {
        address: addressOf({ kind: 'p2sh', scriptHash: statelessScriptHash(script.script) }),
        publicKey: undefined,
      };
    default:
      return unknown;
  }
};

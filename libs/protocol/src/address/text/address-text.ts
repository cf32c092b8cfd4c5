import { DecodeError, decode, encode } from '../../encoding/index.js';
import { type AssetLockupScript, type LockupScript, lockupScriptCodec } from '../../primitives/index.js';
import { decodeBase58, encodeBase58 } from './base58.js';

/** Address text: base58 of the canonical lockup script (protocol 01 §8.1). */
export const addressOf = (script: LockupScript): string => encodeBase58(encode(lockupScriptCodec, script));

/** The lockup script of an address, contract addresses included; undefined for any other text (protocol 01 §8.1). */
export const parseAddress = (text: string): LockupScript | undefined => {
  const bytes = decodeBase58(text);
  if (!bytes) return undefined;
  try {
    return decode(lockupScriptCodec, bytes);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
};

/** As `parseAddress`, but undefined for contract addresses too. */
export const parseAssetAddress = (text: string): AssetLockupScript | undefined => {
  const script = parseAddress(text);
  return script?.kind === 'p2c' ? undefined : script;
};

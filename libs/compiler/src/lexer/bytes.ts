import { parseAddress } from '@shardnode/protocol/address/text';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { type LockupScript } from '@shardnode/protocol/primitives';
import { compileError } from '../errors/compile-error.js';

const isHex = (text: string): boolean => text.length % 2 === 0 && /^[0-9a-fA-F]*$/.test(text);
/** Longest text that can be an address: 2,048 characters, as at every entrance of the node. */
const longestAddress = 2_048;
const addressIn = (text: string): LockupScript | undefined =>
  text.length <= longestAddress ? parseAddress(text) : undefined;

/** Bytes of the text behind `#`: hexadecimal, or a contract's address. @throws CompileError (protocol 06 §2.4) */
export const byteVecOf = (text: string, start: number): Uint8Array => {
  if (isHex(text)) return hexToBytes(text);
  const script = addressIn(text);
  if (script?.kind === 'p2c') return hexToBytes(script.contractId);
  throw compileError('invalidByteVec', { start, end: start + text.length });
};

/** The lockup script of the text behind `@`. @throws CompileError (protocol 06 §2.4) */
export const lockupScriptOf = (text: string, start: number): LockupScript => {
  const script = addressIn(text);
  if (!script) throw compileError('invalidAddress', { start, end: start + text.length });
  return script;
};

const utf8 = new TextEncoder();
export const utf8Bytes = (text: string): Uint8Array => utf8.encode(text);

import { bytesToHex } from '../../encoding/index.js';
import { type Hash } from '../../primitives/hash.js';
import { blake2bEngine } from './selected-blake2b-engine.js';

/** H(x): unkeyed BLAKE2b, 32 bytes (protocol 01 §4.1). */
export const blake2b = (bytes: Uint8Array): Uint8Array => blake2bEngine.blake2b(bytes);

/** H(x) as text: ids, keys, roots. */
export const blake2bHash = (bytes: Uint8Array): Hash => bytesToHex(blake2bEngine.blake2b(bytes));

/** HH(x): sub-contract ids, initial state hashes, the pre-mine proof (protocol 01 §4.1). */
export const blake2bTwice = (bytes: Uint8Array): Uint8Array => blake2bEngine.blake2b(blake2bEngine.blake2b(bytes));

import { blake2b, keccak256, sha256, sha3 } from '../../crypto/index.js';
import { gasOfHashing } from '../../primitives/index.js';
import { type Execute, type InstructionImplementations } from '../execute.js';

const hashing =
  (hash: (bytes: Uint8Array) => Uint8Array): Execute =>
  (machine) => {
    const bytes = machine.popBytes();
    machine.charge(gasOfHashing(bytes.length));
    machine.pushBytes(hash(bytes));
  };

/** Digests of 32 bytes (protocol 05 §6.5). */
export const hashInstructions: InstructionImplementations = {
  Blake2b: hashing(blake2b),
  Keccak256: hashing(keccak256),
  Sha256: hashing(sha256),
  Sha3: hashing(sha3),
};

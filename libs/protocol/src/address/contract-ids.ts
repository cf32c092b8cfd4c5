import { blake2b, blake2bTwice } from '../crypto/blake2b/index.js';
import { ByteWriter, bytesToHex, fixedI32, hash32 } from '../encoding/index.js';
import { type Hash } from '../primitives/index.js';

const withGroup = (digest: Uint8Array, group: number): Hash => {
  const id = digest.slice();
  id[31] = group;
  return bytesToHex(id);
};

/**
 * Id of a contract that a transaction creates without a path (protocol 01 §8.3). `outputIndex` is the index of the
 * contract's own output over fixed and generated outputs; `group` is the group of the transaction.
 */
export const contractIdOf = (transactionId: Hash, outputIndex: number, group: number): Hash => {
  const writer = new ByteWriter(36);
  hash32.write(writer, transactionId);
  fixedI32.write(writer, outputIndex);
  return withGroup(blake2b(writer.finish()), group);
};

/** Id of a sub-contract; the path is any bytes, possibly empty (protocol 01 §8.3). */
export const subContractIdOf = (parentId: Hash, path: Uint8Array, group: number): Hash => {
  const writer = new ByteWriter(32 + path.length);
  hash32.write(writer, parentId);
  writer.bytes(path);
  return withGroup(blake2bTwice(writer.finish()), group);
};

import { parseAddress } from '@shardnode/protocol/address';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash, type LockupScript } from '@shardnode/protocol/primitives';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import { type RecordedVal } from './history.js';

const lockupOf = (address: string): LockupScript => {
  const lockup = parseAddress(address);
  if (!lockup) throw new Error(`not an address: ${address}`);
  return lockup;
};

/** The id of a contract from its address in a recording. */
export const contractIdOf = (address: string): Hash => {
  const lockup = lockupOf(address);
  if (lockup.kind !== 'p2c') throw new Error(`not the address of a contract: ${address}`);
  return lockup.contractId;
};

const valOf = ({ type, value }: RecordedVal): Val => {
  switch (type) {
    case 'Bool':
      return { type, value: value === true || value === 'true' };
    case 'I256':
    case 'U256':
      return { type, value: BigInt(value) };
    case 'ByteVec':
      return { type, value: hexToBytes(String(value)) };
    case 'Address':
      return { type, value: lockupOf(String(value)) };
  }
};

/** Recorded fields as stored by nodes (protocol 05 §2.3), hexadecimal. */
export const fieldsOf = (recorded: readonly RecordedVal[]): string =>
  bytesToHex(encode(valsCodec, recorded.map(valOf)));

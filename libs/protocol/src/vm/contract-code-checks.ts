import { type Codec, decode, DecodeError } from '../encoding/index.js';
import { maxCodeSize } from '../primitives/index.js';
import {
  type Contract,
  contractCodec,
  estimatedSizeOf,
  hasPossibleLengths,
  paysToContractOnly,
  type Val,
  valsCodec,
} from '../script/index.js';
import { fail } from './failure.js';
import { gasOfCode } from './gas.js';
import { type Machine } from './machine.js';

/** Fields of a new contract, immutable and mutable ones together (protocol 05 §1). */
const maxFieldLength = 255;
/** The estimated size of the fields must stay below this many bytes (protocol 05 §1). */
const fieldSizeLimit = 3072;

const decodeForContract = <T>(codec: Codec<T>, bytes: Uint8Array): T => {
  try {
    return decode(codec, bytes);
  } catch (error) {
    if (error instanceof DecodeError) return fail('SerdeErrorCreateContract', error);
    throw error;
  }
};

/** A list of fields from the stack. */
export const popFields = (machine: Machine): readonly Val[] => decodeForContract(valsCodec, machine.popBytes());

/** The field charge (protocol 05 §7.1). */
export const chargeFields = (machine: Machine, fields: readonly Val[]): void => {
  const size = estimatedSizeOf(fields);
  if (size >= fieldSizeLimit) fail('FieldsSizeTooLarge', size);
  machine.charge(size);
};

/** Size check and code charge, both of the bytes as given (protocol 05 §3.6). */
const chargeCode = (machine: Machine, bytes: Uint8Array): void => {
  if (bytes.length > maxCodeSize) fail('CodeSizeTooLarge', bytes.length);
  machine.charge(gasOfCode(bytes.length));
};

/** The code of a new contract, checked in the order of protocol 05 §3.6. */
export const popCodeOfCreation = (machine: Machine): Contract => {
  const bytes = machine.popBytes();
  const contract = decodeForContract(contractCodec, bytes);
  const { methods, fieldLength } = contract;
  if (methods.some(paysToContractOnly)) fail('InvalidMethodModifier');
  chargeCode(machine, bytes);
  if (fieldLength < 0) fail('InvalidFieldLength');
  if (fieldLength > maxFieldLength) fail('TooManyFields');
  if (methods.length === 0) fail('EmptyMethods');
  if (!methods.every(hasPossibleLengths)) fail('InvalidMethod');
  return contract;
};

/** The new code of a migrating contract: fewer checks than for a new contract (protocol 05 §3.6, §18 item 15). */
export const popCodeOfMigration = (machine: Machine): Contract => {
  const bytes = machine.popBytes();
  chargeCode(machine, bytes);
  return decodeForContract(contractCodec, bytes);
};

/** Checks that the number of fields equals that in the code. */
export const checkFieldCount = ({ fieldLength }: Contract, fields: readonly Val[]): void => {
  if (fields.length !== fieldLength) fail('InvalidFieldLength');
};

import { type LockupScript } from '../primitives/index.js';
import { instructions } from './instruction-table.js';
import { type Instruction, type Val } from './model.js';

const codes: ReadonlyMap<string, number> = new Map(instructions.map(({ name, code }) => [name, code]));

/** The instruction of that name in the table, for generated code. */
export const instructionNamed = (name: string, operand?: Instruction['operand']): Instruction => {
  const code = codes.get(name);
  if (code === undefined) throw new RangeError(`no instruction is called ${name}`);
  return operand === undefined ? { code } : { code, operand };
};

const shortest = (kind: 'I256' | 'U256', least: bigint, value: bigint): Instruction => {
  if (value < least || value > 5n) return instructionNamed(`${kind}Const`, value);
  return instructionNamed(value < 0n ? `${kind}ConstN1` : `${kind}Const${value}`);
};

export const u256Constant = (value: bigint): Instruction => shortest('U256', 0n, value);
export const bytesConstant = (value: Uint8Array): Instruction => instructionNamed('BytesConst', value);
export const addressConstant = (value: LockupScript): Instruction => instructionNamed('AddressConst', value);

/** The instruction that pushes a value, in its short form where there is one (protocol 05 §3.7, Appendix A). */
export const constantInstruction = (val: Val): Instruction => {
  switch (val.type) {
    case 'Bool':
      return instructionNamed(val.value ? 'ConstTrue' : 'ConstFalse');
    case 'I256':
      return shortest('I256', -1n, val.value);
    case 'U256':
      return u256Constant(val.value);
    case 'ByteVec':
      return bytesConstant(val.value);
    case 'Address':
      return addressConstant(val.value);
  }
};

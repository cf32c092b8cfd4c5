import { type Val } from '../../script/index.js';
import { type CodeObject } from '../code-object.js';
import { type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { type Machine } from '../machine.js';

/** Fields by index from the stack; also for immutable fields the failure names mutable ones (protocol 05 §6.8). */
const maxIndex = 255;

const immutableFieldsOf = (code: CodeObject): readonly Val[] => (code.kind === 'contract' ? code.immutableFields : []);

const popIndex = (machine: Machine): number => {
  const index = machine.popU256();
  if (index > maxIndex) fail('InvalidMutFieldIndex', index, maxIndex);
  return Number(index);
};

const loadImmutable = (machine: Machine, index: number): void => {
  const fields = immutableFieldsOf(machine.frame.code);
  machine.push(fields[index] ?? fail('InvalidImmFieldIndex', index, fields.length));
};

/** The mutable fields, once `index` is one of them. The failure prints the number of immutable ones (§18 item 3). */
const mutableFieldsWith = (machine: Machine, index: number): Val[] => {
  const { code } = machine.frame;
  if (code.kind === 'contract' && index < code.mutableFields.length) return code.mutableFields;
  return fail('InvalidMutFieldIndex', index, immutableFieldsOf(code).length);
};

const loadMutable = (machine: Machine, index: number): void => machine.push(mutableFieldsWith(machine, index)[index]!);

const storeMutable = (machine: Machine, index: number): void => {
  const val = machine.pop();
  const fields = mutableFieldsWith(machine, index);
  if (fields[index]!.type !== val.type) fail('InvalidMutFieldType');
  fields[index] = val;
};

/** protocol 05 §6.8 */
export const fieldInstructions: InstructionImplementations = {
  LoadImmField: loadImmutable,
  LoadMutField: loadMutable,
  StoreMutField: storeMutable,
  LoadImmFieldByIndex: (machine) => loadImmutable(machine, popIndex(machine)),
  LoadMutFieldByIndex: (machine) => loadMutable(machine, popIndex(machine)),
  StoreMutFieldByIndex: (machine) => storeMutable(machine, popIndex(machine)),
};

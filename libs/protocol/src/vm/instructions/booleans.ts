import { type InstructionImplementations } from '../execute.js';
import { type Machine } from '../machine.js';

const binary =
  (operation: (a: boolean, b: boolean) => boolean) =>
  (machine: Machine): void => {
    const b = machine.popBool();
    const a = machine.popBool();
    machine.pushBool(operation(a, b));
  };

/** protocol 05 §6.2 */
export const booleanInstructions: InstructionImplementations = {
  BoolNot: (machine) => machine.pushBool(!machine.popBool()),
  BoolAnd: binary((a, b) => a && b),
  BoolOr: binary((a, b) => a || b),
  BoolEq: binary((a, b) => a === b),
  BoolNeq: binary((a, b) => a !== b),
};

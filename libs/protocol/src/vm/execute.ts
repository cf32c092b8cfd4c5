import { type Machine } from './machine.js';

/** Runs an instruction after its table gas is charged; `operand` has the type of the instruction table. */
export type Execute = (machine: Machine, operand: never) => void;

/** Implementations by the name in the instruction table. */
export type InstructionImplementations = Readonly<Record<string, Execute>>;

import { type Machine } from './machine.js';

/** What an instruction does once its table gas is charged; `operand` as the instruction table types it. */
export type Execute = (machine: Machine, operand: never) => void;

/** Implementations by the name in the instruction table. */
export type InstructionImplementations = Readonly<Record<string, Execute>>;

import { type Instruction } from '../script/index.js';
import { type Machine } from './machine.js';

const selectorCode = 0xd3;
const debugCode = 0x7e;

const isSelector = ({ code }: Instruction): boolean => code === selectorCode;
/** A message without values: it pops nothing and costs no gas. */
const isBareMessage = ({ code, operand }: Instruction): boolean =>
  code === debugCode && (operand as readonly Uint8Array[]).length === 1;

/** For every index the first one from there on that is not idle. */
const endsOf = (instructions: readonly Instruction[], isIdle: (instruction: Instruction) => boolean): Uint32Array => {
  const ends = new Uint32Array(instructions.length + 1);
  ends[instructions.length] = instructions.length;
  for (let i = instructions.length - 1; i >= 0; i--) ends[i] = isIdle(instructions[i]!) ? ends[i + 1]! : i;
  return ends;
};

const memoOf = (isIdle: (instruction: Instruction) => boolean) => {
  const known = new WeakMap<readonly Instruction[], Uint32Array>();
  return (instructions: readonly Instruction[]): Uint32Array => {
    const memo = known.get(instructions) ?? endsOf(instructions, isIdle);
    known.set(instructions, memo);
    return memo;
  };
};

const isIdleOnceClosed = (instruction: Instruction): boolean => isSelector(instruction) || isBareMessage(instruction);
const selectorRuns = memoOf(isSelector);
const closedRuns = memoOf(isIdleOnceClosed);

/** Whether messages have no further effect. On the main network they fail, which is an effect. */
const ignoresMessages = (machine: Machine): boolean =>
  machine.block.networkId !== 0 && (!machine.recordsEvents || machine.eventBudget.debugClosed);

/**
 * Skips the following instructions without effect in one step. They cost no gas, so without this a loop over thousands
 * of them would cost only one jump (protocol 05 §5.1: gas 0 of MethodSelector and DEBUG).
 */
export const skipIdleRun = (machine: Machine): void => {
  const { frame } = machine;
  const { instructions } = frame.method;
  const next = instructions[frame.programCounter];
  if (next === undefined || !isIdleOnceClosed(next)) return;
  const runs = ignoresMessages(machine) ? closedRuns(instructions) : selectorRuns(instructions);
  frame.programCounter = runs[frame.programCounter]!;
};

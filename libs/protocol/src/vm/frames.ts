import { type Val } from '../script/index.js';
import { type BalanceState } from './balance-state.js';
import { type CodeObject } from './code-object.js';
import { abort, fail } from './failure.js';
import { Frame } from './frame.js';
import { type Machine, operandAreaSize } from './machine.js';
import { falseVal } from './values.js';

/** Frames that may be live at the same time (protocol 05 §1). */
const frameStackSize = 1024;
const integerLimit = 2 ** 31;

/**
 * Reserves the locals above `localsBase`, where the arguments already lie, and puts the frame on the frame stack
 * (protocol 05 §4.2 steps 2 and 3).
 */
const pushFrame = (machine: Machine, frame: Frame): void => {
  const { method, localsBase, operandBase } = frame;
  if (method.localsLength < method.argsLength) abort('a method has fewer local variables than arguments');
  if (operandBase > operandAreaSize) fail(operandBase >= integerLimit ? 'NegativeArgumentInStack' : 'StackOverflow');
  machine.slots.fill(falseVal, localsBase + method.argsLength, operandBase);
  if (machine.frameCount >= frameStackSize) fail('StackOverflow');
  machine.frameCount += 1;
  machine.frame = frame;
};

/** Starts the entry frame with its arguments (protocol 05 §4.2). */
export const enterEntryMethod = (
  machine: Machine,
  code: CodeObject,
  args: readonly Val[],
  balances: BalanceState | undefined,
): Frame => {
  const method = code.methods[0]!;
  if (args.length !== method.argsLength) fail('InvalidMethodArgLength', args.length, method.argsLength);
  // Further arguments have no slots; the overflow is detected below.
  for (let i = 0; i < args.length && i < operandAreaSize; i++) machine.slots[i] = args[i]!;
  const frame = new Frame(code, 0, method, undefined, balances, 0);
  pushFrame(machine, frame);
  return frame;
};

/** Starts the frame of a called method; its arguments are the topmost operands of the running frame (protocol 05 §4.2). */
export const enterMethod = (
  machine: Machine,
  code: CodeObject,
  methodIndex: number,
  balances: BalanceState | undefined,
): void => {
  const caller = machine.frame;
  const method = code.methods[methodIndex]!;
  if (method.argsLength < 0) fail('NegativeArgumentInStack');
  if (caller.top - method.argsLength < caller.operandBase) fail('StackUnderflow');
  caller.top -= method.argsLength;
  pushFrame(machine, new Frame(code, methodIndex, method, caller, balances, caller.top));
};

/** Passes the results of the running frame to its caller, or out of the run (protocol 05 §4.6 steps 1 and 2). */
const passResults = (machine: Machine): void => {
  const { frame, slots } = machine;
  const { returnLength } = frame.method;
  if (returnLength < 0) fail('NegativeArgumentInStack');
  if (frame.top - returnLength < frame.operandBase) fail('StackUnderflow');
  frame.top -= returnLength;
  const { caller, top } = frame;
  if (!caller) {
    if (returnLength > 0 && !machine.receivesResults) fail('NonEmptyReturnForMainFunction');
    machine.results = slots.slice(top, top + returnLength);
    return;
  }
  if (caller.top + returnLength > operandAreaSize) fail('StackOverflow');
  slots.copyWithin(caller.top, top, top + returnLength);
  caller.top += returnLength;
};

/** Ends the running frame. False: it was the entry frame, the run is complete (protocol 05 §4.6). */
export const leaveMethod = (machine: Machine): boolean => {
  const { frame } = machine;
  passResults(machine);
  machine.frameCount -= 1;
  if (!frame.caller) return false;
  machine.frame = frame.caller;
  machine.stateful?.giveBack(frame, frame.caller);
  return true;
};

/**
 * End of DestroySelf and the migrations: passes the results at once, and again when the method ends, which is next
 * (protocol 05 §18, item 2).
 */
export const returnAtOnce = (machine: Machine): void => {
  passResults(machine);
  machine.frame.programCounter = machine.frame.method.instructions.length;
};

import { instructionByCode } from '../script/index.js';
import { StateMiss } from '../state/index.js';
import { ExecutionFailure, type FailureLocation } from './failure.js';
import { type Frame } from './frame.js';
import { leaveMethod } from './frames.js';
import { implementationByCode, tableGasByCode } from './instructions/index.js';
import { type Machine } from './machine.js';

const returnCode = 0x02;

const locationOf = (frame: Frame, instructionIndex: number): FailureLocation => ({
  contractId: frame.code.kind === 'contract' ? frame.code.id : undefined,
  codeHash: frame.code.kind === 'contract' ? frame.code.code.hash : undefined,
  methodIndex: frame.methodIndex,
  instructionIndex,
  instruction: instructionByCode[frame.method.instructions[instructionIndex]?.code ?? returnCode]!.name,
});

/**
 * Runs from where the machine stands to the return of the entry frame (protocol 05 §4.3). Throws ExecutionFailure with
 * its location, or ExecutionAbort; StateMiss, when an instruction reads data that is not in memory. The machine is then
 * in the state before that instruction, because instructions read the state before they change anything except popped
 * operands and gas.
 */
export const run = (machine: Machine): void => {
  let frame = machine.frame;
  let index = 0;
  let top = frame.top;
  let gasLeft = machine.gasLeft;
  try {
    for (;;) {
      frame = machine.frame;
      index = frame.programCounter;
      top = frame.top;
      gasLeft = machine.gasLeft;
      const instruction = frame.method.instructions[index];
      if (instruction === undefined) {
        if (!leaveMethod(machine)) return;
        continue;
      }
      frame.programCounter = index + 1;
      const gas = tableGasByCode[instruction.code]!;
      if (gas > machine.gasLeft) machine.charge(gas);
      machine.gasLeft -= gas;
      implementationByCode[instruction.code]!(machine, instruction.operand as never);
    }
  } catch (error) {
    if (error instanceof ExecutionFailure) error.location ??= locationOf(frame, index);
    if (error instanceof StateMiss) {
      // Popped operands are still in their slots.
      frame.programCounter = index;
      frame.top = top;
      machine.gasLeft = gasLeft;
    }
    throw error;
  }
};

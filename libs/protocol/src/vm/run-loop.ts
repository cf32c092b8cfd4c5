import { instructionByCode } from '../script/index.js';
import { ExecutionFailure, type FailureLocation } from './failure.js';
import { type Frame } from './frame.js';
import { leaveMethod } from './frames.js';
import { implementationByCode, tableGasByCode } from './instructions/index.js';
import { type Machine } from './machine.js';

const returnCode = 0x02;

const locationOf = (frame: Frame, instructionIndex: number): FailureLocation => ({
  contractId: frame.code.kind === 'contract' ? frame.code.id : undefined,
  methodIndex: frame.methodIndex,
  instructionIndex,
  instruction: instructionByCode[frame.method.instructions[instructionIndex]?.code ?? returnCode]!.name,
});

/**
 * Runs from the entry frame to its return (protocol 05 §4.3). Throws ExecutionFailure with its location, or
 * ExecutionAbort; StateMiss passes.
 */
export const run = (machine: Machine): void => {
  let frame = machine.frame;
  let index = 0;
  try {
    for (;;) {
      frame = machine.frame;
      index = frame.programCounter;
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
    throw error;
  }
};

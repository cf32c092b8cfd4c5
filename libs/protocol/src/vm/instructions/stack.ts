import { type LockupScript } from '../../primitives/index.js';
import { type Val } from '../../script/index.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { type Machine } from '../machine.js';
import { falseVal, i256Val, smallI256, smallU256, trueVal } from '../values.js';

const constant =
  (val: Val): Execute =>
  (machine) =>
    machine.push(val);

const minusOne = i256Val(-1n);

const loadLocal = (machine: Machine, index: number): void => {
  const { frame } = machine;
  const { localsLength } = frame.method;
  if (index >= localsLength) fail('InvalidVarIndex', index, localsLength - 1);
  machine.push(machine.slots[frame.localsBase + index]!);
};

const storeLocal = (machine: Machine, index: number): void => {
  const val = machine.pop();
  const { frame } = machine;
  const { localsLength } = frame.method;
  if (index >= localsLength) fail('InvalidVarIndex', index, localsLength - 1);
  machine.slots[frame.localsBase + index] = val;
};

const highestIndex = 255;

const popLocalIndex = (machine: Machine): number => {
  const index = machine.popU256();
  return index > highestIndex ? fail('InvalidVarIndex', index, highestIndex) : Number(index);
};

/** Reads the operand area, not the frame: below the frame's operands are older values (protocol 05 §18, item 1). */
const duplicate = (machine: Machine): void => {
  const { top } = machine.frame;
  if (top === 0) fail('StackUnderflow');
  machine.push(machine.slots[top - 1]!);
};

const swap = (machine: Machine): void => {
  const { frame, slots } = machine;
  const { top } = frame;
  if (top - 2 < frame.operandBase) fail('StackUnderflow');
  const upper = slots[top - 1]!;
  slots[top - 1] = slots[top - 2]!;
  slots[top - 2] = upper;
};

/** Constants, locals and the operand stack (protocol 05 §6.1). */
export const stackInstructions: InstructionImplementations = {
  ConstTrue: constant(trueVal),
  ConstFalse: constant(falseVal),
  I256Const0: constant(smallI256(0)),
  I256Const1: constant(smallI256(1)),
  I256Const2: constant(smallI256(2)),
  I256Const3: constant(smallI256(3)),
  I256Const4: constant(smallI256(4)),
  I256Const5: constant(smallI256(5)),
  I256ConstN1: constant(minusOne),
  U256Const0: constant(smallU256(0)),
  U256Const1: constant(smallU256(1)),
  U256Const2: constant(smallU256(2)),
  U256Const3: constant(smallU256(3)),
  U256Const4: constant(smallU256(4)),
  U256Const5: constant(smallU256(5)),
  I256Const: (machine, value: bigint) => machine.pushI256(value),
  U256Const: (machine, value: bigint) => machine.pushU256(value),
  BytesConst: (machine, bytes: Uint8Array) => machine.pushBytes(bytes),
  AddressConst: (machine, lockup: LockupScript) => machine.pushAddress(lockup),
  LoadLocal: loadLocal,
  StoreLocal: storeLocal,
  LoadLocalByIndex: (machine) => loadLocal(machine, popLocalIndex(machine)),
  StoreLocalByIndex: (machine) => storeLocal(machine, popLocalIndex(machine)),
  Pop: (machine) => void machine.pop(),
  Dup: duplicate,
  Swap: swap,
};

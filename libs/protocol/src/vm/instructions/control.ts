import { type Method } from '../../script/index.js';
import { type CodeObject, type ContractObject } from '../code-object.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { enterMethod } from '../frames.js';
import { skipIdleRun } from '../idle-runs.js';
import { type Machine } from '../machine.js';
import { type StatefulRun } from '../stateful-run.js';

/** A taken jump: the target is the instruction after the one that the offset names (protocol 05 §4.4). */
const jump = ({ frame }: Machine, offset: number): void => {
  const target = frame.programCounter - 1 + offset;
  if (target < 0 || target >= frame.method.instructions.length) fail('InvalidInstrOffset');
  frame.programCounter = target + 1;
};

const jumpIf =
  (expected: boolean) =>
  (machine: Machine, offset: number): void => {
    if (machine.popBool() === expected) jump(machine, offset);
  };

const methodAt = ({ methods }: CodeObject, index: number): Method =>
  methods[index] ?? fail('InvalidMethodIndex', index, methods.length);

const callLocal = (machine: Machine, index: number): void => {
  const { frame } = machine;
  const method = methodAt(frame.code, index);
  enterMethod(machine, frame.code, index, machine.stateful?.balancesForCall(frame, frame.code, method));
};

/** Contracts exist only in stateful code, which unlock scripts do not decode. */
const statefulRunOf = (machine: Machine): StatefulRun => {
  if (!machine.stateful) throw new Error('a call of a contract in stateless code');
  return machine.stateful;
};

const integerLimit = 1n << 31n;

/** Steps 5 to 9 of protocol 05 §4.5: the lengths the caller expects, then the frame. */
const callContract = (machine: Machine, contract: ContractObject, index: number): void => {
  const method = methodAt(contract, index);
  const returns = machine.popU256();
  if (returns >= integerLimit) fail('InvalidReturnLength');
  if (Number(returns) !== method.returnLength) {
    fail('InvalidExternalMethodReturnLength', returns, method.returnLength);
  }
  const args = machine.popU256();
  if (args >= integerLimit) fail('InvalidArgLength');
  if (Number(args) !== method.argsLength) fail('InvalidExternalMethodArgLength', args, method.argsLength);
  if (!method.isPublic) fail('ExternalPrivateMethodCall');
  enterMethod(machine, contract, index, statefulRunOf(machine).balancesForCall(machine.frame, contract, method));
};

const callExternal = (machine: Machine, index: number): void => {
  const contract = statefulRunOf(machine).load(machine.popContractId());
  callContract(machine, contract, index);
};

const callExternalBySelector = (machine: Machine, selector: number): void => {
  const session = statefulRunOf(machine);
  const contract = session.load(machine.popContractId());
  callContract(machine, contract, session.findMethod(contract, selector));
};

/** Return ends the method: the frame continues at the end of its instructions (protocol 05 §4.3). */
const returnFromMethod = (machine: Machine): void => {
  machine.frame.programCounter = machine.frame.method.instructions.length;
};

const assert = (machine: Machine): void => {
  if (!machine.popBool()) fail('AssertionFailed');
};

const assertWithErrorCode = (machine: Machine): void => {
  const code = machine.popU256();
  if (code >= integerLimit) fail('InvalidErrorCode', code);
  if (machine.popBool()) return;
  const object = machine.frame.code;
  fail('AssertionFailedWithErrorCode', object.kind === 'contract' ? object.id : undefined, code);
};

const inactive =
  (text: string): Execute =>
  () =>
    fail('InactiveInstr', text);

const inactiveMapEntry = (_: Machine, fieldCounts: Uint8Array): void =>
  fail('InactiveInstr', `CreateMapEntry(${new Int8Array(fieldCounts).join(',')})`);

/** Jumps, calls, returns and assertions (protocol 05 §4.4 to §4.6, §5.2, §6.4, §6.10). */
export const controlInstructions: InstructionImplementations = {
  Jump: jump,
  IfTrue: jumpIf(true),
  IfFalse: jumpIf(false),
  CallLocal: callLocal,
  CallExternal: callExternal,
  CallExternalBySelector: callExternalBySelector,
  Return: returnFromMethod,
  Assert: assert,
  AssertWithErrorCode: assertWithErrorCode,
  MethodSelector: skipIdleRun,
  GroupOfAddress: inactive('GroupOfAddress'),
  PayGasFee: inactive('PayGasFee'),
  MinimalContractDeposit: inactive('MinimalContractDeposit'),
  CreateMapEntry: inactiveMapEntry,
};

import { type Hash, type LockupScript } from '../primitives/index.js';
import { type Val } from '../script/index.js';
import { type BlockEnvironment, type TransactionEnvironment } from './environment.js';
import { EventBudget } from './event-budget.js';
import { fail } from './failure.js';
import { type Frame } from './frame.js';
import { idOfBytes, IdValues } from './id-bytes.js';
import { type StatefulRun } from './stateful-run.js';
import { addressVal, boolVal, bytesVal, falseVal, i256Val, u256Val } from './values.js';

/** Slots for the locals and operands of all frames together (protocol 05 §1). */
export const operandAreaSize = 1024;

export interface MachineOptions {
  readonly block: BlockEnvironment;
  readonly transaction: TransactionEnvironment;
  readonly gasLimit: number;
  /** The signature stack, the first taken first, 64 bytes each (protocol 05 §8.1, §8.2). */
  readonly signatures: readonly Uint8Array[];
  /** Undefined for unlock scripts. */
  readonly stateful?: StatefulRun;
  /** Scripts do not verify signatures: gas estimation (protocol 05 §15). */
  readonly mocksSignatures?: boolean;
  /** Whether the entry method may return values (protocol 05 §4.6). */
  readonly receivesResults?: boolean;
}

/** One run: the operand area, the gas counter, the signature stack and the running frame (protocol 05 §4.1). */
export class Machine {
  readonly block: BlockEnvironment;
  readonly transaction: TransactionEnvironment;
  readonly stateful: StatefulRun | undefined;
  readonly mocksSignatures: boolean;
  readonly receivesResults: boolean;
  readonly eventBudget = new EventBudget();
  /** Slots above a frame's top retain old values: nothing is cleared (protocol 05 §4.1, §18). */
  readonly slots: Val[] = new Array<Val>(operandAreaSize).fill(falseVal);
  gasLeft: number;
  /** The running frame; the entry frame once the run is complete. */
  frame!: Frame;
  frameCount = 0;
  /** Results of the entry method. */
  results: readonly Val[] = [];
  signaturesTaken = 0;
  private readonly signatures: readonly Uint8Array[];
  private readonly idValues = new IdValues();

  constructor(options: MachineOptions) {
    this.block = options.block;
    this.transaction = options.transaction;
    this.stateful = options.stateful;
    this.mocksSignatures = options.mocksSignatures ?? false;
    this.receivesResults = options.receivesResults ?? false;
    this.gasLeft = options.gasLimit;
    this.signatures = options.signatures;
  }

  /** Fails with OutOfGas and an unchanged counter when less is left (protocol 05 §7). */
  charge(gas: number): void {
    if (gas > this.gasLeft) fail('OutOfGas');
    this.gasLeft -= gas;
  }

  push(val: Val): void {
    const { frame } = this;
    if (frame.top >= operandAreaSize) fail('StackOverflow');
    this.slots[frame.top++] = val;
  }

  pushBool(value: boolean): void {
    this.push(boolVal(value));
  }

  pushI256(value: bigint): void {
    this.push(i256Val(value));
  }

  pushU256(value: bigint): void {
    this.push(u256Val(value));
  }

  /** The bytes are shared from now on and must not change. */
  pushBytes(value: Uint8Array): void {
    this.push(bytesVal(value));
  }

  /** An id or a hash as 32 bytes. */
  pushId(id: Hash): void {
    this.push(this.idValues.of(id));
  }

  pushAddress(value: LockupScript): void {
    this.push(addressVal(value));
  }

  pop(): Val {
    const { frame } = this;
    if (frame.top === frame.operandBase) fail('StackUnderflow');
    return this.slots[--frame.top]!;
  }

  /** The `count` topmost values, the deepest first. */
  popMany(count: number): Val[] {
    const { frame } = this;
    if (frame.top - count < frame.operandBase) fail('StackUnderflow');
    frame.top -= count;
    return this.slots.slice(frame.top, frame.top + count);
  }

  popBool(): boolean {
    const val = this.pop();
    return val.type === 'Bool' ? val.value : fail('InvalidType', 'Bool', val);
  }

  popI256(): bigint {
    const val = this.pop();
    return val.type === 'I256' ? val.value : fail('InvalidType', 'I256', val);
  }

  popU256(): bigint {
    const val = this.pop();
    return val.type === 'U256' ? val.value : fail('InvalidType', 'U256', val);
  }

  /** Shared bytes: never to be changed. */
  popBytes(): Uint8Array {
    const val = this.pop();
    return val.type === 'ByteVec' ? val.value : fail('InvalidType', 'ByteVec', val);
  }

  popAddress(): LockupScript {
    const val = this.pop();
    return val.type === 'Address' ? val.value : fail('InvalidType', 'Address', val);
  }

  /** A contract id: a ByteVec of 32 bytes, else InvalidContractId. */
  popContractId(): Hash {
    return idOfBytes(this.popBytes()) ?? fail('InvalidContractId');
  }

  /** The next of the signature stack, 64 bytes; StackUnderflow when it is empty (protocol 05 §6.5). */
  takeSignature(): Uint8Array {
    const signature = this.signatures[this.signaturesTaken];
    if (!signature) fail('StackUnderflow');
    this.signaturesTaken += 1;
    return signature;
  }

  get signaturesLeft(): number {
    return this.signatures.length - this.signaturesTaken;
  }

  /** Whether events of this run are recorded: never in unlock scripts, only with a block hash (protocol 05 §13.1). */
  get recordsEvents(): boolean {
    return this.stateful !== undefined && this.block.blockHash !== undefined;
  }

  /** Writes an event; dropped silently when its first field is no index of -128 to 127 (protocol 05 §13.1). */
  log(contractId: Hash, fields: readonly Val[]): void {
    if (!this.recordsEvents) return;
    const index = fields[0];
    if (index?.type !== 'I256' || index.value < -128n || index.value > 127n) return;
    this.stateful!.log({
      contractId,
      transactionId: this.transaction.id,
      eventIndex: Number(index.value),
      fields: fields.slice(1),
    });
  }
}

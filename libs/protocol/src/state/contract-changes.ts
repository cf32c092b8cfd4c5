import { type Hash, type OutputReference } from '../primitives/index.js';
import { type Val } from '../script/index.js';
import { type ContractOutput } from '../transaction/index.js';
import { type ContractRecord } from './contract-records.js';

/** An event as it is recorded (protocol 05 §13.1). */
export interface LogEntry {
  /** The contract whose events include it. */
  readonly contractId: Hash;
  readonly transactionId: Hash;
  /** -128..127 */
  readonly eventIndex: number;
  /** Without the event index. */
  readonly fields: readonly Val[];
}

/** A contract output that is stored (or, undefined, removed) under its reference. */
interface ContractOutputChange {
  readonly reference: OutputReference;
  readonly output: ContractOutput | undefined;
}

/** Net changes of contracts by the scripts of a block; maps in ascending order of their keys. */
export interface ContractChanges {
  /** By contract id; undefined: removed. */
  readonly records: ReadonlyMap<Hash, ContractRecord | undefined>;
  /** By reference id. */
  readonly outputs: ReadonlyMap<string, ContractOutputChange>;
  /** Tagged values of new entries of the immutable store (protocol 04 §4.3). */
  readonly immutable: ReadonlyMap<Hash, Uint8Array>;
  /** In the order of emission. */
  readonly events: readonly LogEntry[];
}

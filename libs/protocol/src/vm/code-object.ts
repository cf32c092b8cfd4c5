import { type Hash } from '../primitives/index.js';
import { type Method, type Val } from '../script/index.js';
import { type ContractCode, type ContractRecord, type ImmutableState } from '../state/index.js';
import { type ContractOutput } from '../transaction/index.js';

/** A transaction script or an unlock script (protocol 05 §4.1). */
interface ScriptObject {
  readonly kind: 'script';
  readonly methods: readonly Method[];
}

/** A loaded contract (protocol 05 §4.1, §10.1). */
export interface ContractObject {
  readonly kind: 'contract';
  readonly id: Hash;
  /** Shared by the contracts of a block with this code: it carries the memo of selectors. */
  readonly code: ContractCode;
  readonly methods: readonly Method[];
  readonly record: ContractRecord;
  /** Its output in the state; undefined where none of its methods uses its assets. */
  readonly output: ContractOutput | undefined;
  readonly immutableState: ImmutableState;
  readonly immutableFields: readonly Val[];
  /** Current values: written by the instructions, seen by all later code of the transaction. */
  readonly mutableFields: Val[];
  /** Values at load; changed ones are written at the end (protocol 05 §11.1). */
  readonly loadedMutableFields: readonly Val[];
}

export type CodeObject = ScriptObject | ContractObject;

import { type LockupScript } from '../primitives/index.js';

/** A value of the virtual machine (protocol 01 §13.3). */
export type Val =
  | { readonly type: 'Bool'; readonly value: boolean }
  | { readonly type: 'I256'; readonly value: bigint }
  | { readonly type: 'U256'; readonly value: bigint }
  | { readonly type: 'ByteVec'; readonly value: Uint8Array }
  | { readonly type: 'Address'; readonly value: LockupScript };

/** One instruction: its code byte and its decoded operand, if the table gives it one (protocol 01 §13.4). */
export interface Instruction {
  readonly code: number;
  readonly operand?: number | bigint | Uint8Array | LockupScript | readonly Uint8Array[];
}

/** A method of a script or contract (protocol 01 §13.1). */
export interface Method {
  readonly isPublic: boolean;
  /** 0..7; the low two bits say which assets the method uses (protocol 01 §13.1). */
  readonly assetModifier: number;
  readonly argsLength: number;
  readonly localsLength: number;
  readonly returnLength: number;
  readonly instructions: readonly Instruction[];
}

/** A transaction script (protocol 01 §13.2). */
export interface StatefulScript {
  readonly methods: readonly Method[];
}

/** The script of a p2sh unlock (protocol 01 §13.2). */
export interface StatelessScript {
  readonly methods: readonly Method[];
}

/** The code of a contract (protocol 05 §3.4). */
export interface Contract {
  /** Number of immutable and mutable fields together, as written: any 32-bit number. */
  readonly fieldLength: number;
  readonly methods: readonly Method[];
}

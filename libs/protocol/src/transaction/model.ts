import { type AssetLockupScript, type Hash, type OutputReference } from '../primitives/index.js';
import { type StatefulScript, type StatelessScript, type Val } from '../script/index.js';

/** Unlocks a lockup script (protocol 01 §6.2). Kind `reserved` (byte 04) decodes but never unlocks an output. */
export type UnlockScript =
  | { readonly kind: 'p2pkh'; readonly publicKey: Uint8Array }
  | { readonly kind: 'p2mpkh'; readonly keys: readonly { readonly publicKey: Uint8Array; readonly index: number }[] }
  | { readonly kind: 'p2sh'; readonly script: StatelessScript; readonly parameters: readonly Val[] }
  | { readonly kind: 'sameAsPrevious' }
  | { readonly kind: 'reserved'; readonly publicKey: Uint8Array };

export interface Token {
  readonly id: Hash;
  /** Count of the token's smallest unit, u256. */
  readonly amount: bigint;
}

/** protocol 01 §11.1 */
export interface AssetOutput {
  readonly kind: 'asset';
  /** attoCoin, u256. */
  readonly amount: bigint;
  readonly lockupScript: AssetLockupScript;
  /** Milliseconds since 1970; 0: not locked. */
  readonly lockTime: bigint;
  readonly tokens: readonly Token[];
  readonly additionalData: Uint8Array;
}

/** protocol 01 §11.2 */
export interface ContractOutput {
  readonly kind: 'contract';
  /** attoCoin, u256. */
  readonly amount: bigint;
  readonly contractId: Hash;
  readonly tokens: readonly Token[];
}

export type Output = AssetOutput | ContractOutput;

export interface TransactionInput {
  readonly outputReference: OutputReference;
  readonly unlockScript: UnlockScript;
}

/** The signed part of a transaction: its hash is the transaction id (protocol 01 §11.1). */
export interface UnsignedTransaction {
  readonly version: number;
  /** -128..127 */
  readonly networkId: number;
  readonly script: StatefulScript | undefined;
  /** 0 to 2^31-1 units of gas. */
  readonly gasAmount: number;
  /** attoCoin per unit of gas. */
  readonly gasPrice: bigint;
  readonly inputs: readonly TransactionInput[];
  readonly fixedOutputs: readonly AssetOutput[];
}

/** A transaction in its block form (protocol 01 §11.2). */
export interface Transaction {
  readonly unsigned: UnsignedTransaction;
  readonly scriptExecutionOk: boolean;
  readonly contractInputs: readonly OutputReference[];
  readonly generatedOutputs: readonly Output[];
  /** 64 bytes each. */
  readonly inputSignatures: readonly Uint8Array[];
  /** 64 bytes each. */
  readonly scriptSignatures: readonly Uint8Array[];
}

/** The form before execution: mempool, API, messages between services (protocol 01 §11.3). */
export interface TransactionTemplate {
  readonly unsigned: UnsignedTransaction;
  readonly inputSignatures: readonly Uint8Array[];
  readonly scriptSignatures: readonly Uint8Array[];
}

import { readVectors } from '../vectors/index.js';

/** Tokens as the vectors list them; amounts are decimal. */
export interface TokenForm {
  readonly id: string;
  readonly amount: string;
}

/** A contract that is there before the run. Its output's reference has the contract's hint and `outputKey`. */
export interface ContractForm {
  readonly id: string;
  readonly code: string;
  readonly imm: readonly string[];
  readonly mut: readonly string[];
  readonly amount: string;
  readonly tokens?: readonly TokenForm[];
  readonly outputKey: string;
}

/** A spent output, or a fixed output of the transaction. */
export interface OutputForm {
  readonly address: string;
  readonly amount: string;
  readonly lockTime?: number;
  readonly tokens?: readonly TokenForm[];
}

export interface EnvironmentForm {
  readonly networkId: number;
  readonly timestamp: number;
  /** Compact form. */
  readonly target: string;
  readonly blockHash: string | null;
  readonly group: number;
}

export interface TransactionForm {
  readonly txId: string;
  readonly inputs: readonly OutputForm[];
  readonly fixedOutputs: readonly OutputForm[];
  readonly gasPrice: string;
  readonly gasAmount: number;
  readonly signatures: readonly string[];
}

export interface EventForm {
  readonly contractId: string;
  readonly index: number;
  readonly fields: readonly string[];
}

/** Expected result of a run; either `decodeError`, or `failure`, or the rest. */
export interface RunExpectation {
  readonly decodeError?: boolean;
  readonly failure?: string;
  readonly text?: string;
  readonly breaking?: boolean;
  readonly gasLeftAtFailure?: number;
  readonly results?: readonly string[];
  readonly gasUsed?: number;
  readonly contractInputs?: readonly string[];
  readonly generatedOutputs?: readonly string[];
  readonly events?: readonly EventForm[];
  readonly outputRoot?: string;
  readonly contractRoot?: string;
  readonly stateHash?: string;
}

/** One run of a complete unlock script or transaction script; the conventions are in the files. */
export interface RunVector {
  readonly op: string;
  readonly note: string;
  readonly kind: 'unlock' | 'script';
  readonly code: string;
  readonly gas: number;
  readonly args?: readonly string[];
  /** Run without a receiver of results. */
  readonly asMain?: boolean;
  readonly contracts?: readonly ContractForm[];
  readonly env?: Partial<EnvironmentForm>;
  readonly tx?: Partial<TransactionForm>;
  readonly expect: RunExpectation;
}

/** Rows: operands (the first pushed first), the result or the name of a failure, for powers the gas. */
export interface ArithmeticMatrix {
  readonly operandTypes: readonly string[];
  readonly resultType: string;
  readonly gas?: number;
  readonly cases: readonly (readonly (string | number)[])[];
}

export interface RunVectors {
  readonly defaults: { readonly env: EnvironmentForm; readonly tx: TransactionForm };
  readonly cases: readonly RunVector[];
  readonly matrix?: { readonly [instruction: string]: ArithmeticMatrix };
}

/** `vm-instructions.json`, `vm-instructions-2.json` or `vm-random.json`. */
export const readRunVectors = (file: string): RunVectors => readVectors<RunVectors>(file);

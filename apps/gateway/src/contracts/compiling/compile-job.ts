import { type CompileSettings } from '@shardnode/compiler';

/** Kinds of results (protocol 06 §1.2). */
export type CompileOperation = 'script' | 'contract' | 'project';

export interface CompileJob {
  readonly operation: CompileOperation;
  readonly source: string;
  readonly options: CompileSettings;
  /** First member of each result. */
  readonly version: string;
}

/** A value of the machine, as the source names it: an array has one for each element, `xs[0]`, a struct for each field, `point.x`. */
export interface SlotNames {
  readonly name: string;
  /** `U256`, `I256`, `Bool`, `ByteVec`, `Address`, or the name of a contract, whose id it is. */
  readonly type: string;
}

export interface FieldNames extends SlotNames {
  readonly isMutable: boolean;
}

export interface FunctionNames {
  readonly name: string;
  readonly isPublic: boolean;
  /** Whether its caller must approve assets. */
  readonly usePreapprovedAssets: boolean;
  /** Absent: a type whose layout is unknown. */
  readonly params?: readonly SlotNames[];
  /** Types of the results; absent as `params` are. */
  readonly returns?: readonly string[];
}

export interface EventNames {
  readonly name: string;
  readonly fields?: readonly SlotNames[];
}

/** Names in the source of a contract, for those who read its failures and its state. */
export interface SourceNames {
  /** Hashes of the release and the debug code. */
  readonly codeHashes: readonly string[];
  readonly contract: string;
  readonly fields?: readonly FieldNames[];
  /** By index of the method. */
  readonly functions: readonly FunctionNames[];
  /** By index of the event. */
  readonly events: readonly EventNames[];
  /** `Enum.Value` and the number. */
  readonly errorCodes: readonly (readonly [string, string])[];
}

/** A bound of one compilation. */
export type CompileBound = 'time' | 'memory' | 'answer';

export type CompileOutcome =
  /** JSON text of the answer: a thread writes it, because it can have megabytes. */
  | { readonly kind: 'compiled'; readonly json: string; readonly names: readonly SourceNames[] }
  /** The error text of the source (protocol 06 §10.5). */
  | {
      readonly kind: 'rejected';
      readonly text: string;
      /** The step to take, as lines below it; may be empty. */ readonly hint: string;
    }
  /** The source takes more than one request is given. */
  | { readonly kind: 'exceeded'; readonly bound: CompileBound }
  /** The machine did not give the thread its processor time. */
  | { readonly kind: 'starved' };

/** Messages of the thread: the job has begun, with the place of its processor time; then the outcome. */
export type FromCompileThread =
  | { readonly kind: 'begun'; readonly task: string | undefined }
  | { readonly kind: 'fault'; readonly why: string }
  | CompileOutcome;

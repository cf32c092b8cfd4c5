import { type CompileSettings } from '@shardnode/compiler';
import { type ContractNames } from '@shardnode/messages';

/** Kinds of results (protocol 06 §1.2). */
export type CompileOperation = 'script' | 'contract' | 'project';

export interface CompileJob {
  readonly operation: CompileOperation;
  readonly source: string;
  readonly options: CompileSettings;
  /** First member of each result. */
  readonly version: string;
}

/** Names in the source of a contract, for those who read its failures and its state. */
export interface SourceNames extends ContractNames {
  /** Hashes of the release and the debug code. */
  readonly codeHashes: readonly string[];
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

import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type StoredOutput, type WorldState } from '@shardnode/protocol/state';
import { type Token } from '@shardnode/protocol/transaction';
import { type Refusal } from '@shardnode/protocol/validation';

/** Outcome of an import. */
export type ImportOutcome =
  | { readonly kind: 'added' }
  | { readonly kind: 'known' }
  /** Waits for dependencies (protocol 03 §12.4). */
  | { readonly kind: 'buffered'; readonly missing: readonly Hash[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal }
  /** Neither valid nor invalid; nothing is stored. */
  | { readonly kind: 'fault'; readonly detail: string };

export interface BlockState {
  readonly height: number;
  /** Accumulated weight (protocol 03 §7.2). */
  readonly weight: bigint;
  /** Whether the block is first at its height now. */
  readonly isCanonical: boolean;
}

export interface ChainState {
  /** Height of the tip that is largest in height order (protocol 03 §7.4). */
  readonly maxHeight: number;
  /** Height of the heaviest tip. */
  readonly currentHeight: number;
  /** In any order. */
  readonly tips: readonly Hash[];
  /** All heights with more than one block, ascending; canonical hash first. */
  readonly hashesWithSeveral: readonly { readonly height: number; readonly hashes: readonly Hash[] }[];
}

/** Numbers of entries of a world state, the initial ones counted (protocol 04 §3.4). */
export interface StateCounts {
  readonly assetOutputs: number;
  readonly contractOutputs: number;
}

/** An event as reported by a target. */
export interface ReplayEvent {
  readonly contractId: Hash;
  readonly txId: Hash;
  readonly eventIndex: number;
  /** Encoded list of values. */
  readonly fields: Uint8Array;
  /** `record.offset`: its place among the events of its contract, where the target knows it. */
  readonly place?: string;
}

/** A contract as reported by a target; byte strings are encoded values and code. */
export interface ReplayContract {
  readonly code: Uint8Array;
  readonly codeHash: Hash;
  readonly initialStateHash: Hash;
  readonly immutableFields: Uint8Array;
  readonly mutableFields: Uint8Array;
  /** Id of its output. */
  readonly outputReference: string;
  /** attoCoin */
  readonly amount: bigint;
  readonly tokens: readonly Token[];
  /** Blocks with events of it. */
  readonly eventRecords: number;
}

/** The response to a submitted transaction. */
export interface SubmissionAnswer {
  /** As in the files of bad transactions: `valid`, `InvalidSignature`, `TxScriptExeFailed(OutOfGas)`. */
  readonly verdict: string;
  /** Of the refusal. */
  readonly text: string;
}

/**
 * A full node as the target of a comparison of histories: the node in memory, the embedded network, or a cluster. A
 * response reflects every import acknowledged before.
 */
export interface ReplayTarget {
  /** For reports. */
  readonly name: string;
  /** Imports a block as from a trusted sender. Resolves when it is stored, buffered or refused. */
  importBlock(raw: Uint8Array): Promise<ImportOutcome>;
  /**
   * Imports blocks in order, several at once, for a target with latency. A block may be `buffered` because an earlier
   * one is still in flight. The state right after an import cannot be compared then.
   */
  importBlocks?(raws: readonly Uint8Array[]): Promise<readonly ImportOutcome[]>;
  /** Undefined for a block that is not stored. Read from the node of the block's from-group. */
  blockState(hash: Hash, chain: ChainIndex): Promise<BlockState | undefined>;
  /** The world state after an intra-group block of `group`; undefined when there is none. */
  worldState(hash: Hash, group: number): Promise<WorldState | undefined>;
  /** Best dependencies of a group (protocol 03 §7.6): 2G-1 hashes. */
  bestDependencies(group: number): Promise<readonly Hash[]>;
  chainState(chain: ChainIndex): Promise<ChainState>;
  /** Unspent outputs of an asset address in the blocks-only view at the best dependencies (protocol 02 §3.1, §3.3). */
  unspentOutputs(address: string): Promise<readonly StoredOutput[]>;
  /** Counts in the world state of an intra-group block; absent for a target that cannot scan its trie. */
  stateCounts?(hash: Hash, group: number): Promise<StateCounts>;
  /** Gas used by each transaction of an added block, without the coinbase. */
  gasUsed?(hash: Hash): Promise<readonly number[]>;
  /** Events of an intra-group block, in the order of emission. */
  events?(hash: Hash, group: number): Promise<readonly ReplayEvent[]>;
  /** A contract in the state at the best dependencies of its group. */
  contract?(contractId: Hash, group: number): Promise<ReplayContract | undefined>;
  /** Result of a method without arguments in that state, encoded; undefined: the call fails, or there is no contract. */
  callContract?(contractId: Hash, group: number, methodIndex: number): Promise<Uint8Array | undefined>;
  /**
   * The verdict of block validation, without the buffer and without adding; absent for a target that can only import.
   */
  validateBlock?(raw: Uint8Array): Promise<ImportOutcome>;
  /** The verdict of mempool admission on a transaction template, nothing added; undefined: it would be accepted. */
  checkAdmission?(template: Uint8Array): Promise<Refusal | undefined>;
  /** Submits a transaction template as clients do. */
  submitTransaction?(template: Uint8Array): Promise<SubmissionAnswer>;
  close(): Promise<void>;
}

import { type Transaction } from '@shardnode/protocol/transaction';

/** An event as nodes record it. */
export interface LedgerEvent {
  readonly contractId: string;
  readonly txId: string;
  /** -128 to 127 */
  readonly eventIndex: number;
  /** Encoded list of values, hexadecimal. */
  readonly fields: string;
}

/** What the scripts of a block can see: the state that it stands on, as bytes. */
export interface StateBefore {
  /** Encoded output, its lock time as seen; undefined when absent or spent. */
  output(reference: string): Uint8Array | undefined;
  /** Value of the contract trie. */
  record(contractId: string): Uint8Array | undefined;
  /** Value of the immutable store, its tag byte in front. */
  immutable(hash: string): Uint8Array | undefined;
}

/** An intra-group block with scripts. */
export interface ScriptBlock {
  readonly hash: string;
  readonly group: number;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  /** Compact. */
  readonly target: number;
  /** Without the coinbase. */
  readonly transactions: readonly { readonly id: string; readonly transaction: Transaction }[];
}

/** What the scripts of a block do to contracts, all told. */
export interface ContractEffects {
  /** By contract id; undefined: the contract is gone. */
  readonly records: ReadonlyMap<string, Uint8Array | undefined>;
  /** By hash, tagged. */
  readonly immutable: ReadonlyMap<string, Uint8Array>;
  /** In the order of emission. */
  readonly events: readonly LedgerEvent[];
  /** Transactions that the rules do not let pass, and why. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Runs the scripts of a block. The oracle has no machine of its own and takes no rule from the product: whoever makes it
 * hands the machine in. What the transactions declare, the tries and the immutable entries it follows by itself.
 */
export type ContractRules = (block: ScriptBlock, before: StateBefore) => ContractEffects;

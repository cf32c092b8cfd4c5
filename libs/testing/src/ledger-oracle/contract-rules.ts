import { type Transaction } from '@shardnode/protocol/transaction';

/** An event as recorded by nodes. */
export interface LedgerEvent {
  readonly contractId: string;
  readonly txId: string;
  /** -128 to 127 */
  readonly eventIndex: number;
  /** Encoded list of values, hexadecimal. */
  readonly fields: string;
}

/** State visible to the scripts of a block: the state that it builds on, as bytes. */
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

/** Net effects of the scripts of a block on contracts. */
export interface ContractEffects {
  /** By contract id; undefined: the contract is destroyed. */
  readonly records: ReadonlyMap<string, Uint8Array | undefined>;
  /** By hash, tagged. */
  readonly immutable: ReadonlyMap<string, Uint8Array>;
  /** In the order of emission. */
  readonly events: readonly LedgerEvent[];
  /** Transactions that the rules refuse, with reasons. */
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Runs the scripts of a block. The oracle has no machine of its own and imports no rule from the product: its creator
 * passes the machine in. The oracle itself tracks declared inputs and outputs, tries and immutable entries.
 */
export type ContractRules = (block: ScriptBlock, before: StateBefore) => ContractEffects;

/**
 * Payload types of the explorer feed (protocol 09 §5). All of them are plain JSON: hashes lower-case hexadecimal, bytes
 * base64, amounts decimal text, times milliseconds since 1970.
 */
export interface FeedPlace {
  readonly height: number;
  readonly hash: string;
}
export interface BlockRef extends FeedPlace {
  readonly timestamp: number;
  readonly txCount: number;
  /** Bytes of the serialized block. */
  readonly size: number;
}
/** A value of the machine: `U256` and `I256` as decimal text, `ByteVec` as hex, `Address` as base58. */
export type FeedVal =
  | { readonly type: 'Bool'; readonly value: boolean }
  | { readonly type: 'U256' | 'I256' | 'ByteVec' | 'Address'; readonly value: string };
export interface SentEvent {
  readonly txId: string;
  readonly contractId: string;
  readonly eventIndex: number;
  /** Without the index. */
  readonly fields: readonly FeedVal[];
}
export interface SentBlock extends FeedPlace {
  readonly timestamp: number;
  /** The serialized block; absent when it is `chunked`. */
  readonly block?: string;
  /** In the order of emission, if requested. */
  readonly events?: readonly SentEvent[];
  /** Too large for one message: fetch it with `read.block.chunk`. `size` in bytes; `sha256` of the block, hex. */
  readonly chunked?: true;
  readonly size?: number;
  readonly sha256?: string;
}
export interface PoolTx {
  readonly txId: string;
  readonly chainFrom: number;
  readonly chainTo: number;
  /** The serialized transaction template. */
  readonly template: string;
  readonly seenAt: number;
}
export interface ChainHead extends FeedPlace {
  readonly chainTo: number;
  /** Number of the chain's last canonical change; 1 after genesis. */
  readonly seq: number;
  readonly timestamp: number;
}

/** The canonical chain changed from one head to another (protocol 09 §3.1). */
export interface ChainChange {
  readonly v: 1;
  /** Identity of the group-node's database. */
  readonly epoch: string;
  readonly seq: number;
  readonly chainFrom: number;
  readonly chainTo: number;
  readonly kind: 'extend' | 'reorg';
  /** The last block common to the old and the new chain. */
  readonly fork: FeedPlace;
  /** Above the fork, ascending; the last 50 when `truncated`. */
  readonly added: readonly BlockRef[];
  /** Formerly canonical above the fork, descending. */
  readonly removed: readonly FeedPlace[];
  readonly truncated: boolean;
  readonly head: BlockRef;
  readonly publishedAt: number;
}

/** Reason why a transaction left the pool. */
export type PoolRemoval = 'mined' | 'expired' | 'conflict' | 'cleared' | 'replaced';

/** The pending transactions whose inputs are of this group changed (protocol 09 §3.2). */
export interface PoolChange {
  readonly v: 1;
  /** Identity of the group-node's process. */
  readonly epoch: string;
  readonly seq: number;
  readonly added: readonly PoolTx[];
  readonly removed: readonly { readonly txId: string; readonly reason: PoolRemoval }[];
  /** Pending transactions after the change. */
  readonly size: number;
  /** More changes than a message holds: both lists are empty, and `read.pool.list` has them. */
  readonly overflow?: true;
}

/** State of a group-node's chains, every 5 s and at once after its start (protocol 09 §3.3). */
export interface FeedHeartbeat {
  readonly v: 1;
  readonly group: number;
  readonly epoch: string;
  readonly synced: boolean;
  readonly heads: readonly ChainHead[];
  readonly poolSize: number;
  readonly nodeTime: number;
  readonly version: string;
}

/** The state of a contract as in the API (protocol 07 §2.8). */
export interface ContractStateForm {
  readonly address: string;
  readonly bytecode: string;
  readonly codeHash: string;
  readonly initialStateHash: string;
  readonly immFields: FeedVal[];
  readonly mutFields: FeedVal[];
  readonly asset: {
    readonly attoCoinAmount: string;
    readonly tokens: { readonly id: string; readonly amount: string }[];
  };
}

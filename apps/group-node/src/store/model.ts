/**
 * What a group-node remembers, as values (protocol 04 §8, §9). The implementation is `openGroupStore`; nothing here
 * names a database.
 */
import { type SealedHeader } from '@shardnode/protocol/block';
import {
  type AssetLockupScript,
  type ChainIndex,
  type Hash,
  type OutputReference,
} from '@shardnode/protocol/primitives';
import { type ImmutableEntryStore, type LogEntry, type TrieNodeStore } from '@shardnode/protocol/state';
import { type AssetOutput, type Output, type Token } from '@shardnode/protocol/transaction';
import { type RefusalName } from '@shardnode/protocol/validation';

/** The order of one height of one chain: canonical first (protocol 03 §7.3). */
export interface HeightOrder {
  readonly height: number;
  readonly hashes: readonly Hash[];
}

/** The world state that an own intra-group block makes (protocol 04 §3.7), and how it differs from its parent state. */
export interface StateCommit {
  readonly outputRoot: Hash;
  readonly contractRoot: Hash;
  /** H(outputRoot ‖ contractRoot). */
  readonly stateHash: Hash;
  /** New trie nodes by hash. */
  readonly addedNodes: ReadonlyMap<Hash, Uint8Array>;
  /** Nodes of the parent state that this one no longer reaches (protocol 04 §9.6). */
  readonly replacedNodes: readonly Hash[];
  /** Net changes of the asset outputs. Values as stored: lock time raised to the block's timestamp. */
  readonly removed: readonly OutputReference[];
  readonly added: readonly { readonly reference: OutputReference; readonly output: Output }[];
  /** Tagged values of the immutable store by hash (protocol 04 §4.3); absent: none. Those that are there already stay. */
  readonly immutable?: ReadonlyMap<Hash, Uint8Array>;
  /** In the order of emission; absent: none. */
  readonly events?: readonly LogEntry[];
}

/**
 * Moves the address projection along the intra-group chain (protocol 04 §9.5). `undo` newest first, `apply` oldest first;
 * the first undone block is the present head. A block may be applied in the commit that brings its state.
 */
export interface ProjectionMove {
  readonly undo: readonly Hash[];
  readonly apply: readonly Hash[];
}

/** A transaction of the pool (02 §13, decision 12). */
export interface PendingTransaction {
  readonly txId: Hash;
  readonly chain: ChainIndex;
  /** Milliseconds since 1970: entry into the pool. */
  readonly firstSeen: bigint;
  /** Encoded transaction template. */
  readonly raw: Uint8Array;
}

/** Why an acknowledged transaction left the pool unmined; kept for a day (decision 12). */
export interface DroppedTransaction {
  readonly txId: Hash;
  readonly code: RefusalName;
  readonly detail: string;
  readonly conflictingTxId?: Hash;
  /** Milliseconds since 1970. */
  readonly droppedAt: bigint;
}

/** Changes of the stored pool. Dropped ones leave the pool too and need not be named in `removed`. */
export interface PoolChanges {
  readonly added?: readonly PendingTransaction[];
  readonly removed?: readonly Hash[];
  readonly dropped?: readonly DroppedTransaction[];
}

/** Everything that one accepted block (or foreign header) writes: all of it or nothing. */
export interface BlockCommit {
  readonly header: SealedHeader;
  readonly height: number;
  /** Accumulated weight (protocol 03 §7.2). */
  readonly weight: bigint;
  /** Every height of the block's chain whose list changed, its own included; in a batch the last word on a height wins. */
  readonly orders: readonly HeightOrder[];
  /** All tips of the block's chain after it. */
  readonly tips: readonly Hash[];
  /** Raw block; absent where only the header is kept. */
  readonly body?: Uint8Array;
  /** Ids in block order, coinbase included; only for chains whose `from` is ours. */
  readonly transactionIds?: readonly Hash[];
  /** Own intra-group blocks only. */
  readonly worldState?: StateCommit;
  readonly projection?: ProjectionMove;
  readonly pool?: PoolChanges;
}

/** One row of the start-up load. */
export interface ChainRow {
  readonly hash: Hash;
  readonly raw: Uint8Array;
  readonly height: number;
  readonly weight: bigint;
  /** Position in the list of its height; 0 is canonical. */
  readonly rank: number;
  readonly hasBody: boolean;
}

/** Where a transaction stands: own chains, every branch, in order of acceptance. */
export interface TransactionLocation {
  readonly blockHash: Hash;
  readonly txIndex: number;
}

export interface StoredState {
  readonly outputRoot: Hash;
  readonly contractRoot: Hash;
  readonly stateHash: Hash;
}

/** One unspent asset output of the projection. Its lockup script is the one that was asked for. */
export interface Utxo {
  readonly reference: OutputReference;
  readonly output: AssetOutput;
}

/** Sums over the projection; no limit on the number of outputs (decision 13). */
export interface AddressBalance {
  /** attoCoin, locked ones included. */
  readonly amount: bigint;
  /** attoCoin in outputs with lock time > now. */
  readonly lockedAmount: bigint;
  /** Ascending token id. */
  readonly tokens: readonly Token[];
  readonly lockedTokens: readonly Token[];
  readonly utxoCount: number;
}

/** Which outputs of an address, for coin selection (02 §4.4). */
export type UtxoClass =
  | { readonly kind: 'withoutToken' }
  | { readonly kind: 'withToken' }
  /** Ordered by token amount, then coin amount. */
  | { readonly kind: 'token'; readonly tokenId: Hash };

export interface SelectionQuery {
  readonly lockupScript: AssetLockupScript;
  readonly class: UtxoClass;
  /** Equal amounts come in ascending order of key in both directions (02 §4.4: ties keep the order of the list). */
  readonly direction: 'ascending' | 'descending';
  /** Milliseconds since 1970: only outputs with lock time <= usableAt. */
  readonly usableAt?: bigint;
  /** Only outputs with a coin amount strictly below (sweep, 02 §6). */
  readonly below?: bigint;
  /** The last output of the page before. */
  readonly after?: Utxo;
  readonly limit: number;
}

export interface ListQuery {
  readonly lockupScript: AssetLockupScript;
  readonly offset?: number;
  readonly limit: number;
}

/** The address projection: always the state of `head`. */
export interface UtxoReads {
  /** The intra-group block whose state the projection shows; undefined before genesis. */
  projectionHead(): Hash | undefined;
  balance(lockupScript: AssetLockupScript, now: bigint): Promise<AddressBalance>;
  /** By (with or without token, amount, key): a fixed order, so that pages fit. Sort by key for the order of 02 §3.3. */
  listUtxos(query: ListQuery): Promise<readonly Utxo[]>;
  selectUtxos(query: SelectionQuery): Promise<readonly Utxo[]>;
  /** Those of the references that are unspent at the head, whatever their address. */
  hasUtxos(references: readonly OutputReference[]): Promise<ReadonlySet<string>>;
}

export interface ChainReads {
  /** All headers in order of acceptance, in pages. */
  loadChainRows(): AsyncIterable<readonly ChainRow[]>;
  /** One round trip; absent ones are left out. */
  chainRows(hashes: readonly Hash[]): Promise<readonly ChainRow[]>;
  loadTips(): Promise<readonly { readonly chain: ChainIndex; readonly hashes: readonly Hash[] }[]>;
  /** Raw block; undefined where it is unknown or only its header is kept. */
  blockBody(hash: Hash): Promise<Uint8Array | undefined>;
  /** One round trip; absent ones are left out. */
  blockBodies(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Uint8Array>>;
  transactionLocations(txId: Hash): Promise<readonly TransactionLocation[]>;
  worldState(blockHash: Hash): Promise<StoredState | undefined>;
  /** One round trip; absent ones are left out. */
  worldStates(blockHashes: readonly Hash[]): Promise<ReadonlyMap<Hash, StoredState>>;
}

/** An event as it was recorded (protocol 04 §6.2). */
export interface StoredEvent {
  readonly blockHash: Hash;
  readonly txId: Hash;
  readonly contractId: Hash;
  /** -128..127 */
  readonly eventIndex: number;
  /** Encoded list of values (protocol 05 §2.3), the event index apart. */
  readonly fields: Uint8Array;
}

export interface EventPageQuery {
  readonly contractId: Hash;
  /** Number of the first page. */
  readonly start: number;
  /** Pages at most. */
  readonly limit: number;
}

/** Events of blocks that are not canonical are shown by block hash only (decision 9). */
export interface EventReads {
  /**
   * The events of whole pages, a page being a block in which the contract has events, without debug messages (protocol
   * 04 §6.3). Ends early when much has been gathered; `nextStart` is the page after the last one that was read.
   */
  contractEvents(
    query: EventPageQuery,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly nextStart: number }>;
  /** Number of pages; 0: the contract never had an event. */
  eventPageCount(contractId: Hash): Promise<number>;
  /** In the order of emission. */
  transactionEvents(txId: Hash): Promise<readonly StoredEvent[]>;
  /** In the order of emission, the block being canonical or not. */
  blockEvents(blockHash: Hash): Promise<readonly StoredEvent[]>;
  /** By block; one round trip; blocks without events are left out. */
  eventsOfBlocks(blockHashes: readonly Hash[]): Promise<ReadonlyMap<Hash, readonly StoredEvent[]>>;
}

export interface PoolStore {
  /** Durable when it resolves. Adding one that is there changes nothing. */
  changePool(changes: PoolChanges): Promise<void>;
  /** Ascending first-seen time. */
  listPending(): Promise<readonly PendingTransaction[]>;
  dropReason(txId: Hash): Promise<DroppedTransaction | undefined>;
  /** Forgets reasons older than this time (milliseconds since 1970). */
  forgetDropReasons(before: bigint): Promise<void>;
}

export interface ProjectionCheck {
  readonly equal: boolean;
  /** For people: what differs first. */
  readonly difference?: string;
  readonly utxoCount: number;
}

/** How far the states of the group are pruned (protocol 04 §9.6). */
export interface PruningPlace {
  /** The oldest canonical intra-group block whose state can be read: that of its parent lacks nodes. */
  readonly blockHash: Hash;
  readonly height: number;
  /** Whether all nodes that this block's state has replaced are gone. */
  readonly isComplete: boolean;
}

/** What a stored state has replaced of the tries of its parent. */
export interface ReplacedNodes {
  /** Number of the block in the order of acceptance. */
  readonly seq: bigint;
  /** Empty once the state was pruned. */
  readonly hashes: readonly Hash[];
}

/** Deletions that are made together, or not at all. */
export interface PruningStep {
  /** Nodes that go, unless the block `before` or a later one has written them. */
  readonly nodes: readonly { readonly hash: Hash; readonly before: bigint }[];
  /** Numbers of blocks whose states lose what they took, added and replaced. */
  readonly finished: readonly bigint[];
  readonly place: PruningPlace;
}

/** The part of a store that forgets old states. */
export interface PruningStore {
  /** Undefined: nothing was pruned yet. */
  place(): Promise<PruningPlace | undefined>;
  /** One round trip; blocks without a stored state are left out, and the greater heights when there are too many nodes. */
  replacedNodes(blockHashes: readonly Hash[]): Promise<ReadonlyMap<Hash, ReplacedNodes>>;
  /** One transaction, in the writer's term. Gives the number of nodes that were deleted. */
  prune(step: PruningStep): Promise<number>;
  /** Makes the room of deleted rows usable again where no server does that by itself. False: there is one that does. */
  reclaimSpace(): Promise<boolean>;
  /** All trie nodes with the block that wrote them last, page by page. */
  nodePages(): AsyncIterable<readonly { readonly hash: Hash; readonly addedSeq: bigint }[]>;
}

/** All that a group-node remembers. One writer: commits are made one after the other. */
export interface GroupStore extends ChainReads, UtxoReads, EventReads, PoolStore, TrieNodeStore, ImmutableEntryStore {
  readonly group: number;
  /** Absent: this store keeps every state. */
  readonly pruning?: PruningStore;
  /** One transaction. Throws and leaves nothing on a fault. */
  commitBlock(commit: BlockCommit): Promise<void>;
  /** One transaction for several blocks, in order: genesis, catch-up, headers. All or nothing. */
  commitBlocks(commits: readonly BlockCommit[]): Promise<void>;
  /** Writes the order of some heights anew. */
  writeOrders(orders: readonly HeightOrder[]): Promise<void>;
  /** Stores the body of a block whose header came alone. */
  addBody(hash: Hash, raw: Uint8Array): Promise<void>;
  /** Moves the projection without a block: the best dependency changed to a state that is stored already. */
  moveProjection(move: ProjectionMove): Promise<void>;
  /** Compares the projection with a scan of the output trie at the head. */
  checkProjection(): Promise<ProjectionCheck>;
  /** Makes the projection anew from the output trie of a stored state. */
  rebuildProjection(head: Hash): Promise<void>;
  /** Reads again what the writer knows without asking: after a commit that failed, whose outcome may be unknown. */
  reread(): Promise<void>;
}

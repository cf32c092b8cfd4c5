/**
 * Stored data of a group-node, as values (protocol 04 §8, §9). The implementation is `openGroupStore`; nothing here
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
  /** Tagged values of the immutable store by hash (protocol 04 §4.3); absent: none. Existing entries stay. */
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

/** The reason why an acknowledged transaction left the pool unmined; stored for a day (decision 12). */
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

/** Head of an own chain in the feed (protocol 09 §3.1), with the number of its last canonical change. */
export interface ChangedChain {
  readonly to: number;
  readonly seq: number;
  /** The newest block made canonical. */
  readonly hash: Hash;
}

/** All rows that one accepted block (or foreign header) writes: all of it or nothing. */
export interface BlockCommit {
  readonly header: SealedHeader;
  readonly height: number;
  /** Accumulated weight (protocol 03 §7.2). */
  readonly weight: bigint;
  /**
   * Every height of the block's chain whose list changed, its own included; in a batch the last list of a height wins.
   */
  readonly orders: readonly HeightOrder[];
  /** All tips of the block's chain after it. */
  readonly tips: readonly Hash[];
  /** Raw block; absent where only the header is stored. */
  readonly body?: Uint8Array;
  /** Ids in block order, coinbase included; only for chains whose `from` is ours. */
  readonly transactionIds?: readonly Hash[];
  /** Own intra-group blocks only. */
  readonly worldState?: StateCommit;
  readonly projection?: ProjectionMove;
  readonly pool?: PoolChanges;
  /** Own chains that got another head. */
  readonly changed?: readonly ChangedChain[];
}

/** A stored header. */
export interface HeaderRow {
  readonly hash: Hash;
  readonly raw: Uint8Array;
  readonly height: number;
  readonly weight: bigint;
  /** Position in the list of its height; 0 is canonical. */
  readonly rank: number;
}

/** One row of a read of all headers. */
export interface ChainRow extends HeaderRow {
  readonly hasBody: boolean;
}

/** A canonical block of an interval. */
export interface IntervalBlock {
  readonly hash: Hash;
  readonly height: number;
  /** Milliseconds since 1970. */
  readonly timestamp: bigint;
  /** Compact. */
  readonly target: number;
}

/** Canonical blocks of a chain in an interval of milliseconds since 1970, both ends included. */
export interface IntervalQuery {
  readonly chain: ChainIndex;
  readonly fromTime: bigint;
  readonly toTime: bigint;
  /** Only blocks below this height, which has a block. */
  readonly below: number;
  readonly limit: number;
}

/** Location of a transaction: own chains, every branch, in order of acceptance. */
export interface TransactionLocation {
  readonly blockHash: Hash;
  readonly txIndex: number;
}

export interface StoredState {
  readonly outputRoot: Hash;
  readonly contractRoot: Hash;
  readonly stateHash: Hash;
}

/** One unspent asset output of the projection. Its lockup script is that of the query. */
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

/** Class of outputs of an address, for coin selection (02 §4.4). */
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
  /** The last output of the previous page. */
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
  /** The same as reads see it now: during a commit that of the state before or after it. */
  storedHead(): Promise<Hash | undefined>;
  balance(lockupScript: AssetLockupScript, now: bigint): Promise<AddressBalance>;
  /** By (with or without token, amount, key): a fixed order, so that pages fit. Sort by key for the order of 02 §3.3. */
  listUtxos(query: ListQuery): Promise<readonly Utxo[]>;
  selectUtxos(query: SelectionQuery): Promise<readonly Utxo[]>;
  /** The references that are unspent at the head, whatever their address. */
  hasUtxos(references: readonly OutputReference[]): Promise<ReadonlySet<string>>;
}

export interface ChainReads {
  /** The blocks of height 0, and the newest heights of every chain, in pages. Infinity: all. */
  newestHeights(heights: number): AsyncIterable<readonly HeaderRow[]>;
  /** All blocks of the pages of heights that contain these blocks and heights; one round trip. */
  headerPages(places: {
    readonly hashes: readonly Hash[];
    readonly heights: readonly { readonly chain: ChainIndex; readonly height: number }[];
  }): Promise<readonly HeaderRow[]>;
  /** Ascending; one round trip. */
  canonicalBetween(query: IntervalQuery): Promise<readonly IntervalBlock[]>;
  /** All headers in order of acceptance, in pages. */
  loadChainRows(): AsyncIterable<readonly ChainRow[]>;
  /** One round trip; absent ones are left out. */
  chainRows(hashes: readonly Hash[]): Promise<readonly ChainRow[]>;
  loadTips(): Promise<readonly { readonly chain: ChainIndex; readonly hashes: readonly Hash[] }[]>;
  /** Raw block; undefined where it is unknown or only its header is stored. */
  blockBody(hash: Hash): Promise<Uint8Array | undefined>;
  /** One round trip; absent ones are left out. */
  blockBodies(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Uint8Array>>;
  /**
   * Bytes of raw blocks in one round trip, absent ones left out; with events, those of their fields and 100 for each: the
   * JSON of a block has at least two characters for each byte.
   */
  blockSizes(hashes: readonly Hash[], options: { readonly withEvents: boolean }): Promise<ReadonlyMap<Hash, number>>;
  transactionLocations(txId: Hash): Promise<readonly TransactionLocation[]>;
  worldState(blockHash: Hash): Promise<StoredState | undefined>;
  /** One round trip; absent ones are left out. */
  worldStates(blockHashes: readonly Hash[]): Promise<ReadonlyMap<Hash, StoredState>>;
}

/** The stored part of the feed (protocol 09). */
export interface FeedReads {
  /** Identity of the database, drawn at its first start; a restore of a backup changes it. */
  feedEpoch(): Promise<string>;
  /** Own chains that had a canonical change since genesis. */
  changedChains(): Promise<readonly ChangedChain[]>;
}

/** A recorded event (protocol 04 §6.2). */
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
  /** Limit of pages. */
  readonly limit: number;
  readonly maxBytes?: number;
}

/**
 * A query shows events of blocks that are not canonical by block hash only (decision 9). Events of more than `maxBytes`
 * are not loaded but refused as `AnswerTooLarge`: their fields count, and 100 bytes for each.
 */
export interface EventReads {
  /**
   * The events of whole pages, without debug messages (protocol 04 §6.3). A page is a block in which the contract has
   * events. Ends early at a bound of bytes; `nextStart` is the page after the last one read.
   */
  contractEvents(
    query: EventPageQuery,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly nextStart: number }>;
  /** Number of pages; 0: the contract never had an event. */
  eventPageCount(contractId: Hash): Promise<number>;
  /** In the order of emission. */
  transactionEvents(txId: Hash, maxBytes?: number): Promise<readonly StoredEvent[]>;
  /** In the order of emission, the block being canonical or not. */
  blockEvents(blockHash: Hash, maxBytes?: number): Promise<readonly StoredEvent[]>;
  /** By block; one round trip; blocks without events are left out. */
  eventsOfBlocks(blockHashes: readonly Hash[]): Promise<ReadonlyMap<Hash, readonly StoredEvent[]>>;
}

export interface PoolStore {
  /** Durable when it resolves. Adding an existing one changes nothing. */
  changePool(changes: PoolChanges): Promise<void>;
  /** Ascending first-seen time. */
  listPending(): Promise<readonly PendingTransaction[]>;
  dropReason(txId: Hash): Promise<DroppedTransaction | undefined>;
  /** Deletes reasons older than this time (milliseconds since 1970). */
  forgetDropReasons(before: bigint): Promise<void>;
}

export interface ProjectionCheck {
  readonly equal: boolean;
  /** For people: the first difference. */
  readonly difference?: string;
  readonly utxoCount: number;
}

/** Progress of pruning of the group's states (protocol 04 §9.6). */
export interface PruningPlace {
  /** The oldest canonical intra-group block whose state is readable: the state of its parent lacks nodes. */
  readonly blockHash: Hash;
  readonly height: number;
  /** Whether all nodes that this block's state replaced are deleted. */
  readonly isComplete: boolean;
}

/** Nodes of the parent's tries that a stored state replaced. */
export interface ReplacedNodes {
  /** Number of the block in the order of acceptance. */
  readonly seq: bigint;
  /** Empty once the state is pruned. */
  readonly hashes: readonly Hash[];
}

/** Deletions that are made together or not at all. */
export interface PruningStep {
  /** Nodes to delete, unless the block `before` or a later one wrote them. */
  readonly nodes: readonly { readonly hash: Hash; readonly before: bigint }[];
  /** Numbers of blocks whose state changes, added and replaced nodes are deleted. */
  readonly finished: readonly bigint[];
  readonly place: PruningPlace;
}

/** The part of a store that prunes old states. */
export interface PruningStore {
  /** Undefined: nothing is pruned yet. */
  place(): Promise<PruningPlace | undefined>;
  /**
   * One round trip. Leaves out blocks without a stored state, and the greater heights when there are too many nodes.
   */
  replacedNodes(blockHashes: readonly Hash[]): Promise<ReadonlyMap<Hash, ReplacedNodes>>;
  /** One transaction, in the writer's term. Returns the number of deleted nodes. */
  prune(step: PruningStep): Promise<number>;
  /** Reclaims the space of deleted rows. False: a server does that by itself. */
  reclaimSpace(): Promise<boolean>;
  /** All trie nodes with the last block that wrote them, page by page. */
  nodePages(): AsyncIterable<readonly { readonly hash: Hash; readonly addedSeq: bigint }[]>;
}

/** The store of a group-node. One writer: commits are made one after the other. */
export interface GroupStore
  extends ChainReads, UtxoReads, EventReads, FeedReads, PoolStore, TrieNodeStore, ImmutableEntryStore {
  readonly group: number;
  /** Absent: this store retains every state. */
  readonly pruning?: PruningStore;
  /** One transaction. Throws and leaves nothing on a fault. */
  commitBlock(commit: BlockCommit): Promise<void>;
  /** One transaction for several blocks, in order: genesis, catch-up, headers. All or nothing. */
  commitBlocks(commits: readonly BlockCommit[]): Promise<void>;
  /** Overwrites the order of some heights. */
  writeOrders(orders: readonly HeightOrder[]): Promise<void>;
  /** Stores the body of a block whose header was stored without it. */
  addBody(hash: Hash, raw: Uint8Array): Promise<void>;
  /** Moves the projection without a block: the best dependency changed to a stored state. */
  moveProjection(move: ProjectionMove): Promise<void>;
  /** Compares the projection with a scan of the output trie at the head. */
  checkProjection(): Promise<ProjectionCheck>;
  /** Rebuilds the projection from the output trie of a stored state. */
  rebuildProjection(head: Hash): Promise<void>;
  /** Reads the state of the writer again: after a failed commit, whose outcome may be unknown. */
  reread(): Promise<void>;
}

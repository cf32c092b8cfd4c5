import { byteaArray, type SchemaStatements } from '@shardnode/core/database';
import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { type BlockRow, type BlockRows, blockRowsOf } from '../blocks/block-rows.js';
import { type FeedBlock } from '../blocks/feed-block.js';
import { bodyOf } from '../blocks/side-body.js';
import { type AppliedChanges, applyBlocks } from './apply.js';
import { blockArrays } from './block-arrays.js';
import { type Head, loadHeads } from './heads.js';
import { type IndexTransaction, transactionsOver } from './index-transaction.js';
import { type PendingTransactions, pendingOver } from './pending.js';
import { RecentBodies } from './recent-bodies.js';
import { KnownNumbers, RowNumbers } from './row-numbers.js';
import { touchedAddresses, type TouchedAddresses } from './touched-addresses.js';
import { loadBlocksAbove, undoBlocks, type UndoneBlock } from './undo.js';

/** Changes of a call. */
export interface IndexChange {
  /** In the order in which they were applied. */
  readonly added: readonly BlockRow[];
  /** The head first. */
  readonly removed: readonly UndoneBlock[];
  /** Transactions that were pending and are in a block now. */
  readonly unpended: readonly Hash[];
  /** Transactions in a block now, with their addresses; empty in the first sync. */
  readonly confirmed: readonly TouchedAddresses[];
  /** Transactions that were in a block; some of them may be in another one now. */
  readonly reverted: readonly TouchedAddresses[];
}

/** The writer of the index. Calls come one after the other. After an error nothing of the call is in the database. */
export interface Index {
  /** The newest applied block of each chain that has one. */
  heads(): Promise<readonly Head[]>;
  /**
   * Applies blocks in the scheduler's order, in one database transaction (protocol 08 §4.5).
   * @throws RangeError for a block that does not continue its chain
   */
  apply(blocks: readonly FeedBlock[]): Promise<IndexChange>;
  /**
   * Undoes the blocks of a chain above a height and applies others, in one database transaction (protocol 08 §4.7).
   * @param forkHeight at least 0
   * @throws RangeError for a block that does not continue its chain
   */
  reorganise(chain: ChainIndex, forkHeight: number, added: readonly FeedBlock[]): Promise<IndexChange>;
  /** Stores a block that is not canonical, unless it is known (protocol 08 §3.1). */
  storeSide(block: FeedBlock): Promise<void>;
  readonly pending: PendingTransactions;
}

export interface IndexOptions {
  /** A migrated schema (`explorerMigrations`) that nobody else writes to. */
  readonly database: SchemaStatements;
  /** Of the network; at most 32 (protocol 08 §3.2). */
  readonly groups: number;
  /**
   * A block that is undone and no longer in memory, for its `body`; undefined when it cannot be obtained. Default: it
   * has no body then.
   */
  readonly fetchBlock?: (hash: Hash, chain: ChainIndex) => Promise<FeedBlock | undefined>;
  /**
   * Whether this is the first sync: a crash of the server may lose the last transactions (protocol 08 §4.9), and no
   * transaction is reported as confirmed. Default: never.
   */
  readonly isFirstSync?: () => boolean;
}

/** Blocks whose rows are made before others may use the event loop: some 10 ms. */
const blocksPerTick = 32;

const rowsOf = async (blocks: readonly FeedBlock[], groups: number): Promise<BlockRows[]> => {
  const rows: BlockRows[] = [];
  for (const block of blocks) {
    if (rows.length > 0 && rows.length % blocksPerTick === 0) await yieldToEventLoop();
    rows.push(blockRowsOf(block, groups));
  }
  return rows;
};

const nothingApplied: AppliedChanges = { addressTxs: [], unpended: [] };

/** Opens the index of a database. */
export const openIndex = ({ database, groups, fetchBlock, isFirstSync = () => false }: IndexOptions): Index => {
  const inTransaction = transactionsOver(database, isFirstSync);
  const known = new KnownNumbers();
  const recent = new RecentBodies();

  /** Undoes, if there is something to undo, then applies. */
  const change = async (
    added: readonly FeedBlock[],
    removed: readonly UndoneBlock[] = [],
    undo: (transaction: IndexTransaction, numbers: RowNumbers) => Promise<TouchedAddresses[]> = async () => [],
  ): Promise<IndexChange> => {
    const rows = await rowsOf(added, groups);
    const { numbers, ...changes } = await inTransaction(async (transaction) => {
      const own = new RowNumbers(known, transaction);
      const reverted = removed.length > 0 ? await undo(transaction, own) : [];
      const { addressTxs, unpended } = rows.length > 0 ? await applyBlocks(transaction, own, rows) : nothingApplied;
      const confirmed = isFirstSync() ? [] : await touchedAddresses(transaction, addressTxs);
      return { numbers: own, reverted, unpended, confirmed };
    });
    numbers.remember();
    for (const block of added) recent.add(block);
    return { added: rows.map(({ block }) => block), removed, ...changes };
  };

  const undoneBody = async ({ hash, chain }: UndoneBlock): Promise<Uint8Array | undefined> => {
    const body = recent.get(hash);
    if (body) return body;
    const block = await fetchBlock?.(hash, chain);
    return block && bodyOf(block);
  };

  const bodiesOf = async (blocks: readonly UndoneBlock[]): Promise<ReadonlyMap<Hash, Uint8Array>> => {
    const bodies = new Map<Hash, Uint8Array>();
    for (const block of blocks) {
      const body = await undoneBody(block);
      if (body) bodies.set(block.hash, body);
    }
    return bodies;
  };

  return {
    heads: () => inTransaction(loadHeads),
    apply: (blocks) => change(blocks),
    reorganise: async (chain, forkHeight, added) => {
      const undone = await inTransaction((transaction) => loadBlocksAbove(transaction, chain, forkHeight));
      // Before the transaction, because blocks may come over the bus.
      const bodies = await bodiesOf(undone);
      return change(added, undone, (transaction, numbers) =>
        undoBlocks(transaction, numbers, undone, forkHeight, bodies),
      );
    },
    storeSide: (feedBlock) =>
      inTransaction(async (transaction) => {
        const { block } = blockRowsOf(feedBlock, groups);
        transaction.write('insertSideBlocks', [...blockArrays([block]), byteaArray([bodyOf(feedBlock)])]);
      }),
    pending: pendingOver(inTransaction),
  };
};

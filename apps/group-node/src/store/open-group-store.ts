import { mutex } from '@shardnode/core/concurrency';
import {
  type Database,
  type DatabaseWriter,
  unlockedWriter,
  withKnownOutcome,
  withReasons,
} from '@shardnode/core/database';
import { type ImmutableEntryStore, type TrieNodeStore } from '@shardnode/protocol/state';
import { PrismaClient } from '../generated/prisma/client.js';
import { addBody, loadBlockSizes, loadBodies } from './bodies.js';
import { loadImmutables } from './contract-immutables.js';
import {
  countEventPages,
  loadBlockEvents,
  loadContractEvents,
  loadEventsOfBlocks,
  loadTransactionEvents,
} from './events.js';
import { loadChangedChains, loadFeedEpoch } from './chain-changes.js';
import { type CommitContext, commitBlocks, type WriterState } from './commit.js';
import { writeParts } from './commit-part.js';
import { loadCanonicalBetween, loadHeaderPages, loadNewestHeights } from './header-pages.js';
import { lastSeq, loadChainRows, loadRowsOf, loadTips, orderParts } from './headers.js';
import {
  type ChainReads,
  type EventReads,
  type FeedReads,
  type GroupStore,
  type PoolStore,
  type PruningStore,
  type UtxoReads,
} from './model.js';
import { forgetDropReasons, loadDropReason, loadPending, poolParts } from './pending-transactions.js';
import { planProjection, stateSource } from './projection.js';
import { checkProjection, rebuildProjection } from './projection-check.js';
import { loadNodePages, loadPruningPlace, loadReplacedNodes, pruneStates, reclaimSpace } from './pruning.js';
import { loadLocations } from './transaction-locations.js';
import { storeUnavailable } from './unavailable.js';
import { listUtxos, loadBalance, loadHead, presentUtxos, selectUtxos } from './utxo-queries.js';
import { loadNodes, loadStates } from './world-states.js';

export interface GroupStoreOptions {
  /** Migrated already (`groupNodeMigrations`). */
  readonly database: Database;
  /** Default: one without a lock, for tools with exclusive access to the data. Its owner closes it. */
  readonly writer?: DatabaseWriter;
  readonly group: number;
  /** Number of groups of the network. */
  readonly groups: number;
  /** Pause between two queries to a database that does not respond. */
  readonly pause?: () => Promise<void>;
}

const shortPause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 100));

/** Milliseconds for a statement that may change every row. */
const rebuildPatience = 120_000;

/** Reads that do not need the state of the writer. */
const readsOf = (
  database: Database,
  prisma: PrismaClient,
): Omit<
  ChainReads & UtxoReads & EventReads & FeedReads & PoolStore & TrieNodeStore & ImmutableEntryStore,
  'projectionHead' | 'balance' | 'feedEpoch' | 'changePool' | 'forgetDropReasons'
> => ({
  newestHeights: (heights) => loadNewestHeights(database, heights),
  headerPages: (places) => loadHeaderPages(database, places),
  canonicalBetween: (query) => loadCanonicalBetween(database, query),
  loadChainRows: () => loadChainRows(database),
  chainRows: (hashes) => loadRowsOf(database, hashes),
  loadTips: () => loadTips(database),
  storedHead: async () => (await loadHead(database))?.hash,
  blockBody: async (hash) => (await loadBodies(database, [hash])).get(hash),
  blockBodies: (hashes) => loadBodies(database, hashes),
  blockSizes: (hashes, options) => loadBlockSizes(database, hashes, options),
  transactionLocations: (txId) => loadLocations(database, txId),
  worldState: async (hash) => (await loadStates(database, [hash])).get(hash),
  worldStates: (hashes) => loadStates(database, hashes),
  loadNodes: (hashes) => loadNodes(database, hashes),
  loadImmutables: (hashes) => loadImmutables(database, hashes),
  contractEvents: (query) => loadContractEvents(prisma, database, query),
  eventPageCount: (contractId) => countEventPages(prisma, contractId),
  transactionEvents: (txId, maxBytes) => loadTransactionEvents({ prisma, database }, txId, maxBytes),
  blockEvents: (hash, maxBytes) => loadBlockEvents({ prisma, database }, hash, maxBytes),
  eventsOfBlocks: (hashes) => loadEventsOfBlocks(prisma, hashes),
  changedChains: () => loadChangedChains(database),
  listUtxos: (query) => listUtxos(database, query),
  selectUtxos: (query) => selectUtxos(database, query),
  hasUtxos: (references) => presentUtxos(database, references),
  listPending: () => loadPending(prisma),
  dropReason: (txId) => loadDropReason(prisma, txId),
});

/** Trie nodes of a page. */
const nodesOfPage = 1_000;

/** Maps errors to those of the rest of the store. */
const pruningOf = (
  database: Database,
  prisma: PrismaClient,
  group: number,
  prune: PruningStore['prune'],
): PruningStore =>
  withReasons<PruningStore>(
    {
      place: () => loadPruningPlace(prisma),
      replacedNodes: (hashes) => loadReplacedNodes(database, hashes),
      prune,
      reclaimSpace: () => reclaimSpace(database),
      nodePages: () => loadNodePages(database, nodesOfPage),
    },
    (reason, cause) => storeUnavailable(group, reason, cause),
  );

/**
 * Opens the store of a group-node. It holds only the number of the last block and the head in memory. Reads go to the
 * database, writes over the writer: after the loss of its lock a writer cannot write, and must `reread` first. Rejects
 * as `unavailable` (`StoreUnavailable`) while the database fails.
 */
export const openGroupStore = async (options: GroupStoreOptions): Promise<GroupStore> => {
  const { database, group, groups, pause = shortPause } = options;
  const writer = options.writer ?? unlockedWriter(database);
  const prisma = new PrismaClient({ adapter: database.prismaAdapter() });
  const context: CommitContext = { database, writer, group, groups, pause };
  const read = async (): Promise<WriterState> => {
    const term = await writer.term();
    return { term, lastSeq: await lastSeq(term), head: await loadHead(term) };
  };
  let state = await read();
  /** Mutex of writes, because they share the state of the writer. */
  const write = mutex();
  const source = stateSource(database, groups, []);
  const commit: GroupStore['commitBlocks'] = (commits) =>
    write(async () => {
      state = await commitBlocks(context, state, commits);
    });
  const store: GroupStore = {
    group,
    commitBlock: (block) => commit([block]),
    commitBlocks: commit,
    writeOrders: (orders) => write(() => writeParts(state.term, orderParts(orders))),
    addBody: (hash, raw) => write(() => addBody(state.term, hash, raw)),
    ...readsOf(database, prisma),
    pruning: pruningOf(database, prisma, group, (step) => write(() => pruneStates(state.term, step))),
    projectionHead: () => state.head?.hash,
    balance: (lockupScript, now) => loadBalance(database, lockupScript, now, state.head?.timestamp ?? 0n),
    changePool: (changes) => writeParts(state.term, poolParts(changes)),
    feedEpoch: () => loadFeedEpoch(state.term),
    forgetDropReasons: (before) => forgetDropReasons(state.term, before),
    moveProjection: (move) =>
      write(async () => {
        const plan = await planProjection(source, group, groups, state.head, [move]);
        if (!plan) return;
        await withKnownOutcome(
          () => writeParts(state.term, plan.parts),
          async () => (await loadHead(writer))?.hash === plan.head.hash,
          { pause },
        );
        state = { ...state, head: plan.head };
      }),
    checkProjection: () =>
      write(() =>
        state.head ? checkProjection(database, source, state.head) : Promise.resolve({ equal: true, utxoCount: 0 }),
      ),
    rebuildProjection: (hash) =>
      write(async () => {
        const head = { hash, timestamp: (await source.header(hash)).timestamp };
        await rebuildProjection(state.term, source, head, rebuildPatience);
        state = { ...state, head };
      }),
    reread: () =>
      write(async () => {
        state = await read();
      }),
  };
  return withReasons(store, (reason, cause) => storeUnavailable(group, reason, cause));
};

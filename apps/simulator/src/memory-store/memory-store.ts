import {
  type BlockCommit,
  type ChainRow,
  type FeedReads,
  type GroupStore,
  type StoredState,
} from '@shardnode/group-node';
import { type Hash } from '@shardnode/protocol/primitives';
import { changePool, checkNew, writeBlocks, writeOrders } from './commit.js';
import { bytesOfEvents, contractEvents, eventsOfBlock, transactionEvents, withinBytes } from './event-reads.js';
import { canonicalBetween, headerPages, headerRow, newestHeights } from './header-reads.js';
import { copyOfBytes, type MemoryDisk, type ProjectionHead, type StoredHeader } from './memory-disk.js';
import { checkProjection, outputsOfState } from './projection-check.js';
import { carryOutMove, planMoves, StateSource } from './state-moves.js';
import { immediate, type StoreTimes } from './store-times.js';
import { balanceOf, listUtxos, presentUtxos, selectUtxos } from './utxo-reads.js';

export interface MemoryStoreOptions {
  readonly disk: MemoryDisk;
  readonly group: number;
  /** Number of groups of the network. */
  readonly groups: number;
  /** Default: event-loop ticks. */
  readonly times?: StoreTimes;
}

/** Rows of a page of the start-up load. */
const pageSize = 500;

const found = <Value>(
  hashes: readonly Hash[],
  get: (hash: Hash) => Value | undefined,
): ReadonlyMap<Hash, NonNullable<Value>> =>
  new Map(
    hashes.flatMap((hash) => {
      const value = get(hash);
      return value === undefined || value === null ? [] : [[hash, value] as const];
    }),
  );

/** Runs tasks one after the other. */
const exclusively = (): (<T>(run: () => Promise<T>) => Promise<T>) => {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const result = last.then(run, run);
    last = result.catch(() => undefined);
    return result;
  };
};

/** Reads of the disk, without delay. */
const looks = (disk: MemoryDisk) => {
  const bytes = (values: ReadonlyMap<Hash, Uint8Array>) => (hash: Hash) => {
    const value = values.get(hash);
    return value && copyOfBytes(value);
  };
  const rowOf = (stored: StoredHeader): ChainRow => ({
    ...headerRow(stored),
    hasBody: disk.bodies.has(stored.header.hash),
  });
  const stateOf = (hash: Hash): StoredState | undefined => {
    const state = disk.states.get(hash);
    return state && { outputRoot: state.outputRoot, contractRoot: state.contractRoot, stateHash: state.stateHash };
  };
  return { rowOf, stateOf, body: bytes(disk.bodies), node: bytes(disk.nodes), immutable: bytes(disk.immutables) };
};

type Reads = Omit<
  GroupStore,
  | 'group'
  | 'projectionHead'
  | 'commitBlock'
  | 'commitBlocks'
  | 'writeOrders'
  | 'addBody'
  | 'moveProjection'
  | 'checkProjection'
  | 'rebuildProjection'
  | 'reread'
  | 'changePool'
  | 'forgetDropReasons'
>;

/** A disk is never replaced: its identity has one text. */
const feedOf = (disk: MemoryDisk, read: StoreTimes['read']): FeedReads => ({
  feedEpoch: () => read().then(() => 'memory'),
  changedChains: () => read().then(() => [...disk.changed.values()].map((change) => ({ ...change }))),
});

/** In pages, each with the time of a read. */
async function* pagesOf<Row>(all: readonly Row[], read: StoreTimes['read']): AsyncIterable<readonly Row[]> {
  for (let start = 0; ; start += pageSize) {
    await read();
    const rows = all.slice(start, start + pageSize);
    if (rows.length > 0) yield rows;
    if (rows.length < pageSize) return;
  }
}

const readsOf = (disk: MemoryDisk, groups: number, { read }: StoreTimes): Reads => {
  const look = looks(disk);
  const after = async <Value>(get: () => Value): Promise<Value> => {
    await read();
    return get();
  };
  return {
    newestHeights: (heights) => pagesOf(newestHeights(disk, groups, heights).map(headerRow), read),
    headerPages: (places) => after(() => headerPages(disk, places)),
    canonicalBetween: (query) => after(() => canonicalBetween(disk, query)),
    loadChainRows: () => pagesOf(disk.accepted.map(look.rowOf), read),
    chainRows: (hashes) => after(() => [...found(hashes, (hash) => disk.headers.get(hash)).values()].map(look.rowOf)),
    loadTips: () =>
      after(() =>
        [...disk.tips]
          .sort(([a], [b]) => a - b)
          .map(([, { chain, hashes }]) => ({ chain: { ...chain }, hashes: [...hashes] })),
      ),
    blockBody: (hash) => after(() => look.body(hash)),
    blockBodies: (hashes) => after(() => found(hashes, look.body)),
    blockSizes: (hashes, { withEvents }) =>
      after(() =>
        found(hashes, (hash) => {
          const events = withEvents ? eventsOfBlock(disk, hash) : [];
          const bytes = look.body(hash)?.length;
          return bytes && bytes + bytesOfEvents(events);
        }),
      ),
    transactionLocations: (txId) => after(() => (disk.locations.get(txId) ?? []).map((place) => ({ ...place }))),
    worldState: (hash) => after(() => look.stateOf(hash)),
    worldStates: (hashes) => after(() => found(hashes, look.stateOf)),
    loadNodes: (hashes) => after(() => found(hashes, look.node)),
    loadImmutables: (hashes) => after(() => found(hashes, look.immutable)),
    contractEvents: (query) => after(() => contractEvents(disk, query)),
    eventPageCount: (contractId) => after(() => disk.eventPages.get(contractId)?.length ?? 0),
    transactionEvents: (txId, maxBytes) => after(() => withinBytes(transactionEvents(disk, txId), maxBytes)),
    blockEvents: (hash, maxBytes) => after(() => withinBytes(eventsOfBlock(disk, hash), maxBytes)),
    eventsOfBlocks: (hashes) =>
      after(() => found(hashes, (hash) => (disk.eventsOfBlock.has(hash) ? eventsOfBlock(disk, hash) : undefined))),
    storedHead: () => after(() => disk.head?.hash),
    balance: (lockupScript, now) => after(() => balanceOf(disk, lockupScript, now)),
    listUtxos: (query) => after(() => listUtxos(disk, query)),
    selectUtxos: (query) => after(() => selectUtxos(disk, query)),
    hasUtxos: (references) => after(() => presentUtxos(disk, references)),
    ...feedOf(disk, read),
    listPending: () =>
      after(() =>
        [...disk.pending.values()]
          .sort((a, b) => Number(a.firstSeen - b.firstSeen) || (a.txId < b.txId ? -1 : 1))
          .map((row) => ({ ...row, raw: copyOfBytes(row.raw) })),
      ),
    dropReason: (txId) =>
      after(() => {
        const reason = disk.dropped.get(txId);
        return reason && { ...reason };
      }),
  };
};

/** State that the writes of a store share; they run one after the other. */
class Writer {
  /** The known head; the disk may be ahead of it after a commit without a response. */
  head: ProjectionHead | undefined;
  readonly exclusively = exclusively();

  constructor(
    readonly disk: MemoryDisk,
    private readonly times: StoreTimes,
  ) {
    this.head = disk.head;
  }

  /** Takes effect in one event-loop tick, and is acknowledged later. */
  async change(what: string, carryOut: () => void): Promise<void> {
    await this.times.write();
    carryOut();
    this.times.written?.(what);
    await this.times.acknowledge();
  }
}

const writesOf = (writer: Writer, { disk, group, groups }: MemoryStoreOptions) => {
  const commitBlocks: GroupStore['commitBlocks'] = (commits) =>
    writer.exclusively(async () => {
      if (commits.length === 0) return;
      checkNew(disk, commits);
      const moves = commits.flatMap(({ projection }) => (projection ? [projection] : []));
      const place = { group, groups, head: writer.head };
      const move = await planMoves(disk, new StateSource(disk, commits), place, moves);
      await writer.change(commits.map(({ header }) => header.hash).join(' '), () => {
        writeBlocks(disk, commits, groups);
        if (move) carryOutMove(disk, move);
      });
      writer.head = move?.head ?? writer.head;
    });
  const addBody: GroupStore['addBody'] = (hash, raw) =>
    writer.exclusively(async () => {
      if (!disk.headers.has(hash)) throw new Error(`no header for the body of ${hash}`);
      const body = copyOfBytes(raw);
      await writer.change(`body ${hash}`, () => {
        if (!disk.bodies.has(hash)) disk.bodies.set(hash, body);
      });
    });
  return { commitBlock: (commit: BlockCommit) => commitBlocks([commit]), commitBlocks, addBody };
};

const projectionOf = (writer: Writer, { disk, group, groups }: MemoryStoreOptions) => {
  const moveProjection: GroupStore['moveProjection'] = (move) =>
    writer.exclusively(async () => {
      const place = { group, groups, head: writer.head };
      const planned = await planMoves(disk, new StateSource(disk, []), place, [move]);
      if (!planned) return;
      await writer.change('projection', () => carryOutMove(disk, planned));
      writer.head = planned.head;
    });
  const rebuildProjection: GroupStore['rebuildProjection'] = (block) =>
    writer.exclusively(async () => {
      const source = new StateSource(disk, []);
      const created = new Map((await outputsOfState(source, block)).map((utxo) => [utxo.reference.key, utxo]));
      const head = { hash: block, timestamp: source.of(block).header.timestamp };
      await writer.change('projection', () => {
        carryOutMove(disk, { head, spent: new Set(disk.utxos.keys()), created });
      });
      writer.head = head;
    });
  const checked: GroupStore['checkProjection'] = () =>
    writer.exclusively(() => checkProjection(disk, new StateSource(disk, [])));
  return { projectionHead: () => writer.head?.hash, moveProjection, rebuildProjection, checkProjection: checked };
};

/**
 * The store of a group-node over a disk in memory: the same contract as over a database. A write takes effect in one
 * event-loop tick, after `times.write`, and is acknowledged after `times.acknowledge`.
 */
export const openMemoryStore = (options: MemoryStoreOptions): GroupStore => {
  const { disk, group, times = immediate } = options;
  const writer = new Writer(disk, times);
  return {
    group,
    ...readsOf(disk, options.groups, times),
    ...writesOf(writer, options),
    ...projectionOf(writer, options),
    writeOrders: (orders) => writer.exclusively(() => writer.change('orders', () => writeOrders(disk, orders))),
    changePool: (changes) => writer.change('pool', () => changePool(disk, changes)),
    forgetDropReasons: (before) =>
      writer.change('reasons', () => {
        for (const { txId, droppedAt } of disk.dropped.values()) if (droppedAt < before) disk.dropped.delete(txId);
      }),
    reread: () =>
      writer.exclusively(async () => {
        await times.read();
        writer.head = disk.head;
      }),
  };
};

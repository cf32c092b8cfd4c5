import {
  type BlockCommit,
  type HeightOrder,
  type PoolChanges,
  type StateCommit,
  type StoredEvent,
} from '@shardnode/group-node';
import { encode } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { valsCodec } from '@shardnode/protocol/script';
import { copyOfBytes, type MemoryDisk, type StoredHeader } from './memory-disk.js';

/** Throws where a table of the database would refuse a row. */
export const checkNew = (disk: MemoryDisk, commits: readonly BlockCommit[]): void => {
  const hashes = new Set<Hash>();
  for (const { header } of commits) {
    if (disk.headers.has(header.hash) || hashes.has(header.hash)) throw new Error(`block ${header.hash} is stored`);
    hashes.add(header.hash);
  }
};

export const writeOrders = (disk: MemoryDisk, orders: readonly HeightOrder[]): void => {
  for (const { hashes } of orders) {
    for (const [rank, hash] of hashes.entries()) {
      const header = disk.headers.get(hash);
      if (header) header.rank = rank;
    }
  }
};

/** Removals first, then additions. */
export const changePool = (disk: MemoryDisk, { removed = [], dropped = [], added = [] }: PoolChanges): void => {
  for (const txId of removed) disk.pending.delete(txId);
  for (const reason of dropped) {
    disk.pending.delete(reason.txId);
    disk.dropped.set(reason.txId, { ...reason });
  }
  for (const transaction of added) {
    if (disk.pending.has(transaction.txId)) continue;
    const { chain, raw } = transaction;
    disk.pending.set(transaction.txId, { ...transaction, chain: { ...chain }, raw: copyOfBytes(raw) });
  }
};

const append = <Item>(lists: Map<Hash, Item[]>, key: Hash, item: Item): void => {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
};

const writeEvents = (disk: MemoryDisk, blockHash: Hash, { events = [] }: StateCommit): void => {
  if (events.length === 0) return;
  const stored = events.map(({ contractId, transactionId, eventIndex, fields }): StoredEvent => ({
    blockHash,
    txId: transactionId,
    contractId,
    eventIndex,
    fields: encode(valsCodec, fields),
  }));
  disk.eventsOfBlock.set(blockHash, stored);
  for (const contractId of new Set(stored.map((event) => event.contractId))) {
    append(disk.eventPages, contractId, blockHash);
  }
  for (const txId of new Set(stored.map((event) => event.txId))) append(disk.eventBlocks, txId, blockHash);
};

const writeState = (disk: MemoryDisk, blockHash: Hash, state: StateCommit): void => {
  const { outputRoot, contractRoot, stateHash, removed, added, replacedNodes } = state;
  // The other fields have maps of their own.
  const kept = { outputRoot, contractRoot, stateHash, removed, added, replacedNodes, addedNodes: new Map() };
  disk.states.set(blockHash, kept);
  for (const [hash, node] of state.addedNodes) disk.nodes.set(hash, copyOfBytes(node));
  for (const [hash, entry] of state.immutable ?? []) {
    if (!disk.immutables.has(hash)) disk.immutables.set(hash, copyOfBytes(entry));
  }
  writeEvents(disk, blockHash, state);
};

const writeBlock = (disk: MemoryDisk, commit: BlockCommit, groups: number): void => {
  const { header, height, weight, tips, body, transactionIds = [], worldState } = commit;
  const { hash, chainIndex } = header;
  const stored: StoredHeader = { seq: disk.accepted.length + 1, header, height, weight, rank: 0 };
  disk.headers.set(hash, stored);
  disk.accepted.push(stored);
  disk.tips.set(chainIndex.from * groups + chainIndex.to, { chain: { ...chainIndex }, hashes: [...tips] });
  if (body) disk.bodies.set(hash, copyOfBytes(body));
  for (const [txIndex, txId] of transactionIds.entries()) append(disk.locations, txId, { blockHash: hash, txIndex });
  if (worldState) writeState(disk, hash, worldState);
};

/** Writes everything but the projection. All possible refusals were checked before. */
export const writeBlocks = (disk: MemoryDisk, commits: readonly BlockCommit[], groups: number): void => {
  for (const commit of commits) writeBlock(disk, commit, groups);
  // In a batch the last list of a height wins.
  writeOrders(
    disk,
    commits.flatMap(({ orders }) => orders),
  );
  for (const { pool } of commits) if (pool) changePool(disk, pool);
  for (const { changed = [] } of commits) for (const change of changed) disk.changed.set(change.to, { ...change });
};

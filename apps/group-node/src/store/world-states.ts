import { byteaArray, type SchemaStatements, hashArray, int8Array } from '@shardnode/core/database';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash } from '@shardnode/protocol/primitives';
import { type CommitPart, inSlices } from './commit-part.js';
import { type NumberedCommit } from './headers.js';
import { type StateCommit, type StoredState } from './model.js';
import { decodeDelta, encodeDelta, type StateDelta } from './state-delta.js';
import { stateNotAvailable } from './state-not-available.js';

interface NumberedState {
  readonly seq: bigint;
  readonly state: StateCommit;
}

const nodeParts = ({ seq, state }: NumberedState): CommitPart[] => {
  // In order of hash: neighbours in the index are written together.
  const nodes = [...state.addedNodes].sort(([a], [b]) => (a < b ? -1 : 1));
  return inSlices(nodes).map((rows) => ({
    writes: 'write_nodes',
    values: [hashArray(rows.map(([hash]) => hash)), byteaArray(rows.map(([, data]) => data)), seq],
    rows: rows.length,
  }));
};

/** World states of own intra-group blocks with their new trie nodes. */
export const stateParts = (commits: readonly NumberedCommit[]): CommitPart[] => {
  const states = commits.flatMap(({ seq, commit }) => (commit.worldState ? [{ seq, state: commit.worldState }] : []));
  const rows = inSlices(states).map((slice): CommitPart => ({
    writes: 'write_states',
    values: [
      int8Array(slice.map(({ seq }) => seq)),
      hashArray(slice.map(({ state }) => state.outputRoot)),
      hashArray(slice.map(({ state }) => state.contractRoot)),
      hashArray(slice.map(({ state }) => state.stateHash)),
      byteaArray(slice.map(({ state }) => encodeDelta(state))),
      byteaArray(slice.map(({ state }) => hexToBytes(state.replacedNodes.join('')))),
    ],
    rows: slice.length,
  }));
  return [...rows, ...states.flatMap(nodeParts)];
};

/** Roots by block in one round trip; blocks without a state are left out. */
export const loadStates = async (
  database: SchemaStatements,
  blockHashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, StoredState>> => {
  if (blockHashes.length === 0) return new Map();
  const { schema } = database;
  const rows = await database.query<{ hash: Buffer; output_root: Buffer; contract_root: Buffer; state_hash: Buffer }>(
    'states',
    `SELECT h.hash, s.output_root, s.contract_root, s.state_hash
     FROM ${schema}.block_header h JOIN ${schema}.world_state s ON s.block_seq = h.seq WHERE h.hash = ANY ($1::bytea[])`,
    [hashArray(blockHashes)],
  );
  return new Map(
    rows.map((row) => [
      bytesToHex(row.hash),
      {
        outputRoot: bytesToHex(row.output_root),
        contractRoot: bytesToHex(row.contract_root),
        stateHash: bytesToHex(row.state_hash),
      },
    ]),
  );
};

export interface LoadedDelta {
  readonly delta: StateDelta;
  /** Raw header of the block. */
  readonly header: Uint8Array;
}

/** A pruned state has an empty value in place of its changes; even a state without changes has a longer one. */
const deltaOf = (blockHash: Hash, bytes: Buffer): StateDelta => {
  if (bytes.length === 0) throw stateNotAvailable(blockHash);
  return decodeDelta(bytes);
};

/**
 * The changes of the state of each block; blocks without a state are left out. `StateNotAvailable` for a pruned one.
 */
export const loadDeltas = async (
  database: SchemaStatements,
  blockHashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, LoadedDelta>> => {
  if (blockHashes.length === 0) return new Map();
  const { schema } = database;
  const rows = await database.query<{ hash: Buffer; raw: Buffer; delta: Buffer }>(
    'deltas',
    `SELECT h.hash, h.raw, s.delta FROM ${schema}.block_header h JOIN ${schema}.world_state s ON s.block_seq = h.seq
     WHERE h.hash = ANY ($1::bytea[])`,
    [hashArray(blockHashes)],
  );
  return new Map(
    rows.map(({ hash: bytes, raw, delta }) => {
      const hash = bytesToHex(bytes);
      return [hash, { header: new Uint8Array(raw), delta: deltaOf(hash, delta) }];
    }),
  );
};

/** Limit of hashes per statement, because a statement holds the event loop. */
const nodesAtOnce = 500;

/** Bytes of trie nodes; absent ones are left out (protocol 04 §9.2). */
export const loadNodes = async (
  database: SchemaStatements,
  hashes: readonly Hash[],
): Promise<ReadonlyMap<Hash, Uint8Array>> => {
  const found = new Map<Hash, Uint8Array>();
  for (const slice of inSlices(hashes, nodesAtOnce)) {
    const rows = await database.query<{ hash: Buffer; data: Buffer }>(
      'nodes',
      `SELECT hash, data FROM ${database.schema}.read_nodes($1)`,
      [hashArray(slice)],
    );
    for (const { hash, data } of rows) found.set(bytesToHex(hash), new Uint8Array(data));
  }
  return found;
};

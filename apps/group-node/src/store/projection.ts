import { type SchemaStatements } from '@shardnode/core/database';
import { decodeHeader, type SealedHeader } from '@shardnode/protocol/block';
import { type Hash, isAssetReference, type OutputReference } from '@shardnode/protocol/primitives';
import { loadAssetOutputs, type TrieNodeStore } from '@shardnode/protocol/state';
import { type CommitPart } from './commit-part.js';
import { loadRowsOf } from './headers.js';
import { type BlockCommit, type ProjectionMove, type Utxo } from './model.js';
import { type StateDelta } from './state-delta.js';
import { type ProjectionHead } from './utxo-queries.js';
import { headPart, utxoParts } from './utxo-rows.js';
import { loadDeltas, loadNodes, loadStates } from './world-states.js';

interface BlockState {
  readonly header: SealedHeader;
  readonly delta: StateDelta;
}

/** Reads of stored states, with those of a batch that is not stored yet in front. */
export interface StateSource extends TrieNodeStore {
  /** Rejects with `StateNotAvailable` when the state was pruned. */
  blockState(hash: Hash): Promise<BlockState>;
  /** Of a pruned state, too. */
  header(hash: Hash): Promise<SealedHeader>;
  outputRoot(hash: Hash): Promise<Hash>;
}

const missing = (hash: Hash): Error => new Error(`no world state of block ${hash}`);

export const stateSource = (database: SchemaStatements, groups: number, batch: readonly BlockCommit[]): StateSource => {
  const own = new Map(batch.filter(({ worldState }) => worldState).map((commit) => [commit.header.hash, commit]));
  const ownNode = (hash: Hash): Uint8Array | undefined => {
    for (const { worldState } of own.values()) {
      const node = worldState!.addedNodes.get(hash);
      if (node) return node;
    }
    return undefined;
  };
  const decoded = (raw: Uint8Array): SealedHeader => decodeHeader(raw, groups, { genesis: 'accepted' });
  return {
    blockState: async (hash) => {
      const commit = own.get(hash);
      if (commit) return { header: commit.header, delta: commit.worldState! };
      const stored = (await loadDeltas(database, [hash])).get(hash);
      if (!stored) throw missing(hash);
      return { header: decoded(stored.header), delta: stored.delta };
    },
    header: async (hash) => {
      const commit = own.get(hash);
      if (commit) return commit.header;
      const stored = (await loadRowsOf(database, [hash]))[0];
      if (!stored) throw missing(hash);
      return decoded(stored.raw);
    },
    outputRoot: async (hash) => {
      const commit = own.get(hash);
      if (commit) return commit.worldState!.outputRoot;
      const stored = (await loadStates(database, [hash])).get(hash);
      if (!stored) throw missing(hash);
      return stored.outputRoot;
    },
    loadNodes: async (hashes) => {
      const inBatch = hashes.flatMap((hash): [Hash, Uint8Array][] => {
        const node = ownNode(hash);
        return node ? [[hash, node]] : [];
      });
      const found = new Map(inBatch);
      const rest = hashes.filter((hash) => !found.has(hash));
      if (rest.length > 0) for (const [hash, node] of await loadNodes(database, rest)) found.set(hash, node);
      return found;
    },
  };
};

/** Adds up steps of the projection: what is spent in the end, and what is created. Keys name outputs. */
class NetChanges {
  private readonly spent = new Set<Hash>();
  private readonly created = new Map<Hash, Utxo>();

  step(removed: readonly OutputReference[], added: readonly Utxo[]): void {
    for (const { key } of removed) if (!this.created.delete(key)) this.spent.add(key);
    for (const utxo of added) this.created.set(utxo.reference.key, utxo);
  }

  parts(headTimestamp: bigint): CommitPart[] {
    return utxoParts({ spent: [...this.spent], created: [...this.created.values()] }, headTimestamp);
  }
}

const isAsset = (entry: StateDelta['added'][number]): entry is Utxo => entry.output.kind === 'asset';

export interface ProjectionPlan {
  readonly parts: readonly CommitPart[];
  readonly head: ProjectionHead;
}

/** Works out the rows that some moves change, one after the other. Throws when a move does not start at the head. */
export const planProjection = async (
  source: StateSource,
  group: number,
  groups: number,
  head: ProjectionHead | undefined,
  moves: readonly ProjectionMove[],
): Promise<ProjectionPlan | undefined> => {
  const changes = new NetChanges();
  let reached = head;
  let moved = false;
  for (const move of moves) {
    for (const hash of move.undo) {
      if (hash !== reached?.hash)
        throw new Error(`the projection is at ${reached?.hash ?? 'no block'}, not at ${hash}`);
      const { header, delta } = await source.blockState(hash);
      const parent = header.blockDeps[groups - 1 + group]!;
      // As they are in the trie of the parent (pruning keeps what fork depth allows).
      const root = await source.outputRoot(parent);
      const spent = await loadAssetOutputs(source, root, delta.removed.filter(isAssetReference));
      changes.step(
        delta.added.filter(isAsset).map(({ reference }) => reference),
        spent,
      );
      reached = { hash: parent, timestamp: (await source.header(parent)).timestamp };
      moved = true;
    }
    for (const hash of move.apply) {
      const { header, delta } = await source.blockState(hash);
      const parent = header.blockDeps[groups - 1 + group];
      if (reached && parent !== reached.hash) throw new Error(`block ${hash} does not follow ${reached.hash}`);
      changes.step(delta.removed.filter(isAssetReference), delta.added.filter(isAsset));
      reached = { hash, timestamp: header.timestamp };
      moved = true;
    }
  }
  if (!moved || !reached) return undefined;
  return { head: reached, parts: [...changes.parts(reached.timestamp), headPart(reached.hash, reached.timestamp)] };
};

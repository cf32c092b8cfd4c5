import { type SchemaStatements } from '@shardnode/core/database';
import { decodeHeader, type SealedHeader } from '@shardnode/protocol/block';
import { type Hash, isAssetReference, type OutputReference } from '@shardnode/protocol/primitives';
import { loadAssetOutputs, type TrieNodeStore } from '@shardnode/protocol/state';
import { type CommitPart, inSlices } from './commit-part.js';
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

/** Reads of stored states, preceded by those of a batch that is not stored yet. */
export interface StateSource extends TrieNodeStore {
  /**
   * The states of the blocks, in few round trips. Rejects with `StateNotAvailable` when one of the states is pruned.
   */
  blockStates(hashes: readonly Hash[]): Promise<readonly BlockState[]>;
  /** Of a pruned state, too. */
  header(hash: Hash): Promise<SealedHeader>;
  outputRoot(hash: Hash): Promise<Hash>;
}

const missing = (hash: Hash): Error => new Error(`no world state of block ${hash}`);

/** Limit of states whose changes are read at once: some megabytes when the blocks are full. */
const statesAtOnce = 32;

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
    blockStates: async (hashes) => {
      const stored = await loadDeltas(
        database,
        hashes.filter((hash) => !own.has(hash)),
      );
      return hashes.map((hash) => {
        const commit = own.get(hash);
        if (commit) return { header: commit.header, delta: commit.worldState! };
        const found = stored.get(hash);
        if (!found) throw missing(hash);
        return { header: decoded(found.header), delta: found.delta };
      });
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

const isAsset = (entry: StateDelta['added'][number]): entry is Utxo => entry.output.kind === 'asset';

const keysOf = (references: readonly OutputReference[]): Hash[] => references.map(({ key }) => key);

/** Adds up steps of the projection to net spent and created outputs. Keys name outputs. */
class NetChanges {
  private readonly spent = new Set<Hash>();
  private readonly created = new Map<Hash, Utxo>();

  step(removed: readonly Hash[], added: readonly Utxo[]): void {
    for (const key of removed) if (!this.created.delete(key)) this.spent.add(key);
    for (const utxo of added) this.created.set(utxo.reference.key, utxo);
  }

  parts(headTimestamp: bigint): CommitPart[] {
    return utxoParts({ spent: [...this.spent], created: [...this.created.values()] }, headTimestamp);
  }
}

/** The blocks one after the other, with the changes of their states. */
async function* statesOf(source: StateSource, hashes: readonly Hash[]): AsyncGenerator<BlockState & { hash: Hash }> {
  for (const some of inSlices(hashes, statesAtOnce)) {
    const states = await source.blockStates(some);
    for (const [i, state] of states.entries()) yield { hash: some[i]!, ...state };
  }
}

/**
 * The changes that undo some neighbouring blocks, from the newest one on, in one step. An output that its newest event
 * created is in the projection; one that its oldest event spent was in the state before all of them.
 */
class LeftBehind {
  private readonly there = new Map<Hash, boolean>();
  private readonly before = new Map<Hash, OutputReference | undefined>();

  add({ added, removed }: StateDelta): void {
    for (const { reference } of added.filter(isAsset)) {
      if (!this.there.has(reference.key)) this.there.set(reference.key, true);
      this.before.set(reference.key, undefined);
    }
    for (const reference of removed.filter(isAssetReference)) {
      if (!this.there.has(reference.key)) this.there.set(reference.key, false);
      this.before.set(reference.key, reference);
    }
  }

  /** Keys in the projection to remove. */
  gone(): Hash[] {
    return [...this.there].filter(([, isThere]) => isThere).map(([key]) => key);
  }

  /** Outputs to restore. */
  back(): OutputReference[] {
    return [...this.before.values()].filter((reference) => reference !== undefined);
  }
}

export interface ProjectionPlan {
  readonly parts: readonly CommitPart[];
  readonly head: ProjectionHead;
}

/** Computes the rows that some moves change, one after the other. Throws when a move does not start at the head. */
export const planProjection = async (
  source: StateSource,
  group: number,
  groups: number,
  head: ProjectionHead | undefined,
  moves: readonly ProjectionMove[],
): Promise<ProjectionPlan | undefined> => {
  const changes = new NetChanges();
  const parentOf = (header: SealedHeader): Hash | undefined => header.blockDeps[groups - 1 + group];
  let reached = head;
  for (const { undo, apply } of moves) {
    const left = new LeftBehind();
    let at = reached?.hash;
    for await (const { hash, header, delta } of statesOf(source, undo)) {
      if (hash !== at) throw new Error(`the projection is at ${at ?? 'no block'}, not at ${hash}`);
      left.add(delta);
      at = parentOf(header)!;
    }
    if (at !== undefined && undo.length > 0) {
      // As in the trie of the last one's parent (pruning retains the states within the fork depth).
      changes.step(left.gone(), await loadAssetOutputs(source, await source.outputRoot(at), left.back()));
      reached = { hash: at, timestamp: (await source.header(at)).timestamp };
    }
    for await (const { hash, header, delta } of statesOf(source, apply)) {
      if (reached && parentOf(header) !== reached.hash)
        throw new Error(`block ${hash} does not follow ${reached.hash}`);
      changes.step(keysOf(delta.removed.filter(isAssetReference)), delta.added.filter(isAsset));
      reached = { hash, timestamp: header.timestamp };
    }
  }
  if (!reached || moves.every(({ undo, apply }) => undo.length + apply.length === 0)) return undefined;
  return { head: reached, parts: [...changes.parts(reached.timestamp), headPart(reached.hash, reached.timestamp)] };
};

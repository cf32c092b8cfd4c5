import { type BlockCommit, type ProjectionMove, type StateCommit, type Utxo } from '@shardnode/group-node';
import { type SealedHeader } from '@shardnode/protocol/block';
import { type Hash, isAssetReference, type OutputReference } from '@shardnode/protocol/primitives';
import { loadAssetOutputs } from '@shardnode/protocol/state';
import { copyOfUtxo, type MemoryDisk, type ProjectionHead } from './memory-disk.js';

/** Net change of some moves. */
export interface PlannedMove {
  readonly head: ProjectionHead;
  /** Keys, all of them present. */
  readonly spent: ReadonlySet<Hash>;
  readonly created: ReadonlyMap<Hash, Utxo>;
}

interface BlockState {
  readonly header: SealedHeader;
  readonly state: StateCommit;
}

/** States of the disk and of a batch that is not stored yet. */
export class StateSource {
  private readonly batch: ReadonlyMap<Hash, BlockState>;

  constructor(
    private readonly disk: MemoryDisk,
    commits: readonly BlockCommit[],
  ) {
    this.batch = new Map(
      commits.flatMap(({ header, worldState }) =>
        worldState ? [[header.hash, { header, state: worldState }] as const] : [],
      ),
    );
  }

  of(hash: Hash): BlockState {
    const inBatch = this.batch.get(hash);
    if (inBatch) return inBatch;
    const state = this.disk.states.get(hash);
    const stored = this.disk.headers.get(hash);
    if (!state || !stored) throw new Error(`no world state of block ${hash}`);
    return { header: stored.header, state };
  }

  /** As a store of nodes, for walks through the trie. */
  async loadNodes(hashes: readonly Hash[]): Promise<ReadonlyMap<Hash, Uint8Array>> {
    const found = new Map<Hash, Uint8Array>();
    for (const hash of hashes) {
      const node = this.nodeOfBatch(hash) ?? this.disk.nodes.get(hash);
      if (node) found.set(hash, node);
    }
    return found;
  }

  private nodeOfBatch(hash: Hash): Uint8Array | undefined {
    for (const { state } of this.batch.values()) {
      const node = state.addedNodes.get(hash);
      if (node) return node;
    }
    return undefined;
  }
}

const isAsset = (entry: StateCommit['added'][number]): entry is Utxo => entry.output.kind === 'asset';

/** Steps of the projection, one after the other, and their sum. */
class Walk {
  readonly spent = new Set<Hash>();
  readonly created = new Map<Hash, Utxo>();
  isMoved = false;

  constructor(
    private readonly source: StateSource,
    private readonly group: number,
    private readonly groups: number,
    public at: ProjectionHead | undefined,
  ) {}

  async undo(hash: Hash): Promise<void> {
    if (hash !== this.at?.hash) throw new Error(`the projection is at ${this.at?.hash ?? 'no block'}, not at ${hash}`);
    const { header, state } = this.source.of(hash);
    const parent = this.parentOf(header)!;
    const root = this.source.of(parent).state.outputRoot;
    const spent = await loadAssetOutputs(this.source, root, state.removed.filter(isAssetReference));
    this.step(
      state.added.filter(isAsset).map(({ reference }) => reference),
      spent,
    );
    this.at = { hash: parent, timestamp: this.source.of(parent).header.timestamp };
  }

  apply(hash: Hash): void {
    const { header, state } = this.source.of(hash);
    if (this.at && this.parentOf(header) !== this.at.hash) {
      throw new Error(`block ${hash} does not follow ${this.at.hash}`);
    }
    this.step(state.removed.filter(isAssetReference), state.added.filter(isAsset));
    this.at = { hash, timestamp: header.timestamp };
  }

  private parentOf(header: SealedHeader): Hash | undefined {
    return header.blockDeps[this.groups - 1 + this.group];
  }

  private step(removed: readonly OutputReference[], added: readonly Utxo[]): void {
    this.isMoved = true;
    for (const { key } of removed) if (!this.created.delete(key)) this.spent.add(key);
    for (const utxo of added) this.created.set(utxo.reference.key, copyOfUtxo(utxo));
  }
}

/** Computes the net change of some moves. Throws when a move does not start at the head, or spends an absent output. */
export const planMoves = async (
  disk: MemoryDisk,
  source: StateSource,
  place: { readonly group: number; readonly groups: number; readonly head: ProjectionHead | undefined },
  moves: readonly ProjectionMove[],
): Promise<PlannedMove | undefined> => {
  const walk = new Walk(source, place.group, place.groups, place.head);
  for (const move of moves) {
    for (const hash of move.undo) await walk.undo(hash);
    for (const hash of move.apply) walk.apply(hash);
  }
  const { spent, created, at, isMoved } = walk;
  if (!isMoved || !at) return undefined;
  const missing = [...spent].filter((key) => !disk.utxos.has(key)).length;
  if (missing > 0) throw new Error(`the projection lacks ${missing} of ${spent.size} spent outputs`);
  for (const key of created.keys()) {
    if (disk.utxos.has(key) && !spent.has(key)) throw new Error(`the projection has the output ${key} already`);
  }
  return { head: at, spent, created };
};

export const carryOutMove = (disk: MemoryDisk, { head, spent, created }: PlannedMove): void => {
  for (const key of spent) disk.removeUtxo(key);
  for (const utxo of created.values()) disk.putUtxo(utxo);
  disk.head = head;
};

import { type SealedHeader } from '@shardnode/protocol/block';
import { type AddOutcome, BlockDag, BlocksMissing, type DagLimits, type StoredHeader } from '@shardnode/protocol/dag';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { allChainIndexes, type ChainIndex, flatIndex, type Hash } from '@shardnode/protocol/primitives';
import { genesisHeaders } from './header-histories.js';

/** Heights that one load brings. */
const pageHeights = 8;

/** A DAG whose settled blocks are rows, as in a group-node over its store. */
export class WindowedDag {
  dag: BlockDag;
  /** Batches that were loaded. */
  loads = 0;
  private readonly rows = new Map<Hash, StoredHeader>();
  private readonly hashesOf = new Map<string, readonly Hash[]>();
  private readonly tips = new Map<number, readonly Hash[]>();

  constructor(
    private readonly settings: NetworkSettings,
    private readonly limits: DagLimits,
    private readonly genesis = genesisHeaders(settings),
  ) {
    this.dag = new BlockDag(settings, genesis, limits);
  }

  /** Runs, loads in one batch what is missing, and runs again. */
  read<T>(run: (dag: BlockDag) => T): T {
    const release = this.dag.hold();
    try {
      for (;;) {
        try {
          return run(this.dag);
        } catch (error) {
          if (!(error instanceof BlocksMissing)) throw error;
          this.loads++;
          this.dag.load(this.pagesOf(error), error);
        }
      }
    } finally {
      release();
    }
  }

  add(header: SealedHeader): AddOutcome {
    const release = this.dag.hold();
    const outcome = this.read((dag) => dag.plan(header));
    this.dag.add(header);
    const { chain, height, weight, lists } = outcome;
    this.rows.set(header.hash, { header, height, weight, heightRank: 0 });
    for (const list of lists) {
      this.hashesOf.set(this.key(chain, list.height), list.hashes);
      list.hashes.forEach((hash, heightRank) => this.rows.set(hash, { ...this.rows.get(hash)!, heightRank }));
    }
    this.tips.set(flatIndex(chain, this.settings.groups), this.dag.tips(chain));
    release();
    return outcome;
  }

  /** A new DAG from the rows, as at a start. */
  restart(): void {
    const { window = Number.POSITIVE_INFINITY } = this.limits;
    const wanted = new Set<Hash>();
    for (const chain of allChainIndexes(this.settings.groups)) {
      const heights = [...this.rows.values()]
        .filter(({ header: { chainIndex } }) => chainIndex.from === chain.from && chainIndex.to === chain.to)
        .map(({ height }) => height);
      const top = Math.max(0, ...heights);
      const tips = this.tips.get(flatIndex(chain, this.settings.groups)) ?? [];
      const pinned = new Set(tips.flatMap((hash) => this.rows.get(hash)?.height ?? []));
      for (const height of heights) {
        if (height <= top - window && !pinned.has(height)) continue;
        for (const hash of this.hashesOf.get(this.key(chain, height))!) wanted.add(hash);
      }
    }
    this.dag = new BlockDag(this.settings, this.genesis, this.limits);
    this.dag.restore(
      [...wanted].map((hash) => this.rows.get(hash)!),
      [...this.tips.values()].flat(),
    );
  }

  private key({ from, to }: ChainIndex, height: number): string {
    return `${from}:${to}:${height}`;
  }

  private pagesOf({ hashes, heights }: BlocksMissing): StoredHeader[] {
    const places = [...heights];
    for (const hash of hashes) {
      const row = this.rows.get(hash);
      if (row) places.push({ chain: row.header.chainIndex, height: row.height });
    }
    const found = new Set<Hash>();
    for (const { chain, height } of places) {
      const first = height - (height % pageHeights);
      for (let at = first; at < first + pageHeights; at++)
        for (const hash of this.hashesOf.get(this.key(chain, at)) ?? []) found.add(hash);
    }
    return [...found].map((hash) => this.rows.get(hash)!);
  }
}

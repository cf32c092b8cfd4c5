import { type Logger } from '@shardnode/core/observability';
import { type Hash } from '@shardnode/protocol/primitives';
import { type GroupState } from '../view/group-state.js';
import { type Importer } from '../import/index.js';
import { type WorkQueue } from '../writer/work-queue.js';
import { type GroupStore, type HeaderRow, type HeightOrder } from '../store/index.js';

export interface IndexCheckParts {
  readonly state: GroupState;
  readonly store: GroupStore;
  readonly queue: WorkQueue;
  readonly importer: Importer;
  readonly logger: Logger;
  /** Heights of each chain that are in memory; absent: all. */
  readonly recentHeights?: number | undefined;
}

/** Result of a check: headers read, and heights whose stored order was wrong and is corrected. */
export interface IndexCheckResult {
  readonly headers: number;
  readonly repaired: number;
}

/**
 * Compares the stored order of the blocks of each height in memory with the order there, which follows from the headers,
 * and corrects it where it differs (protocol 07 §14): no rule changes the order of deeper, settled heights any more, and
 * `check-state` compares them. Runs in the background, page by page; one check at a time.
 */
export class IndexCheck {
  private running: Promise<void> | undefined;

  constructor(private readonly parts: IndexCheckParts) {}

  /** False when a check is already running. */
  start(): boolean {
    if (this.running) return false;
    const { logger } = this.parts;
    this.running = this.run()
      .then(
        (result) => logger.info(result, 'the height index was checked'),
        (error: unknown) => logger.warn({ err: error }, 'the check of the height index failed'),
      )
      .finally(() => {
        this.running = undefined;
      });
    return true;
  }

  async run(): Promise<IndexCheckResult> {
    let headers = 0;
    let repaired = 0;
    for await (const rows of this.parts.store.newestHeights(this.parts.recentHeights ?? Number.POSITIVE_INFINITY)) {
      headers += rows.length;
      const suspicious = rows.filter((row) => !this.isRight(row)).map(({ hash }) => hash);
      if (suspicious.length > 0) repaired += await this.repair(suspicious);
    }
    return { headers, repaired };
  }

  private isRight({ hash, height, rank }: HeaderRow): boolean {
    const { dag } = this.parts.state.memory;
    // A block that left memory meanwhile is settled.
    if (!dag.holds(hash)) return dag.mayBeSettled(hash);
    return dag.nodesAt(dag.node(hash).chainIndex, height)[rank]?.hash === hash;
  }

  /** Runs as a task of the writer, while memory and store agree: an order that still differs is wrong. */
  private repair(hashes: readonly Hash[]): Promise<number> {
    const { state, store, queue, importer } = this.parts;
    return queue.run('check', async () => {
      await importer.flush();
      const { dag } = state.memory;
      const orders = new Map<string, HeightOrder>();
      for (const row of await store.chainRows(hashes)) {
        if (this.isRight(row) || !dag.holds(row.hash)) continue;
        const { chainIndex, height } = dag.node(row.hash);
        const nodes = dag.nodesAt(chainIndex, height);
        orders.set(nodes[0]!.hash, { height, hashes: nodes.map(({ hash }) => hash) });
      }
      if (orders.size > 0) await store.writeOrders([...orders.values()]);
      return orders.size;
    });
  }
}

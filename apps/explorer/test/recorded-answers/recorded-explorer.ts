import { systemClock } from '@shardnode/core/lifecycle';
import { type Hash } from '@shardnode/protocol/primitives';
import { type History, type ReplayTarget } from '@shardnode/testing/replay';
import { ruleAuditJob, type ExplorerApiConfiguration, metadataJob, supplyJob } from '../../src/index.js';
import { auditState, type AuditState } from '../../src/rule-audit/findings.js';
import { inSnapshot } from '../../src/database/snapshot.js';
import { type Explorer, openExplorer } from '../support/open-explorer.js';
import { runJob } from '../support/run-job.js';
import { type Entry } from './entries.js';
import { FollowedNode } from './followed-node.js';
import { contractsOf, groupClientOf } from './node-contracts.js';
import { pendingTemplates, poolOf } from './pending.js';

/** Members of a recorded transaction. */
interface RecordedTransaction {
  readonly hash?: string;
  readonly lastSeen?: number;
}

/** When the recorded explorer saw the pending transactions, by their ids; the order of lists follows from it. */
const firstSights = (entries: readonly Entry[]): ReadonlyMap<Hash, number> => {
  const bodies = entries.flatMap(
    ({ current: { body } }) => body as RecordedTransaction | readonly RecordedTransaction[],
  );
  return new Map(
    bodies.flatMap((recorded) =>
      recorded?.hash !== undefined && recorded.lastSeen !== undefined ? [[recorded.hash, recorded.lastSeen]] : [],
    ),
  );
};

/** An explorer of a history, at the stages of its recorded answers. */
export class RecordedExplorer {
  private readonly followed: FollowedNode;
  private readonly seen: ReadonlyMap<Hash, number>;
  private pending: readonly Hash[] = [];

  private constructor(
    readonly explorer: Explorer,
    private readonly history: History,
    private readonly node: ReplayTarget,
    entries: readonly Entry[],
  ) {
    this.followed = new FollowedNode(history, node, explorer.index);
    this.seen = firstSights(entries);
  }

  /** @param limits of the API, in place of the defaults */
  static async open(
    history: History,
    node: ReplayTarget,
    entries: readonly Entry[],
    limits: Partial<ExplorerApiConfiguration> = {},
  ): Promise<RecordedExplorer> {
    const { groups } = history.settings;
    const explorer = await openExplorer(groups, undefined, limits, groupClientOf(node, groups));
    return new RecordedExplorer(explorer, history, node, entries);
  }

  get url(): string {
    return `http://127.0.0.1:${this.explorer.api.port}`;
  }

  /**
   * Imports the first blocks of the history and has the index follow them, with what the jobs of a writer add, and the
   * pending transactions of the stage.
   *
   * @param now milliseconds since 1970; when a transaction was seen first, unless that is recorded
   */
  async goTo(blocks: number, now: number): Promise<void> {
    const { explorer, followed, history, node, seen } = this;
    explorer.clock.setWallClock(now);
    await followed.importUpTo(blocks);
    const undone = await followed.follow();
    await this.runJobs();
    const isLast = blocks === history.blocks.length;
    const wasSeen = (id: Hash): boolean => seen.has(id);
    const moment = { history, node, undone, sideBlocks: await followed.sideBlocks(), isLast, wasSeen };
    const templates = await pendingTemplates(moment);
    const pool = poolOf(templates, history.settings.groups, (id) => seen.get(id) ?? now);
    await explorer.index.pending.change(pool, this.pending);
    this.pending = pool.map(({ txId }) => txId);
  }

  /** What the supply audit found, and how many blocks it has not judged. */
  audited(): Promise<AuditState> {
    return inSnapshot(this.explorer.database, auditState, 5_000);
  }

  close(): Promise<void> {
    return this.explorer.close();
  }

  private async runJobs(): Promise<void> {
    const { groups } = this.history.settings;
    const ports = { ...this.explorer, groups };
    const metadata = metadataJob(contractsOf(this.node, groups));
    await runJob(supplyJob([]), ports);
    while (await this.isWaiting()) await runJob(metadata, ports);
    // The recorded clock stands still, and the audit rests between its batches.
    await runJob(ruleAuditJob(this.history.settings), { ...ports, clock: systemClock });
  }

  private async isWaiting(): Promise<boolean> {
    const rows = await this.explorer.database.query<{ waits: boolean }>(
      'metadata-waits',
      `SELECT EXISTS (SELECT 1 FROM explorer.tokens WHERE metadata_state = 0 AND tx_count > 0)
         OR EXISTS (SELECT 1 FROM explorer.contracts WHERE metadata_state = 0) AS waits`,
    );
    return rows[0]!.waits;
  }
}

import { hashArray } from '@shardnode/core/database';
import { type NetworkSettings } from '@shardnode/protocol/network';
import { flatIndex, type Hash } from '@shardnode/protocol/primitives';
import { type Refusal, verdictText } from '@shardnode/protocol/validation';
import { type AuditedBlock, nextAuditedBlocks } from '../rule-audit/audited-blocks.js';
import { OwnerComparison } from '../rule-audit/blocks-without-owner.js';
import { type AuditFinding } from '../rule-audit/findings.js';
import { auditBlock, faultText } from '../rule-audit/audit-block.js';
import { report } from '../rule-audit/report.js';
import { SpentOutputs } from '../rule-audit/spent-outputs.js';
import { inSnapshot } from '../database/snapshot.js';
import { type BackgroundJob, type JobContext } from '../background/background-job.js';
import { pause } from '../background/pause.js';

/** Milliseconds for a statement. */
const patience = 60_000;
/**
 * Blocks of its chain above a block after which two branches no longer compete. Until then an input may lack its output
 * without a fault: two blocks of one group can spend the same output, and the chain of one of them is replaced.
 */
const buried = 10;
/** Of its time it works one part, and rests three: behind, it takes a quarter of a processor. */
const rests = 3;

const findingOf = ({ hash, header, height }: AuditedBlock, verdict: Refusal): AuditFinding => ({
  hash,
  chain: header.chainIndex,
  height,
  rule: verdictText(verdict),
  detail: faultText(verdict),
});

/**
 * Whether an input that spends nothing is a fault of its block: it is buried, and the index has all its dependencies and
 * with them all outputs that it may spend.
 */
const isSettled = async ({ reading }: JobContext, { header, height, head }: AuditedBlock): Promise<boolean> => {
  if (head - height < buried) return false;
  const [row] = await reading.query<{ applied: bigint }>(
    'applied-dependencies',
    `SELECT count(*) AS applied FROM ${reading.schema}.blocks WHERE hash = ANY($1::bytea[]) AND main_chain`,
    [hashArray(header.blockDeps)],
  );
  return Number(row!.applied) === header.blockDeps.length;
};

/** Results of one run. */
interface Judged {
  /** The newest judged block of each chain. */
  readonly newest: ReadonlyMap<number, Hash>;
  readonly findings: readonly AuditFinding[];
}

/** Judges the next blocks of each chain, up to one that must wait. */
const judgeNext = async (context: JobContext, settings: NetworkSettings): Promise<Judged> => {
  const { groups } = settings;
  const { blocks, spent } = await inSnapshot(
    context.reading,
    async (snapshot) => {
      const next = await nextAuditedBlocks(snapshot, groups);
      const transactions = next.flatMap((block) => block.transactions);
      return { blocks: next, spent: await SpentOutputs.load(snapshot, transactions) };
    },
    patience,
  );
  const newest = new Map<number, Hash>();
  const findings: AuditFinding[] = [];
  const waiting = new Set<number>();
  for (const block of blocks) {
    const chain = flatIndex(block.header.chainIndex, groups);
    if (waiting.has(chain)) continue;
    const verdict = await auditBlock({ ...block, spent }, settings, context.stopping);
    if (verdict?.reason?.code === 'NonExistInput' && !(await isSettled(context, block))) {
      waiting.add(chain);
      continue;
    }
    if (verdict) findings.push(findingOf(block, verdict));
    newest.set(chain, block.hash);
  }
  return { newest, findings };
};

/**
 * The supply audit: judges every applied block by the rules that need no state of contracts, because group-nodes take
 * blocks of chains (k,g) from each other on trust (protocol 03 §6.1). It follows the index, stops nothing and repairs
 * nothing; what it finds is logged and stored. That every transaction balances, and every coinbase is its reward, makes
 * the unspent outputs the genesis and the rewards without the fees.
 */
export const ruleAuditJob = (settings: NetworkSettings): BackgroundJob => ({
  name: 'audit',
  everyMs: 1_000,
  run: async (context) => {
    const { clock, stopping } = context;
    while (!stopping.aborted) {
      const began = clock.monotonic();
      const { newest, findings } = await judgeNext(context, settings);
      if (newest.size === 0) return;
      await report(context, findings, [...newest.values()]);
      await pause((clock.monotonic() - began) * rests, context);
    }
  },
});

/** The part of the supply audit that looks for blocks which a group-node has, and the owner of their chain has not. */
export const ownersJob = (settings: NetworkSettings): BackgroundJob => {
  const comparison = new OwnerComparison(settings);
  return {
    name: 'owners',
    everyMs: 1_000,
    run: async (context) => report(context, await comparison.findings(context)),
  };
};

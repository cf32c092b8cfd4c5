import { appliedHashes } from '../index-store/known-blocks.js';
import { type SchemaStatements } from '@shardnode/core/database';
import { type JobContext } from '../background/background-job.js';
import { pause } from '../background/pause.js';
import { type Inconsistency, mostOfCheck } from './inconsistency.js';
import { type SampledBlock } from './sample.js';

/** Parts of a job that the comparison needs. */
export interface NodeComparison extends Pick<JobContext, 'reading' | 'clock' | 'logger' | 'stopping'> {
  readonly source: Pick<JobContext['source'], 'isCanonical'>;
}

/** Milliseconds after which the index has followed a reorganisation: the reconciliation alone takes 10 s. */
const settles = 15_000;

/** Blocks of one group that its node says are not canonical. A node that does not answer says nothing. */
const strangers = async (
  blocks: readonly SampledBlock[],
  { source, logger, stopping }: NodeComparison,
): Promise<SampledBlock[]> => {
  const found: SampledBlock[] = [];
  try {
    for (const block of blocks) {
      if (stopping.aborted) break;
      if (!(await source.isCanonical(block.hash))) found.push(block);
    }
  } catch (error) {
    logger.warn({ err: error, group: blocks[0]?.chain.from }, 'blocks are not compared: a group-node does not answer');
  }
  return found;
};

const isApplied = async (database: SchemaStatements, { chain, height, hash }: SampledBlock): Promise<boolean> =>
  (await appliedHashes(database, chain, [height])).get(height) === hash;

/** Applied blocks that the group-nodes do not have as canonical, also some time later (protocol 08 §4.13). */
export const compareWithNodes = async (
  blocks: readonly SampledBlock[],
  comparison: NodeComparison,
): Promise<Inconsistency[]> => {
  const groups = [...new Set(blocks.map(({ chain }) => chain.from))];
  const ofGroups = groups.map((group) => blocks.filter(({ chain }) => chain.from === group));
  const suspects = (await Promise.all(ofGroups.map((some) => strangers(some, comparison)))).flat();
  if (suspects.length === 0) return [];
  await pause(settles, comparison);
  comparison.stopping.throwIfAborted();
  const findings: Inconsistency[] = [];
  for (const block of await strangers(suspects.slice(0, mostOfCheck), comparison)) {
    if (!(await isApplied(comparison.reading, block))) continue;
    const { chain, height, hash } = block;
    const subject = `${chain.from}-${chain.to} ${height}`;
    findings.push({ check: 'blocks of the group-nodes', subject, stored: hash, expected: 'another block' });
  }
  return findings;
};

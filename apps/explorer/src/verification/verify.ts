import { inSnapshot } from '../database/snapshot.js';
import { compareWithNodes, type NodeComparison } from './canonical-blocks.js';
import { type Check, checks, statementOf } from './checks.js';
import { type Finding, mostFindings } from './finding.js';
import { type Sample, takeSample } from './sample.js';

/** Milliseconds for one statement; they take some ten. */
const patience = 60_000;

/** What a verification needs. */
export interface VerifiedParts extends NodeComparison {
  readonly groups: number;
}

const findingsOf = async (check: Check, sample: Sample, { reading, stopping }: VerifiedParts): Promise<Finding[]> => {
  const { name } = check;
  const found: Finding[] = [];
  for (const values of check.parts(sample)) {
    if (found.length >= mostFindings) break;
    stopping.throwIfAborted();
    const rows = await inSnapshot(
      reading,
      (snapshot) =>
        snapshot.query<Omit<Finding, 'check'>>(`verify ${name}`, statementOf(check, snapshot.schema), values),
      patience,
    );
    found.push(...rows.map(({ subject, stored, expected }) => ({ check: name, subject, stored, expected })));
  }
  return found.slice(0, mostFindings);
};

/**
 * What is wrong in a sample of the index: rules that its rows break, and blocks that the group-nodes do not have
 * (protocol 08 §4.13). Only reads.
 * @param random 0 to below 1
 */
export const verify = async (parts: VerifiedParts, random: () => number): Promise<Finding[]> => {
  const { groups, reading } = parts;
  const sample = await inSnapshot(reading, (snapshot) => takeSample(snapshot, groups, random), patience);
  const findings: Finding[] = [];
  for (const check of checks) findings.push(...(await findingsOf(check, sample, parts)));
  return [...findings, ...(await compareWithNodes(sample.blocks, parts))];
};

import { inSnapshot } from '../database/snapshot.js';
import { compareWithNodes, type NodeComparison } from './canonical-blocks.js';
import { type Check, checks, statementOf } from './checks.js';
import { type Inconsistency, mostOfCheck } from './inconsistency.js';
import { type Sample, takeSample } from './sample.js';

/** Milliseconds for one statement; they take some ten. */
const patience = 60_000;

/** Parts that a check of the index needs. */
export interface CheckedParts extends NodeComparison {
  readonly groups: number;
}

const findingsOf = async (
  check: Check,
  sample: Sample,
  { reading, stopping }: CheckedParts,
): Promise<Inconsistency[]> => {
  const { name } = check;
  const found: Inconsistency[] = [];
  for (const values of check.parts(sample)) {
    if (found.length >= mostOfCheck) break;
    stopping.throwIfAborted();
    const rows = await inSnapshot(
      reading,
      (snapshot) =>
        snapshot.query<Omit<Inconsistency, 'check'>>(`verify ${name}`, statementOf(check, snapshot.schema), values),
      patience,
    );
    found.push(...rows.map(({ subject, stored, expected }) => ({ check: name, subject, stored, expected })));
  }
  return found.slice(0, mostOfCheck);
};

/**
 * Checks a sample of the index: returns rules that its rows break, and blocks that the group-nodes do not have (protocol
 * 08 §4.13). Only reads.
 * @param random 0 to below 1
 */
export const checkIndex = async (parts: CheckedParts, random: () => number): Promise<Inconsistency[]> => {
  const { groups, reading } = parts;
  const sample = await inSnapshot(reading, (snapshot) => takeSample(snapshot, groups, random), patience);
  const findings: Inconsistency[] = [];
  for (const check of checks) findings.push(...(await findingsOf(check, sample, parts)));
  return [...findings, ...(await compareWithNodes(sample.blocks, parts))];
};

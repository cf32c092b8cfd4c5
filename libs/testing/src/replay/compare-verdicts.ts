import { hexToBytes } from '@shardnode/protocol/encoding';
import { failureOf, refusalText, verdictText } from '@shardnode/protocol/validation';
import { outcomeText } from './compare-history.js';
import { type Differences } from './differences.js';
import { type History, type JudgedTransaction } from './history.js';
import { type ImportOutcome, type ReplayTarget } from './replay-target.js';

const internalError = 'internal error';

/** A valid block answers `valid`, whatever the target calls it; details of faults do not count. */
const judgement = (outcome: ImportOutcome): string => {
  switch (outcome.kind) {
    case 'added':
    case 'known':
      return 'valid';
    case 'fault':
      return internalError;
    case 'buffered':
    case 'refused':
      return outcomeText(outcome);
  }
};

/**
 * What a target that can only import may answer instead: blocks without their dependencies wait, and bad work is
 * refused before any other rule (protocol 03 §5.2).
 */
const importAnswer = (outcome: ImportOutcome, expected: string): string => {
  if (outcome.kind === 'buffered' && [internalError, 'MissingDeps'].includes(expected)) return expected;
  if (outcome.kind === 'refused' && outcome.refusal.code === 'InvalidPoW') return expected;
  return judgement(outcome);
};

const compareBlockVerdict = async (
  target: ReplayTarget,
  entry: JudgedTransaction,
  where: string,
  differences: Differences,
): Promise<void> => {
  const expected = entry.required ?? entry.blockVerdict ?? entry.verdict;
  if (entry.block === undefined || expected === undefined) return;
  const raw = hexToBytes(entry.block);
  if (target.validateBlock) {
    const outcome = await target.validateBlock(raw);
    differences.compare(where, 'verdict', expected, judgement(outcome));
    return;
  }
  // A control would have to be added to be judged.
  if (expected === 'valid') return;
  differences.compare(where, 'verdict', expected, importAnswer(await target.importBlock(raw), expected));
};

/** Entries that our mempool refuses and the recorded one took: no block can hold them as sent (00-decisions, 15). */
const ownAdmissions: Readonly<Record<string, string>> = {
  'script larger than 4096 bytes': 'TxScriptExeFailed(CodeSizeTooLarge)',
  'failed form of the script larger than 4096 bytes': 'TxScriptExeFailed(CodeSizeTooLarge)',
};

const compareAdmission = async (
  target: ReplayTarget,
  entry: JudgedTransaction,
  where: string,
  differences: Differences,
): Promise<void> => {
  if (!target.checkAdmission || entry.mempool === undefined || entry.template === undefined) return;
  const verdict = await target.checkAdmission(hexToBytes(entry.template));
  differences.compare(where, 'mempool', ownAdmissions[entry.name] ?? entry.mempool, verdictText(verdict));
  if (entry.mempoolText === undefined || !verdict) return;
  // Over a bus only the text of a failure comes along.
  differences.compare(
    where,
    'mempool text',
    entry.mempoolText,
    failureOf(verdict) ? refusalText(verdict) : (verdict.detail ?? verdictText(verdict)),
  );
};

/**
 * The entries that are to be judged after `count` blocks of the history. Those that need other blocks first come last:
 * a verdict depends on what its block builds on alone, but the mempool looks at the best dependencies.
 */
export const compareVerdicts = async (
  target: ReplayTarget,
  { judged }: Pick<History, 'judged'>,
  count: number,
  differences: Differences,
  afterEntry: () => Promise<void> | void = () => undefined,
): Promise<void> => {
  const entries = judged.flatMap(({ file, entries: list }) => list.map((entry) => ({ file, entry })));
  const due = entries.filter(({ entry }) => entry.after === count);
  const bySetup = (withSetup: boolean) => due.filter(({ entry }) => (entry.setup !== undefined) === withSetup);
  for (const { file, entry } of [...bySetup(false), ...bySetup(true)]) {
    const where = `${file}: ${entry.name}`;
    for (const raw of entry.setup ?? []) {
      const outcome = await target.importBlock(hexToBytes(raw));
      differences.compare(where, 'block to import first', 'valid', judgement(outcome));
    }
    await differences.during(where, async () => {
      await compareBlockVerdict(target, entry, where, differences);
      await compareAdmission(target, entry, where, differences);
    });
    await afterEntry();
  }
};

import { type Block, decodeBlock } from '@shardnode/protocol/block';
import { DecodeError, hexToBytes } from '@shardnode/protocol/encoding';
import { failureOf, refusalText, verdictText } from '@shardnode/protocol/validation';
import { outcomeText } from './compare-history.js';
import { type Differences } from './differences.js';
import { type History, type JudgedTransaction } from './history.js';
import { type ImportOutcome, type ReplayTarget } from './replay-target.js';

const internalError = 'internal error';

/** `valid` for a valid block of any target; details of faults are ignored. */
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
 * The permitted outcome of an import instead of the verdict: blocks without dependencies are buffered; bad work is
 * refused before any other rule (protocol 03 §5.2), and so are blocks of another network, which would wait for ever.
 */
const importAnswer = (outcome: ImportOutcome, expected: string, isOfAnotherNetwork: boolean): string => {
  if (outcome.kind === 'buffered' && outcome.missing.length > 0) return expected;
  if (outcome.kind !== 'refused') return judgement(outcome);
  const { code } = outcome.refusal;
  const isEarlier = code === 'InvalidPoW' || (code === 'InvalidNetworkId' && isOfAnotherNetwork);
  return isEarlier ? expected : judgement(outcome);
};

const compareBlockVerdict = async (
  target: ReplayTarget,
  entry: JudgedTransaction,
  where: string,
  differences: Differences,
  { groups, networkId }: History['settings'],
): Promise<void> => {
  const expected = entry.required ?? entry.blockVerdict ?? entry.verdict;
  if (entry.block === undefined || expected === undefined) return;
  const raw = hexToBytes(entry.block);
  if (target.validateBlock) {
    const outcome = await target.validateBlock(raw);
    differences.compare(where, 'verdict', expected, judgement(outcome));
  }
  // A valid control block would be added.
  if (expected === 'valid') return;
  const block = readable(raw, groups);
  const isOfAnotherNetwork = !!block?.transactions.some(({ unsigned }) => unsigned.networkId !== networkId);
  const answer = importAnswer(await handOver(target, raw), expected, isOfAnotherNetwork);
  differences.compare(where, 'answer to the block', expected, answer);
  if (!block) return;
  const kept = await target.blockState(block.header.hash, block.header.chainIndex);
  differences.compare(where, 'what is kept of the block', undefined, kept);
};

/** Undefined for a malformed block. */
const readable = (raw: Uint8Array, groups: number): Block | undefined => {
  try {
    return decodeBlock(raw, groups);
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
};

/** A block that no group stores: nothing waits for it. */
const handOver = async (target: ReplayTarget, raw: Uint8Array): Promise<ImportOutcome> =>
  target.importBlocks ? (await target.importBlocks([raw]))[0]! : target.importBlock(raw);

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
  const template = hexToBytes(entry.template);
  const verdict = await target.checkAdmission(template);
  const expected = ownAdmissions[entry.name] ?? entry.mempool;
  differences.compare(where, 'mempool', expected, verdictText(verdict));
  // An accepted transaction would conflict with the others.
  if (target.submitTransaction && expected !== 'valid') {
    const answer = await target.submitTransaction(template);
    differences.compare(where, 'answer to the transaction', expected, answer.verdict);
    const text = ` due to ${entry.mempoolText ?? ''}`;
    differences.compare(where, 'text of the answer', text, answer.text.includes(text) ? text : answer.text);
  }
  if (entry.mempoolText === undefined || !verdict) return;
  // The bus transports only the text of a failure.
  differences.compare(
    where,
    'mempool text',
    entry.mempoolText,
    failureOf(verdict) ? refusalText(verdict) : (verdict.detail ?? verdictText(verdict)),
  );
};

/**
 * The entries to validate after `count` blocks of the history. Those that need other blocks are last: a block verdict
 * depends only on the block's own dependencies, but the mempool uses the best dependencies.
 */
export const compareVerdicts = async (
  target: ReplayTarget,
  { judged, settings }: Pick<History, 'judged' | 'settings'>,
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
      await compareBlockVerdict(target, entry, where, differences, settings);
      await compareAdmission(target, entry, where, differences);
    });
    await afterEntry();
  }
};

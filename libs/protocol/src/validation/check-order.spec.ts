import { describe, expect, it } from '@jest/globals';
import { executorWithoutContracts } from '@shardnode/testing/contract-state';
import { readVectorBytes, readVectors } from '@shardnode/testing/vectors';
import { type Block, decodeBlock, genesisBlocks } from '../block/index.js';
import { verifySignature } from '../crypto/index.js';
import { decode, hexToBytes } from '../encoding/index.js';
import { type NetworkSettings, parseGenesisFile } from '../network/index.js';
import { type ChainIndex, referenceId } from '../primitives/index.js';
import { type OutputView } from '../state/index.js';
import {
  type Output,
  outputsOf,
  referenceOf,
  type Transaction,
  transactionId,
  transactionTemplateCodec,
} from '../transaction/index.js';
import { checkAdmission } from '../policy/index.js';
import {
  checkBlockDoubleSpending,
  checkCoinbase,
  checkTransaction,
  existInvalidTransaction,
  type Verdict,
  verdictText,
} from './index.js';

interface Entry {
  readonly name: string;
  /** Null for a block that does not decode. */
  readonly chain: readonly [number, number] | null;
  readonly block: string;
  readonly verdict?: string;
  readonly blockVerdict?: string;
  readonly required?: string;
  readonly mempool?: string;
  readonly template?: string;
  readonly setup?: readonly string[];
}
interface HistoryLine {
  readonly raw: string;
  readonly canonical: boolean;
}

/** Every output of the canonical blocks that none of them spends: what each group sees once all blocks are folded in. */
const outputsAfter = (history: string, settings: NetworkSettings): OutputView => {
  const lines = new TextDecoder()
    .decode(readVectorBytes(`${history}/blocks.jsonl`))
    .trim()
    .split('\n');
  const canonical = lines.map((line) => JSON.parse(line) as HistoryLine).filter((line) => line.canonical);
  const blocks = [
    ...genesisBlocks(settings),
    ...canonical.map((line) => decodeBlock(hexToBytes(line.raw), settings.groups)),
  ];
  const outputs = new Map<string, Output>();
  const transactions = blocks.flatMap((block) => block.transactions);
  for (const transaction of transactions) {
    const id = transactionId(transaction.unsigned);
    outputsOf(transaction).forEach((output, i) => outputs.set(referenceId(referenceOf(output, id, i)), output));
  }
  for (const { unsigned, contractInputs } of transactions) {
    for (const input of unsigned.inputs) outputs.delete(referenceId(input.outputReference));
    for (const reference of contractInputs) outputs.delete(referenceId(reference));
  }
  return { output: (reference) => outputs.get(referenceId(reference)) };
};

/** Rows 8 to 10 of the block table (protocol 02 §9.1): what this floor decides about a block. */
const checkTransactionsOf = (
  settings: NetworkSettings,
  block: Block,
  chainIndex: ChainIndex,
  view: OutputView,
): Verdict => {
  const { timestamp, target } = block.header;
  const executor = executorWithoutContracts(settings, chainIndex.from, timestamp);
  const common = { settings, chainIndex, timestamp, view, verifySignature, executor };
  const doubleSpending = checkBlockDoubleSpending(block.transactions);
  if (doubleSpending) return doubleSpending;
  for (const transaction of block.transactions.slice(0, -1)) {
    const reason = checkTransaction({ ...common, transaction, kind: 'block' });
    if (reason) return existInvalidTransaction(transaction, reason);
  }
  return checkCoinbase({ ...common, transaction: block.transactions.at(-1) as Transaction, target });
};

/** Verdicts of rules that come before the transactions of a block, or of the DAG around it: other specs. */
const isOurs = (verdict: string): boolean =>
  verdict === 'valid' || verdict === 'BlockDoubleSpending' || /^(ExistInvalidTx\(|InvalidCoinbase)/.test(verdict);

/** After the end of every history. */
const now = 4_102_444_800_000n;

interface Counts {
  blocks: number;
  admissions: number;
  ofOtherRules: number;
}

const walk = (history: string, file: string, section: string): { counts: Counts; wrong: string[] } => {
  const settings = parseGenesisFile(readVectors(`${history}/genesis.json`));
  const view = outputsAfter(history, settings);
  const counts: Counts = { blocks: 0, admissions: 0, ofOtherRules: 0 };
  const wrong: string[] = [];
  const compare = (name: string, verdict: Verdict, expected: string, kind: 'blocks' | 'admissions'): void => {
    const actual = verdictText(verdict);
    counts[kind] += 1;
    if (actual !== expected) wrong.push(`${name}: ${actual}, not ${expected}`);
  };
  for (const entry of readVectors<Record<string, Entry[]>>(file)[section]!) {
    const expected = entry.required ?? entry.blockVerdict ?? entry.verdict!;
    const chain = entry.chain && { from: entry.chain[0], to: entry.chain[1] };
    if (!isOurs(expected) || entry.setup || !chain) counts.ofOtherRules += 1;
    else {
      const block = decodeBlock(hexToBytes(entry.block), settings.groups);
      compare(entry.name, checkTransactionsOf(settings, block, chain, view), expected, 'blocks');
    }
    if (entry.mempool !== undefined) {
      const template = decode(transactionTemplateCodec, hexToBytes(entry.template!));
      const executor = executorWithoutContracts(settings, chain?.from, now);
      const verdict = checkAdmission(template, { settings, view, now, verifySignature, executor });
      compare(`${entry.name} (mempool)`, verdict, entry.mempool, 'admissions');
    }
  }
  return { counts, wrong };
};

/** File and section, whose `blocks` are the verdicts compared. */
const files = [
  ['chain-transfers/check-order.json', 'transactions', { blocks: 177, admissions: 142, ofOtherRules: 0 }],
  ['chain-transfers/check-order.json', 'blocks', { blocks: 30, admissions: 0, ofOtherRules: 127 }],
  ['chain-transfers/rejected-transactions.json', 'entries', { blocks: 83, admissions: 79, ofOtherRules: 2 }],
  ['chain-transfers/rejected-blocks.json', 'entries', { blocks: 45, admissions: 0, ofOtherRules: 58 }],
] as const;

describe('order of the checks after the history of transfers', () => {
  it.each(files)('%s %s: %j', (file, section, counts) => {
    expect(walk('chain-transfers', file, section)).toEqual({ counts, wrong: [] });
  });
});

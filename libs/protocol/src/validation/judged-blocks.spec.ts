import { describe, expect, it } from '@jest/globals';
import { readVectorBytes, readVectors } from '@shardnode/testing/vectors';
import { Workbench } from '@shardnode/testing/workbench';
import { type Block, decodeBlock } from '../block/index.js';
import { UnknownBlock } from '../dag/index.js';
import { DecodeError, hexToBytes } from '../encoding/index.js';
import { parseGenesisFile } from '../network/index.js';
import { type Refusal } from './index.js';

interface Judged {
  readonly name: string;
  readonly verdict?: string;
  readonly blockVerdict?: string;
  readonly required?: string;
  readonly setup?: string[];
  readonly block: string;
}

const folder = 'chain-transfers';
const lines = new TextDecoder()
  .decode(readVectorBytes(`${folder}/blocks.jsonl`))
  .trim()
  .split('\n')
  .map((line) => (JSON.parse(line) as { raw: string }).raw);
const bench = new Workbench(parseGenesisFile(readVectors(`${folder}/genesis.json`)));
const decoded = (raw: string): Block => decodeBlock(hexToBytes(raw), 4);

const text = (verdict: Refusal | undefined): string =>
  !verdict ? 'valid' : verdict.reason ? `${verdict.code}(${verdict.reason.code})` : verdict.code;

/** A decoder may refuse a header for the rule that a later check would name. */
const judge = (raw: string): string => {
  try {
    return text(bench.check(decoded(raw)));
  } catch (error) {
    if (error instanceof UnknownBlock) return 'internal error';
    if (error instanceof DecodeError) return error.message.split(':')[0]!;
    throw error;
  }
};

const judged = (file: string, section: string): Judged[] => {
  const bytes = readVectorBytes(`${folder}/${file}`);
  if (!bytes) return [];
  return (JSON.parse(new TextDecoder().decode(bytes)) as { [section: string]: Judged[] })[section]!;
};

const expectVerdict = ({ verdict, blockVerdict, required, setup = [], block }: Judged): void => {
  for (const raw of setup) {
    const before = decoded(raw);
    if (!bench.dag.has(before.header.hash)) bench.import(before);
  }
  expect(judge(block)).toBe(required ?? verdict ?? blockVerdict);
};

describe('blocks to judge on top of the history of transfers', () => {
  it('every block of the history itself is valid', () => {
    for (const raw of lines) bench.import(decoded(raw));
  });
  const tables: [string, string][] = [
    ['rejected-blocks.json', 'entries'],
    ['check-order.json', 'blocks'],
    ['check-order.json', 'transactions'],
  ];
  describe.each(tables)('%s %s', (file, section) => {
    const cases = judged(file, section);
    if (cases.length === 0) it.skip('not carried', () => undefined);
    else it.each(cases)('$name', expectVerdict);
  });
});

import { type ImportCost, startImportProcess } from './import-process.js';
import { contractCount } from './many-contracts.js';
import { isShort, type Row } from './rows.js';
import { type DatabasePlace } from './silent-node.js';
import { callsPerBlock } from './token-calls.js';

/** Blocks that warm up the database before the start that is measured, and the code after it; blocks of a turn, and turns. */
const warmUp = isShort ? 1 : 3;
const atOnce = isShort ? 1 : 2;
const turns = isShort ? 1 : 8;

/** Blocks of calls that a side is to have. */
export const crowdBlocks = 2 * warmUp + 1 + turns * atOnce;

/** One of the two chains: where its state is, and the file of its blocks. */
export interface Side {
  readonly place: DatabasePlace;
  readonly file: string;
}

export interface Sides<T> {
  readonly alone: T;
  readonly among: T;
}

const both = async <A, B>({ alone, among }: Sides<A>, run: (side: A) => Promise<B>): Promise<Sides<B>> => ({
  alone: await run(alone),
  among: await run(among),
});

const plus = (a: ImportCost, b: ImportCost): ImportCost => ({
  elapsed: a.elapsed + b.elapsed,
  processor: a.processor + b.processor,
});

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`;

const compared = (row: string, { alone, among }: Sides<ImportCost>, blocks: number, bar: string): Row => ({
  row,
  figure: percent(among.elapsed, alone.elapsed),
  bar,
  beside:
    `${(among.elapsed / blocks).toFixed(0)} and ${(alone.elapsed / blocks).toFixed(0)} ms a block, ` +
    `${percent(among.processor, alone.processor)} of the processor`,
});

/** Import of the same calls on a chain with very many contracts and on one without. */
export const crowdImportRows = async (sides: Sides<Side>): Promise<Row[]> => {
  const first = await both(sides, (side) => startImportProcess({ ...side, skip: 0 }));
  // The first block deploys the contract.
  await both(first, (node) => node.importNext(1 + warmUp));
  await both(first, (node) => node.close());
  const nodes = await both(sides, (side) => startImportProcess({ ...side, skip: 1 + warmUp }));
  const cold = await both(nodes, (node) => node.importNext(1));
  await both(nodes, (node) => node.importNext(warmUp));
  const nothing: ImportCost = { elapsed: 0, processor: 0 };
  const warm = { alone: nothing, among: nothing };
  for (let turn = 0; turn < turns; turn++) {
    const order = turn % 2 === 0 ? (['alone', 'among'] as const) : (['among', 'alone'] as const);
    for (const side of order) warm[side] = plus(warm[side], await nodes[side].importNext(atOnce));
  }
  await both(nodes, (node) => node.close());
  const crowd = `beside ${contractCount.toLocaleString('en-US')} contracts, against none`;
  return [
    compared(`blocks of ${callsPerBlock} contract calls ${crowd}`, warm, turns * atOnce, '120 %'),
    compared('the first block after a start', cold, 1, ''),
  ];
};

import { describe, expect, it } from '@jest/globals';
import { WindowedDag } from '@shardnode/testing/settled-blocks';
import { readVectorBytes, readVectors } from '@shardnode/testing/vectors';
import { type Block, decodeBlock } from '../block/index.js';
import { hexToBytes } from '../encoding/index.js';
import { parseGenesisFile } from '../network/index.js';
import { chainFromFlatIndex, flatIndex } from '../primitives/index.js';
import {
  bestDependencies,
  BlockDag,
  blocksForStateView,
  expectedTarget,
  missingDependencies,
  SpentInputs,
  weightOf,
} from './index.js';

interface Line {
  readonly hash: string;
  readonly height: number;
  readonly weight: string;
  readonly target: string;
  readonly canonical: boolean;
  readonly canonicalWhenAdded: boolean;
  readonly bestDeps: string[][];
  readonly raw: string;
}

interface FinalChain {
  readonly chain: [number, number];
  readonly maxHeight: number;
  readonly currentHeight: number;
  readonly currentHeightRequired?: number;
  readonly tips: string[];
  readonly hashesWithSeveral: { height: number; hashes: string[] }[];
}

const load = (name: string) => {
  const genesis = readVectors<{ genesisBlocks: { raw: string }[] }>(`${name}/genesis.json`);
  const settings = parseGenesisFile(genesis);
  const block = (raw: string): Block => decodeBlock(hexToBytes(raw), settings.groups, { genesis: 'accepted' });
  const text = new TextDecoder().decode(readVectorBytes(`${name}/blocks.jsonl`));
  return {
    settings,
    genesis: genesis.genesisBlocks.map(({ raw }) => block(raw).header),
    lines: text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
      .map((line) => ({ ...line, block: block(line.raw) })),
    final: readVectors<{ chains: FinalChain[] }>(`${name}/final-state.json`),
  };
};

const histories = [
  'chain',
  'chain-transfers',
  'chain-forks/views-a',
  'chain-forks/views-b',
  'chain-forks/views-c',
  'chain-forks/views-d',
  'chain-forks/height-gap',
].filter((name) => readVectorBytes(`${name}/genesis.json`));

describe.each(histories)('headers of the history %s', (name) => {
  const { settings, genesis, lines, final } = load(name);
  const dag = new BlockDag(settings, genesis);
  const spent = new SpentInputs();
  const groups = [0, 1, 2, 3];
  let spentTime = 0;

  it('gives height, weight, target, canonical flag and best dependencies after every line', () => {
    for (const line of lines) {
      const { header, transactions } = line.block;
      expect(header.hash).toBe(line.hash);
      expect(missingDependencies(dag, header)).toEqual([]);
      const target = expectedTarget(dag, settings, header.chainIndex, header.blockDeps);
      expect([line.hash, target.toString(16)]).toEqual([line.hash, line.target]);
      expect(weightOf(dag, header).toString()).toBe(line.weight);
      const planned = dag.plan(header);
      expect(dag.has(header.hash)).toBe(false);
      const added = dag.add(header);
      expect(added).toEqual(planned);
      spent.add(header.hash, transactions);
      expect([line.hash, added.height, added.weight.toString(), added.isCanonical]).toEqual([
        line.hash,
        line.height,
        line.weight,
        line.canonicalWhenAdded,
      ]);
      for (const { height, hashes } of added.lists) expect(dag.hashesAt(added.chain, height)).toEqual(hashes);
      const started = performance.now();
      const best = groups.map((group) => bestDependencies(dag, spent, group, settings));
      spentTime += performance.now() - started;
      expect([line.hash, best]).toEqual([line.hash, line.bestDeps]);
      for (const group of groups) blocksForStateView(dag, group, best[group]!);
    }
    if (process.env.MEASURE) console.log(name, 'ms per bestDependencies', spentTime / lines.length / 4);
  });

  it('ends with the tips, heights and lists of the final state', () => {
    for (const line of lines) expect([line.hash, dag.isCanonical(line.hash)]).toEqual([line.hash, line.canonical]);
    for (const chain of final.chains) expectChain(dag, chain);
  });

  it.each([4, 64])('is the same with a window of %s heights, and after restarts', (window) => {
    const windowed = new WindowedDag(settings, { window, settled: 16 }, genesis);
    for (const [i, line] of lines.entries()) {
      const { height, weight, isCanonical } = windowed.add(line.block.header);
      expect([line.hash, height, weight.toString(), isCanonical]).toEqual([
        line.hash,
        line.height,
        line.weight,
        line.canonicalWhenAdded,
      ]);
      const group = groups[i % groups.length]!;
      const best = windowed.read((dag) => bestDependencies(dag, spent, group, settings));
      expect([line.hash, best]).toEqual([line.hash, line.bestDeps[group]]);
      if (i % 200 === 199) windowed.restart();
    }
    for (const chain of final.chains) windowed.read((dag) => expectChain(dag, chain));
  });

  it('is the same after a restart from stored rows in any order', () => {
    const rows = lines
      .map(({ block: { header } }) => ({
        header,
        weight: dag.weight(header.hash),
        height: dag.height(header.hash),
        heightRank: dag.hashesAt(header.chainIndex, dag.height(header.hash)).indexOf(header.hash),
      }))
      .reverse();
    const restored = new BlockDag(settings, genesis);
    restored.restore(rows);
    for (const chain of final.chains) expectChain(restored, chain);
    for (const group of groups) {
      expect(bestDependencies(restored, spent, group, settings)).toEqual(lines.at(-1)!.bestDeps[group]);
    }
    for (let flat = 0; flat < 16; flat++) {
      const chain = chainFromFlatIndex(flat, settings.groups);
      expect(flatIndex(chain, settings.groups)).toBe(flat);
      expect([...restored.tips(chain)].sort()).toEqual([...dag.tips(chain)].sort());
    }
  });
});

const expectChain = (dag: BlockDag, expected: FinalChain): void => {
  const chain = { from: expected.chain[0], to: expected.chain[1] };
  expect([...dag.tips(chain)].sort()).toEqual([...expected.tips].sort());
  expect(dag.maxHeight(chain)).toBe(expected.maxHeight);
  expect(dag.currentHeight(chain)).toBe(expected.currentHeightRequired ?? expected.currentHeight);
  for (const { height, hashes } of expected.hashesWithSeveral) expect(dag.hashesAt(chain, height)).toEqual(hashes);
};

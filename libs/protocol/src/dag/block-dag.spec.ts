import { describe, expect, it } from '@jest/globals';
import { Workbench } from '@shardnode/testing/workbench';
import { buildMinedBlock } from '@shardnode/testing/builders';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { type Block } from '../block/index.js';
import { developmentNetwork, settingsOfKind } from '../network/index.js';
import { zeroHash } from '../primitives/index.js';
import {
  ancestorAt,
  averageHashRate,
  BlockDag,
  canonicalNodesBetweenTimes,
  confirmations,
  expectedWindowSpan,
  hashesAfterLocator,
  isAncestorNode,
  locator,
  missingDependencies,
  tipPruneDuration,
  UnknownBlock,
  UnrelatedBlocks,
  between,
  windowSpanMaximum,
  windowSpanMinimum,
} from './index.js';

const chain = { from: 1, to: 2 };
const start = 1_690_000_000_000n;

/** A block whose state hash nobody looks at, `height` blocks above genesis on one chain. */
const blockOn = (bench: Workbench, parent: string, timestamp: bigint): Block => {
  const deps = bench.dag.node(bench.dag.genesis(chain)).deps.map((node) => node.hash);
  deps[3 + chain.to] = parent;
  return buildMinedBlock({
    settings: bench.settings,
    chain,
    blockDeps: deps,
    depStateHash: zeroHash,
    timestamp,
    target: 0x20ffffff,
    transactions: [],
    miner: testKeyOfGroup(chain.to).lockupScript,
  });
};

const branch = (bench: Workbench, parent: string, timestamps: readonly bigint[]): Block[] => {
  const blocks: Block[] = [];
  for (const timestamp of timestamps) {
    const block = blockOn(bench, blocks.at(-1)?.header.hash ?? parent, timestamp);
    bench.add(block);
    blocks.push(block);
  }
  return blocks;
};

const every = (count: number, step: bigint, first = start): bigint[] =>
  Array.from({ length: count }, (_, i) => first + BigInt(i) * step);

describe('windows follow from the block target time (protocol 03 §2.2)', () => {
  it.each([
    [64_000n, [1_088_000n, 913_920n, 1_175_040n, 12_800_000n]],
    [10n, [170n, 142n, 183n, 2_000n]],
  ])('%s ms', (blockTargetTime, expected) => {
    const settings = { ...developmentNetwork, blockTargetTime };
    const windows = [expectedWindowSpan, windowSpanMinimum, windowSpanMaximum, tipPruneDuration];
    expect(windows.map((window) => window(settings))).toEqual(expected);
  });
});

describe('block DAG', () => {
  it('drops a tip that is more than the prune duration older than a new block, and no sooner (protocol 03 §7.3 step 4)', () => {
    const bench = new Workbench(developmentNetwork);
    const genesis = bench.dag.genesis(chain);
    const [stale] = branch(bench, genesis, [start]);
    const [next] = branch(bench, genesis, [start + 1n]);
    const [same] = branch(bench, next!.header.hash, [start + 2_000n]);
    expect([...bench.dag.tips(chain)].sort()).toEqual([stale!.header.hash, same!.header.hash].sort());
    const last = blockOn(bench, same!.header.hash, start + 2_001n);
    expect([...bench.add(last).removedTips].sort()).toEqual([stale!.header.hash, same!.header.hash].sort());
    expect(bench.dag.tips(chain)).toEqual([last.header.hash]);
  });

  it('turns the lists over to a longer branch down to the fork (protocol 03 §7.3 step 5)', () => {
    const bench = new Workbench(developmentNetwork);
    const genesis = bench.dag.genesis(chain);
    const [a1, a2] = branch(bench, genesis, every(2, 10n));
    const [b1, b2] = branch(bench, genesis, every(2, 10n, start + 5n));
    const b3 = blockOn(bench, b2!.header.hash, start + 100n);
    const outcome = bench.dag.plan(b3.header);
    expect(bench.dag.has(b3.header.hash)).toBe(false);
    expect(bench.add(b3)).toEqual(outcome);
    expect(outcome.isCanonical).toBe(true);
    expect(outcome.lists[0]).toEqual({ height: 3, hashes: [b3.header.hash] });
    expect(bench.dag.hashesAt(chain, 1)[0]).toBe(b1!.header.hash);
    expect(bench.dag.hashesAt(chain, 2)[0]).toBe(b2!.header.hash);
    expect(bench.dag.isCanonical(a1!.header.hash)).toBe(false);
    expect(() => between(bench.dag, b3.header.hash, a2!.header.hash)).toThrow(UnrelatedBlocks);
    expect(between(bench.dag, b3.header.hash, b1!.header.hash)).toEqual([b2!.header.hash, b3.header.hash]);
  });

  it('takes unknown blocks, known blocks and missing dependencies for what they are', () => {
    const bench = new Workbench(developmentNetwork);
    const first = blockOn(bench, bench.dag.genesis(chain), start);
    const orphan = blockOn(bench, first.header.hash, start + 1n);
    expect(() => bench.dag.header(first.header.hash)).toThrow(UnknownBlock);
    expect(missingDependencies(bench.dag, orphan.header)).toEqual([first.header.hash]);
    expect(() => bench.dag.add(orphan.header)).toThrow(UnknownBlock);
    bench.add(first);
    expect(missingDependencies(bench.dag, orphan.header)).toEqual([]);
    expect(() => bench.dag.add(first.header)).toThrow(/already/);
  });

  it('finds ancestors far away as a walk along parents does', () => {
    const bench = new Workbench(developmentNetwork);
    const blocks = branch(bench, bench.dag.genesis(chain), every(300, 10n));
    const nodes = [
      bench.dag.node(bench.dag.genesis(chain)),
      ...blocks.map(({ header }) => bench.dag.node(header.hash)),
    ];
    for (let height = 0; height <= 300; height += 7) {
      for (let target = 0; target <= height; target++) expect(ancestorAt(nodes[height]!, target)).toBe(nodes[target]);
    }
    const [side] = branch(bench, nodes[100]!.hash, [start + 5_000n]);
    const sideNode = bench.dag.node(side!.header.hash);
    expect(isAncestorNode(sideNode, nodes[300]!)).toBe(false);
    expect(isAncestorNode(nodes[100]!, sideNode)).toBe(true);
    expect(() => ancestorAt(nodes[5]!, 6)).toThrow(RangeError);
  });

  it('gives every header back byte for byte', () => {
    const bench = new Workbench(developmentNetwork);
    const odd = blockOn(bench, bench.dag.genesis(chain), start - 1n);
    // Other bytes of the same header, with a longer form of the number of dependencies: what was received is retained.
    const { raw } = odd.header;
    const longer = Uint8Array.of(...raw.subarray(0, 25), 0x40, 7, ...raw.subarray(26));
    const header = { ...odd.header, raw: longer };
    bench.dag.add(header);
    const blocks = branch(bench, bench.dag.genesis(chain), every(2_100, 10n));
    for (const block of blocks) expect(bench.dag.header(block.header.hash)).toEqual(block.header);
    expect(bench.dag.header(header.hash)).toEqual(header);
    expect(bench.dag.node(blocks[5]!.header.hash).header).toEqual(blocks[5]!.header);
  });

  it('refuses to restore a block under a wrong height, and genesis of another network', () => {
    const bench = new Workbench(developmentNetwork);
    const { header } = blockOn(bench, bench.dag.genesis(chain), start);
    const rows = [{ header, weight: 1n, height: 2, heightRank: 0 }];
    expect(() => bench.dag.restore(rows)).toThrow(/stored with height 2/);
    expect(() => new BlockDag(settingsOfKind('main'), [])).toThrow(/16 genesis headers/);
  });
});

describe('confirmations (protocol 03 §7.9)', () => {
  const counts = (bench: Workbench, hash: string): number[] => {
    const counted = confirmations(bench.dag, hash);
    return [counted.chainConfirmations, counted.fromGroupConfirmations, counted.toGroupConfirmations];
  };

  it('of a block between groups begin with the blocks of both groups that include it', () => {
    const bench = new Workbench(developmentNetwork);
    const [own, source, destination] = [chain, { from: 1, to: 1 }, { from: 2, to: 2 }];
    // What the groups had before does not count.
    for (const before of [source, source, destination]) bench.grow(before);
    const { hash } = bench.grow(own).header;
    const grown = [counts(bench, hash)];
    for (const next of [source, destination, source, source, destination, own]) {
      bench.grow(next);
      grown.push(counts(bench, hash));
    }
    expect(grown).toEqual([
      [1, 0, 0],
      [1, 1, 0],
      [1, 1, 1],
      [1, 2, 1],
      [1, 3, 1],
      [1, 3, 2],
      [2, 3, 2],
    ]);
  });

  it('of a block inside a group are its depth', () => {
    const bench = new Workbench(developmentNetwork);
    const { hash } = bench.grow({ from: 1, to: 1 }).header;
    expect(counts(bench, hash)).toEqual([1, 1, 1]);
    bench.grow({ from: 1, to: 1 });
    expect(counts(bench, hash)).toEqual([2, 2, 2]);
  });
});

describe('chain queries', () => {
  const bench = new Workbench(developmentNetwork);
  const blocks = branch(bench, bench.dag.genesis(chain), every(520, 10n));
  const hashes = blocks.map(({ header }) => header.hash);

  it('give blocks between two times, both included, ascending (protocol 03 §7.4)', () => {
    const select = (from: bigint, to: bigint): string[] =>
      canonicalNodesBetweenTimes(bench.dag, chain, from, to).map(({ hash }) => hash);
    expect(select(start, start + 20n)).toEqual(hashes.slice(0, 3));
    expect(select(start + 1n, start + 19n)).toEqual(hashes.slice(1, 2));
    expect(select(start + 5_190n, start + 1_000_000n)).toEqual(hashes.slice(519));
    expect(select(0n, start)).toEqual([bench.dag.genesis(chain), hashes[0]]);
    expect(select(start + 11n, start + 12n)).toEqual([]);
  });

  it('give the average hash rate (protocol 03 §9.4)', () => {
    const to = start + 990n;
    expect(averageHashRate(bench.settings, 100n, start, to)).toBe((100n * 1000n * 16n) / 990n);
  });

  it('sample a locator of 400 heights and answer it with at most 51 (protocol 03 §13.1, §13.2)', () => {
    const sampled = locator(bench.dag, chain);
    expect(sampled.map((hash) => bench.dag.height(hash))).toEqual([264, 392, 456, 488, 504, 512, 516, 518, 519, 520]);
    expect(locator(bench.dag, { from: 0, to: 0 })).toEqual([]);
    expect(hashesAfterLocator(bench.dag, chain, [])).toEqual(hashes.slice(0, 51));
    expect(hashesAfterLocator(bench.dag, chain, sampled)).toEqual([]);
    expect(hashesAfterLocator(bench.dag, chain, [hashes[9]!, zeroHash])).toEqual(hashes.slice(10, 61));
    expect(hashesAfterLocator(bench.dag, chain, [zeroHash])).toEqual([]);
    expect(hashesAfterLocator(bench.dag, { from: 0, to: 0 }, sampled)).toEqual([]);
  });

  it('answer with every branch above the last common canonical block', () => {
    const [side] = branch(bench, hashes[514]!, [start + 6_000n]);
    const answer = hashesAfterLocator(bench.dag, chain, [hashes[514]!, side!.header.hash]);
    expect(answer).toEqual([hashes[515], side!.header.hash, ...hashes.slice(516)]);
  });
});

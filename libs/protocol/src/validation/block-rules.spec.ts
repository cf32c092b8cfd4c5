import { beforeAll, describe, expect, it } from '@jest/globals';
import { assetOutput, buildMinedBlock, buildSignedTransfer, type SpendableOutput } from '@shardnode/testing/builders';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { Workbench } from '@shardnode/testing/workbench';
import {
  type Block,
  type BlockHeader,
  genesisBlock,
  sealBlock,
  sealHeader,
  type SealedHeader,
  transactionsRoot,
} from '../block/index.js';
import { verifySignature } from '../crypto/index.js';
import { findFlowConflict, SpentInputs, SpentInputsMissing } from '../dag/index.js';
import { developmentNetwork } from '../network/index.js';
import { type ChainIndex, referenceId, zeroHash } from '../primitives/index.js';
import { type AssetOutput, referenceOf, type Transaction, transactionId } from '../transaction/index.js';
import {
  type BlockContext,
  blockRole,
  checkBlock,
  checkBlockForm,
  checkForkDepth,
  checkHeader,
  coinbaseChecks,
  headerChecks,
  preCheck,
} from './index.js';

const settings = developmentNetwork;
const start = 1_690_000_000_000n;
let keys: readonly TestKey[] = [];
beforeAll(async () => {
  keys = await developmentKeys();
});

const outputOf = (transaction: Transaction, index: number): SpendableOutput => {
  const output = transaction.unsigned.fixedOutputs[index]! as AssetOutput;
  return { output, reference: referenceOf(output, transactionId(transaction.unsigned), index) };
};
const allocation = (group: number): SpendableOutput =>
  outputOf(genesisBlock(settings, { from: group, to: group }).transactions[0]!, 0);
const transfer = (from: number, to: number, spend = allocation(from)): Transaction =>
  buildSignedTransfer({
    settings,
    from: keys[from]!,
    spend: [spend],
    outputs: [assetOutput(keys[to]!.lockupScript, 10n ** 18n)],
  });

const contextOf = (bench: Workbench, block: Block, role: BlockContext['role'] = 'own'): BlockContext => ({
  settings,
  reader: bench.dag,
  spent: bench.spent,
  role,
  block,
  verifySignature,
  view: role === 'own' ? bench.viewAt(block.header.chainIndex.from, block.header.blockDeps) : undefined,
});

/** A header with other fields, on the same chain by decree: for rules that do not look at the hash. */
const changed = (header: SealedHeader, fields: Partial<BlockHeader>): SealedHeader => ({
  ...sealHeader({ ...header, ...fields }, 4),
  chainIndex: header.chainIndex,
});

describe('header rules', () => {
  const bench = new Workbench(settings);
  const { header } = bench.mine({ from: 2, to: 1 });
  const check = (of: SealedHeader, now: bigint, depStateHash?: string) =>
    checkHeader({ settings, reader: bench.dag, header: of, now, depStateHash })?.code;

  it('are the thirteen rows of protocol 03 §5 in their order', () => {
    expect(headerChecks.map(({ name }) => name)).toEqual([
      'InvalidBlockVersion',
      'parent is known, else a fault',
      'EarlierThanLaunchTimeStamp',
      'NoIncreasingTimeStamp',
      'TooAdvancedTimeStamp',
      'InvalidDepsNum',
      'InvalidDepsIndex',
      'InvalidWorkAmount',
      'MissingDeps',
      'InvalidWorkTarget',
      'InvalidDepStateHash',
      'InvalidUncleTimeStamp',
      'InvalidHeaderFlow',
    ]);
  });

  it('refuse a timestamp 15 s ahead of the clock, and accept one millisecond less', () => {
    expect(check(header, header.timestamp - 15_000n)).toBe('TooAdvancedTimeStamp');
    expect(check(header, header.timestamp - 14_999n)).toBeUndefined();
  });

  it('look at the state hash where the node holds the group, and nowhere else', () => {
    expect(check(header, header.timestamp, zeroHash)).toBe('InvalidDepStateHash');
    expect(check(header, header.timestamp, header.depStateHash)).toBeUndefined();
  });

  it('refuse too few dependencies after the timestamps, before their chains', () => {
    const extra = [...header.blockDeps, zeroHash];
    expect(check(changed(header, { blockDeps: extra }), header.timestamp)).toBe('InvalidDepsNum');
    const late = changed(header, { blockDeps: extra, timestamp: 1n << 50n });
    expect(check(late, header.timestamp)).toBe('TooAdvancedTimeStamp');
  });
});

describe('the pre-check of headers from outside (protocol 03 §5.2)', () => {
  const harder = { ...settings, numZeros: 8 };
  const bench = new Workbench(harder);
  const { header } = bench.mine({ from: 0, to: 0 });

  it('accepts a header with the least work', () => expect(preCheck(harder, header)).toBeUndefined());
  it('refuses a target above the easiest one', () => {
    expect(preCheck({ ...settings, numZeros: 16 }, header)?.code).toBe('InvalidPoW');
  });
  it('refuses a hash above its own target', () => {
    expect(preCheck(settings, { ...header, target: 0x01010000 })?.code).toBe('InvalidPoW');
  });
});

describe('fork depth (protocol 03 §6.4)', () => {
  const chain = { from: 3, to: 0 };
  const bench = new Workbench(settings);
  const on = (parent: string, timestamp: bigint): Block => {
    const blockDeps = bench.dag.node(bench.dag.genesis(chain)).deps.map((node) => node.hash);
    blockDeps[3 + chain.to] = parent;
    const miner = testKeyOfGroup(chain.to).lockupScript;
    const fixed = { settings, chain, depStateHash: zeroHash, target: 0x20ffffff, transactions: [], miner };
    return buildMinedBlock({ ...fixed, blockDeps, timestamp });
  };

  it('lets a body 200 below the highest tip in, and refuses one that is 201 below', () => {
    let parent = bench.dag.genesis(chain);
    const side = on(parent, start + 7n);
    for (let height = 1; height <= 201; height++) {
      const block = on(parent, start + BigInt(10 * height));
      bench.add(block);
      parent = block.header.hash;
    }
    expect(bench.dag.maxHeight(chain)).toBe(201);
    expect(checkForkDepth(bench.dag, side.header)).toBeUndefined();
    bench.add(on(parent, start + 5_000n));
    expect(checkForkDepth(bench.dag, side.header)?.code).toBe('InvalidBlockHeight');
  });
});

describe('who validates what (protocol 03 §6.1)', () => {
  it('one table of three roles', () => {
    const chains: [ChainIndex, string][] = [
      [{ from: 1, to: 1 }, 'own'],
      [{ from: 1, to: 3 }, 'own'],
      [{ from: 0, to: 1 }, 'incoming'],
      [{ from: 2, to: 3 }, 'foreign'],
    ];
    for (const [chain, role] of chains) expect(blockRole(chain, 1)).toBe(role);
  });

  it('a foreign body is InvalidGroup before anything else; an incoming one is checked in form only', () => {
    const bench = new Workbench(settings);
    const block = bench.mine({ from: 0, to: 1 });
    const empty: Block = { ...block, transactions: [] };
    expect(checkBlock(contextOf(bench, empty, 'foreign'))?.code).toBe('InvalidGroup');
    expect(checkBlock(contextOf(bench, empty, 'incoming'))?.code).toBe('EmptyTransactionList');
    // No coinbase at all, but the root of what it holds: only an own chain's node looks at that.
    const spend = transfer(0, 1);
    const sealed = sealBlock(block.header, [spend], 4);
    expect(checkBlock(contextOf(bench, sealed, 'incoming'))?.code).toBe('InvalidTxsMerkleRoot');
    const twice = bench.mine({ from: 0, to: 1 }, { candidates: [spend] });
    expect(checkBlock({ ...contextOf(bench, twice, 'incoming'), spent: new SpentInputs() })).toBeUndefined();
  });

  it('an own block without a view is a fault, not a refusal', () => {
    const bench = new Workbench(settings);
    const block = bench.mine({ from: 0, to: 1 });
    expect(() => checkBlock({ ...contextOf(bench, block), view: undefined })).toThrow(/without a view/);
  });
});

describe('double spends', () => {
  it('names all blocks whose inputs are not in memory', () => {
    const bench = new Workbench(settings);
    const first = bench.grow({ from: 0, to: 1 }, { candidates: [transfer(0, 1)] });
    const block = bench.mine({ from: 0, to: 2 });
    const attempt = () => checkBlockForm({ ...contextOf(bench, block), spent: new SpentInputs() });
    expect(attempt).toThrow(SpentInputsMissing);
    expect(checkBlockForm(contextOf(bench, block))).toBeUndefined();
    bench.spent.forget(first.header.hash);
    bench.spent.add(first.header.hash, first.transactions);
    expect(checkBlockForm(contextOf(bench, block))).toBeUndefined();
  });

  it('names the block that spends an output on another chain of the group, and the block that spends it again (protocol 03 §6.3)', () => {
    const bench = new Workbench(settings);
    const first = bench.grow({ from: 0, to: 1 }, { candidates: [transfer(0, 1)] });
    const { header, transactions } = bench.mine({ from: 0, to: 2 });
    const again = withRoot(header, [transfer(0, 2), ...transactions]);
    expect(checkBlockForm(contextOf(bench, again))).toEqual({
      code: 'InvalidFlowTxs',
      detail: `${first.header.hash} and ${header.hash} both spend ${referenceId(allocation(0).reference)}`,
    });
  });

  it('are found above the lowest of the bases of the dependencies (protocol 03 §6.3)', () => {
    const bench = new Workbench(settings);
    const late = bench.mine({ from: 0, to: 1 }, { candidates: [transfer(0, 1)] });
    const early = bench.grow({ from: 0, to: 2 }, { candidates: [transfer(0, 2)] });
    // The base of the newest block holds the early one, that of the late block is genesis.
    const base = bench.grow({ from: 0, to: 0 });
    const newest = bench.grow({ from: 0, to: 3 });
    bench.add(late);
    const ins = newest.header.blockDeps.slice(0, 3);
    const deps = [...ins, ...[base, late, early, newest].map(({ header }) => header.hash)];
    const block = { hash: zeroHash, group: 0, deps, references: new Set<string>() };
    expect(findFlowConflict(bench.dag, bench.spent, block)).toEqual({
      referenceId: referenceId(allocation(0).reference),
      blocks: [late.header.hash, early.header.hash],
    });
  });

  it('an output spent by a block of L is absent from the view, though the base state has it (protocol 03 §8.3 step 1)', () => {
    const bench = new Workbench(settings);
    const spend = transfer(0, 1);
    const { reference } = allocation(0);
    expect(bench.viewAt(0, bench.bestDeps(0)).output(reference)).toBeDefined();
    bench.grow({ from: 0, to: 1 }, { candidates: [spend] });
    const deps = bench.bestDeps(0);
    expect(bench.pending(0, deps)).toHaveLength(1);
    expect(bench.viewAt(0, deps).output(reference)).toBeUndefined();
    // The change is there at once, with the lock time as written.
    const change = outputOf(spend, 1);
    expect(bench.viewAt(0, deps).output(change.reference)).toEqual({ ...change.output, lockTime: 0n });
    const block = bench.grow({ from: 0, to: 0 });
    expect(bench.viewAt(0, bench.bestDeps(0)).output(change.reference)).toMatchObject({
      lockTime: block.header.timestamp - 1000n,
    });
  });
});

describe('TargetBelowRewardLimit', () => {
  it('comes before everything else about the coinbase', () => {
    const bench = new Workbench(settings);
    const block = bench.mine({ from: 0, to: 1 });
    expect(coinbaseChecks[0]!.name).toBe('TargetBelowRewardLimit');
    const verdictAt = (target: number) => {
      const header = changed(block.header, { target });
      const coinbase = block.transactions.at(-1)!;
      const broken = { ...coinbase, unsigned: { ...coinbase.unsigned, fixedOutputs: [] } };
      return checkBlock(contextOf(bench, withRoot(header, [broken])))?.code;
    };
    expect(verdictAt(0x1b063fff)).toBe('TargetBelowRewardLimit');
    expect(verdictAt(0x1b064000)).toBe('InvalidCoinbaseFormat');
  });
});

const withRoot = (header: SealedHeader, transactions: readonly Transaction[]): Block => {
  const txsHash = transactionsRoot(transactions);
  return { header: { ...header, txsHash }, transactions, raw: header.raw };
};

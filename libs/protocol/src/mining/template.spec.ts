import { beforeAll, describe, expect, it } from '@jest/globals';
import { assetOutput, buildMinedBlock, buildSignedTransfer, type SpendableOutput } from '@shardnode/testing/builders';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { Workbench } from '@shardnode/testing/workbench';
import { type Block, genesisBlock } from '../block/index.js';
import { developmentNetwork } from '../network/index.js';
import { type ChainIndex, type Hash } from '../primitives/index.js';
import { stateHash } from '../state/index.js';
import { type AssetOutput, referenceOf, type Transaction, transactionId } from '../transaction/index.js';
import { maxCandidates, searchNonce, templateLimits } from './index.js';

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
const pay = (from: number, to: number, spend = allocation(from), amount = 10n ** 18n): Transaction =>
  buildSignedTransfer({
    settings,
    from: keys[from]!,
    spend: [spend],
    outputs: [assetOutput(keys[to]!.lockupScript, amount)],
  });
const ids = (transactions: readonly Transaction[]): Hash[] =>
  transactions.map(({ unsigned }) => transactionId(unsigned));

/** A block with exactly these dependencies and this timestamp, which a template would not choose. */
const blockWith = (bench: Workbench, chain: ChainIndex, timestamp: bigint, transactions: Transaction[]): Block => {
  const blockDeps = bench.bestDeps(chain.from);
  const depStateHash = stateHash(bench.stateAt(blockDeps[3 + chain.from]!));
  const miner = testKeyOfGroup(chain.to).lockupScript;
  const { target } = bench.template(chain);
  return buildMinedBlock({ settings, chain, blockDeps, depStateHash, timestamp, target, transactions, miner });
};

describe('the timestamp of a template', () => {
  it('without a gap is later than every dependency, however far ahead they are (protocol 03 §8.8 (a))', () => {
    const bench = new Workbench(settings);
    bench.grow({ from: 1, to: 1 }, { now: start + 9_000n });
    const template = bench.template({ from: 0, to: 2 }, { now: start });
    expect(template.blockDeps).toEqual(bench.bestDeps(0));
    expect(template.timestamp).toBe(start + 9_001n);
    expect(bench.template({ from: 0, to: 2 }, { now: start + 9_001n }).timestamp).toBe(start + 9_001n);
    expect(bench.template({ from: 0, to: 2 }, { now: start + 9_000n }).timestamp).toBe(start + 9_001n);
  });

  it('with a gap is now, and the dependencies are loosened, all but the parent', () => {
    const bench = new Workbench({ ...settings, uncleDependencyGap: 16_000n });
    const old = bench.grow({ from: 1, to: 1 }, { now: start });
    bench.grow({ from: 1, to: 1 }, { now: start + 10_000n });
    const parent = bench.grow({ from: 0, to: 2 }, { now: start + 20_000n });
    const now = start + 20_001n;
    const template = bench.template({ from: 0, to: 2 }, { now });
    expect(template.timestamp).toBe(now);
    expect(template.blockDeps[0]).toBe(old.header.hash);
    expect(template.bestDeps[0]).not.toBe(old.header.hash);
    expect(template.blockDeps[5]).toBe(parent.header.hash);
    const sibling = bench.template({ from: 0, to: 1 }, { now });
    expect(sibling.blockDeps[5]).toBe(bench.dag.genesis({ from: 0, to: 2 }));
    expect(bench.template({ from: 0, to: 2 }, { now: start }).timestamp).toBe(start + 20_001n);
    bench.import(bench.mine({ from: 0, to: 2 }, { now }));
    bench.import(bench.mine({ from: 0, to: 1 }, { now }));
  });
});

describe('blocks of one group with equal timestamps (protocol 03 §8.8 (d))', () => {
  const stuck = () => {
    const bench = new Workbench(settings);
    const payment = pay(0, 3);
    const creator = bench.grow({ from: 0, to: 3 }, { now: start, candidates: [payment] });
    const spender = blockWith(bench, { from: 0, to: 1 }, start, [pay(0, 1, outputOf(payment, 1))]);
    bench.import(spender);
    return { bench, creator, spender };
  };

  it('a block that includes both is valid and cannot be stored', () => {
    const { bench, creator, spender } = stuck();
    expect(bench.bestDeps(0).slice(3)).toEqual(expect.arrayContaining([creator.header.hash, spender.header.hash]));
    const block = blockWith(bench, { from: 0, to: 0 }, start + 10n, []);
    expect(bench.check(block)).toBeUndefined();
    expect(() => bench.add(block)).toThrow(/KeyNotFound|is spent and not in the state/);
    expect(bench.dag.has(block.header.hash)).toBe(false);
  });

  it('templates leave the spender out, and the group goes on', () => {
    const { bench, creator, spender } = stuck();
    for (const to of [0, 1, 2, 3]) {
      const { blockDeps } = bench.template({ from: 0, to });
      expect(blockDeps).toContain(creator.header.hash);
      expect(blockDeps).not.toContain(spender.header.hash);
    }
    bench.grow({ from: 0, to: 0 });
    // The creator is in the state now: nothing is left to fear from the spender.
    const next = bench.grow({ from: 0, to: 0 });
    expect(next.header.blockDeps).toContain(spender.header.hash);
    const { output, reference } = outputOf(spender.transactions[0]!, 1);
    expect(bench.viewAt(0, bench.bestDeps(0)).output(reference)).toMatchObject({ amount: output.amount });
  });

  it('a spender that is one millisecond later is no danger', () => {
    const bench = new Workbench(settings);
    const payment = pay(0, 3);
    bench.grow({ from: 0, to: 3 }, { now: start, candidates: [payment] });
    const spender = blockWith(bench, { from: 0, to: 1 }, start + 1n, [pay(0, 1, outputOf(payment, 1))]);
    bench.import(spender);
    expect(bench.template({ from: 0, to: 0 }).blockDeps).toContain(spender.header.hash);
    bench.grow({ from: 0, to: 0 });
  });

  it('equal timestamps without such a spend are no danger either', () => {
    const bench = new Workbench(settings);
    bench.grow({ from: 0, to: 3 }, { now: start, candidates: [pay(0, 3)] });
    const other = blockWith(bench, { from: 0, to: 1 }, start, []);
    bench.import(other);
    expect(bench.template({ from: 0, to: 0 }).blockDeps).toContain(other.header.hash);
    bench.grow({ from: 0, to: 0 });
  });
});

describe('the transactions of a template', () => {
  const chain = { from: 0, to: 1 };

  it('leave room for the coinbase (decision 16)', () => {
    expect(templateLimits).toEqual({ transactions: 1999, gas: 39_980_000 });
    expect(maxCandidates).toBe(1000);
  });

  it('are those whose inputs exist, the first of two that share one', () => {
    const bench = new Workbench(settings);
    const first = pay(0, 1);
    const rival = pay(0, 1, allocation(0), 3n * 10n ** 18n);
    const child = pay(0, 1, outputOf(first, 1));
    const { transactions, invalid } = bench.template(chain, { candidates: [first, rival, child] });
    expect(ids(transactions.slice(0, -1))).toEqual(ids([first]));
    expect(invalid).toEqual([]);
    bench.grow(chain, { candidates: [first, rival, child] });
    expect(ids(bench.template(chain, { candidates: [rival, child] }).transactions.slice(0, -1))).toEqual(ids([child]));
  });

  it('do not spend what a parallel block of the un-loosened dependencies spends', () => {
    const bench = new Workbench({ ...settings, uncleDependencyGap: 16_000n });
    bench.grow({ from: 0, to: 2 }, { now: start, candidates: [pay(0, 2)] });
    const rival = pay(0, 1);
    const template = bench.template(chain, { now: start + 1_000n, candidates: [rival] });
    expect(template.blockDeps).not.toEqual(template.bestDeps);
    expect(bench.viewAt(0, template.blockDeps).output(allocation(0).reference)).toBeDefined();
    expect(template.transactions).toHaveLength(1);
  });

  it('an invalid one is named and left out, the others stay', () => {
    const bench = new Workbench(settings);
    const good = pay(0, 1);
    const { inputSignatures } = pay(0, 1, allocation(0), 5n * 10n ** 18n);
    bench.grow(chain, { candidates: [good] });
    const second = pay(0, 1, outputOf(good, 1));
    const forged = { ...second, inputSignatures };
    const { transactions, invalid } = bench.template(chain, { candidates: [forged] });
    expect(transactions).toHaveLength(1);
    expect(invalid).toMatchObject([{ transactionId: ids([forged])[0], refusal: { code: 'InvalidSignature' } }]);
    expect(bench.template(chain, { candidates: [second] }).transactions).toHaveLength(2);
  });

  it('a miner address of another group is a fault of the settings', () => {
    const bench = new Workbench(settings);
    expect(() => bench.template(chain, { miner: testKeyOfGroup(2).lockupScript })).toThrow(/no template for chain/);
  });
});

describe('nonce search', () => {
  it('stops after its tries and goes on where it stopped', () => {
    const bench = new Workbench({ ...settings, numZeros: 6 });
    const chain = { from: 3, to: 2 };
    const { header } = bench.template(chain);
    const found = searchNonce(header, chain, bench.settings, new Uint8Array(24), 1_000_000)!;
    const counter = Number(BigInt(`0x${Buffer.from(found).toString('hex')}`));
    expect(searchNonce(header, chain, bench.settings, new Uint8Array(24), counter)).toBeUndefined();
    const from = new Uint8Array(24);
    new DataView(from.buffer).setUint32(20, counter);
    expect(searchNonce(header, chain, bench.settings, from, 1)).toEqual(found);
  });

  it('counts over byte boundaries', () => {
    const bench = new Workbench(settings);
    const chain = { from: 0, to: 0 };
    const { header } = bench.template(chain);
    const nonce = searchNonce(header, chain, settings, new Uint8Array(24).fill(255), 1_000_000)!;
    expect(nonce[0] === 255 || nonce[0] === 0).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type Block } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type ChainIndex } from '@shardnode/protocol/primitives';
import { hasOutput, readOutput } from '@shardnode/protocol/state';
import { type AssetOutput, referenceOf, type Transaction, transactionId } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer, type SpendableOutput } from '../builders/index.js';
import { developmentKeys, testKeyOfGroup } from '../keys/index.js';
import { DependencyBuffer, MemoryNode, memoryNodeTarget, nextBlock, type NextBlockOptions } from './index.js';

const coin = 10n ** 18n;
const settings = developmentNetwork;
const keys = await developmentKeys();

const chain = (from: number, to: number): ChainIndex => ({ from, to });

const outputAt = (transaction: Transaction, index: number): SpendableOutput => {
  const output = transaction.unsigned.fixedOutputs[index] as AssetOutput;
  return { reference: referenceOf(output, transactionId(transaction.unsigned), index), output };
};

const add = (node: MemoryNode, from: number, to: number, options: NextBlockOptions = {}): Block => {
  const block = nextBlock(node, chain(from, to), options);
  expect(node.importBlock(block.raw)).toEqual({ kind: 'added' });
  return block;
};

/** The genesis allocation of a group. */
const funds = async (node: MemoryNode, group: number): Promise<SpendableOutput> =>
  (await memoryNodeTarget(node).unspentOutputs(keys[group]!.address))[0]!;

const pay = (from: number, spend: SpendableOutput, to: number): Transaction =>
  buildSignedTransfer({
    settings,
    from: keys[from]!,
    spend: [spend],
    outputs: [assetOutput(testKeyOfGroup(to).lockupScript, 10n * coin)],
  });

describe('the node in memory', () => {
  it('keeps the output of a transfer to another group as protocol 03 §8.7 tells', async () => {
    const node = new MemoryNode(settings);
    const transfer = pay(0, await funds(node, 0), 2);
    const received = outputAt(transfer, 0);
    const change = outputAt(transfer, 1);
    const stateHas = (block: Block, output: SpendableOutput): boolean =>
      hasOutput(node.nodes, node.worldState(block.header.hash)!.outputRoot, output.reference);

    const b0 = add(node, 0, 2, { transactions: [transfer] });
    // Pending: the view of group 0 has the change with its raw lock time, group 2 sees nothing yet.
    expect(node.view(0).output(change.reference)).toEqual(change.output);
    expect(node.view(0).output(received.reference)).toBeUndefined();
    expect(node.view(2).output(received.reference)).toBeUndefined();

    const b1 = add(node, 0, 0);
    expect(stateHas(b1, change)).toBe(true);
    expect(stateHas(b1, received)).toBe(false);
    const stored = readOutput(node.nodes, node.worldState(b1.header.hash)!.outputRoot, change.reference);
    expect(stored).toEqual({ ...change.output, lockTime: b0.header.timestamp });
    expect(node.view(0).output(change.reference)).toEqual(stored);
    // Now an intra-group block of group 0 includes the transfer: group 2 can build on it.
    expect(node.view(2).output(received.reference)).toEqual(received.output);

    const b2 = add(node, 2, 2);
    expect(stateHas(b2, received)).toBe(true);
    expect(readOutput(node.nodes, node.worldState(b2.header.hash)!.outputRoot, received.reference)).toEqual({
      ...received.output,
      lockTime: b0.header.timestamp,
    });
  });

  it('sees an output that a pending block spends as absent (protocol 03 §8.3 step 1)', async () => {
    const node = new MemoryNode(settings);
    const allocation = await funds(node, 0);
    expect(node.view(0).output(allocation.reference)).toEqual(allocation.output);
    const transfer = pay(0, allocation, 1);
    add(node, 0, 1, { transactions: [transfer] });
    expect(node.view(0).isSpent(allocation.reference)).toBe(true);
    expect(node.view(0).output(allocation.reference)).toBeUndefined();
    // An output that is both created and spent in pending blocks is absent too.
    const change = outputAt(transfer, 1);
    add(node, 0, 3, { transactions: [pay(0, change, 3)] });
    expect(node.view(0).output(change.reference)).toBeUndefined();
    const left = await memoryNodeTarget(node).unspentOutputs(keys[0]!.address);
    expect(left).toHaveLength(1);
    expect(left[0]!.output.lockTime).toBe(0n);
  });

  it.each([
    ['removes before it inserts: a fault, never an addition', 3, 1, 'fault'],
    ['inserts before it removes: added', 1, 3, 'added'],
  ])('with equal timestamps (protocol 03 §8.8), %s', async (_, creator, spender, expected) => {
    const node = new MemoryNode(settings);
    const transfer = pay(0, await funds(node, 0), creator);
    const x = add(node, 0, creator, { transactions: [transfer] });
    const { timestamp } = x.header;
    add(node, 0, spender, { transactions: [pay(0, outputAt(transfer, 1), spender)], timestamp });
    const before = node.sizes;
    const next = nextBlock(node, chain(0, 0));
    const outcome = node.importBlock(next.raw);
    expect(outcome.kind).toBe(expected);
    if (outcome.kind !== 'fault') return;
    expect(outcome.detail).toMatch(/^KeyNotFound/);
    expect(node.validateBlock(next.raw)).toEqual({ kind: 'added' });
    expect(node.sizes).toEqual(before);
    expect(node.dag.has(next.header.hash)).toBe(false);
  });

  it('holds blocks back until their dependencies are there, and adds them in turn', () => {
    const source = new MemoryNode(settings);
    const blocks = [chain(0, 0), chain(0, 1), chain(1, 1), chain(2, 2), chain(0, 0), chain(3, 1)].map(({ from, to }) =>
      add(source, from, to),
    );
    const node = new MemoryNode(settings);
    for (const block of blocks.slice(1).reverse()) node.importBlock(block.raw);
    const buffered = node.sizes.buffered;
    expect(buffered).toBeGreaterThan(0);
    expect(node.importBlock(blocks[4]!.raw)).toEqual({ kind: 'known' });
    expect(node.importBlock(blocks[0]!.raw)).toEqual({ kind: 'added' });
    expect(node.sizes).toEqual(source.sizes);
    for (const group of [0, 1, 2, 3]) expect(node.bestDependencies(group)).toEqual(source.bestDependencies(group));
    expect(node.importBlock(blocks[0]!.raw)).toEqual({ kind: 'known' });
  });

  it('drops what waits for a refused block', () => {
    const source = new MemoryNode(settings, { now: () => 2_000_000_000_000n, verifySignature: () => true });
    const late = add(source, 0, 0, { timestamp: 1_999_999_999_999n });
    const child = add(source, 0, 0);
    const node = new MemoryNode(settings, { now: () => 1_800_000_000_000n, verifySignature: () => true });
    expect(node.importBlock(child.raw).kind).toBe('buffered');
    const outcome = node.importBlock(late.raw);
    expect(outcome).toMatchObject({ kind: 'refused', refusal: { code: 'TooAdvancedTimeStamp' } });
    expect(node.sizes).toEqual(new MemoryNode(settings).sizes);
  });

  it('refuses work below the easiest target and bytes that are no block', () => {
    const node = new MemoryNode(settings);
    const { raw } = nextBlock(node, chain(0, 0));
    const cut = node.importBlock(raw.slice(0, -1));
    expect(cut).toMatchObject({ kind: 'refused', refusal: { code: 'Undecodable' } });
    const hard = new MemoryNode({ ...settings, numZeros: 20 });
    expect(hard.importBlock(raw)).toMatchObject({ kind: 'refused', refusal: { code: 'InvalidPoW' } });
  });
});

describe('the dependency buffer (protocol 03 §12.4)', () => {
  const block = (hash: string): Block =>
    ({ header: { hash }, transactions: [], raw: new Uint8Array(0) }) as unknown as Block;

  it('makes room for new entries: the oldest go, with all that wait for them', () => {
    const buffer = new DependencyBuffer();
    buffer.put(block('parent'), ['unknown'], 0n);
    buffer.put(block('child'), ['parent'], 0n);
    for (let i = 2; i < 1600; i++) buffer.put(block(`b${i}`), ['other'], 0n);
    expect(buffer.size).toBe(1600);
    buffer.put(block('last'), ['other'], 0n);
    expect([buffer.has('parent'), buffer.has('child'), buffer.has('b2'), buffer.has('last')]).toEqual([
      false,
      false,
      true,
      true,
    ]);
    expect(buffer.release('other').map(({ header }) => header.hash)).toHaveLength(1599);
    expect(buffer.size).toBe(0);
  });

  it('forgets entries of more than ten minutes', () => {
    const buffer = new DependencyBuffer();
    buffer.put(block('old'), ['a', 'b'], 0n);
    buffer.put(block('exactly'), ['a'], 1n);
    buffer.put(block('new'), ['a'], 600_001n);
    expect([buffer.has('old'), buffer.has('exactly'), buffer.has('new')]).toEqual([false, true, true]);
    expect(buffer.release('b')).toEqual([]);
    expect(buffer.release('a')).toHaveLength(2);
  });
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Block, genesisBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { blockEffects } from '@shardnode/protocol/state';
import { transactionId } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer } from '@shardnode/testing/builders';
import { developmentKeys, type TestKey, testKeyOfGroup, testKeysOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { coin, TestNetwork, until } from './support/network.js';

/** The single output that a genesis allocation is. */
const allocation = ({ group }: TestKey) => {
  const block = genesisBlock(developmentNetwork, { from: group, to: group });
  const { reference, output } = blockEffects(block).transactions[0]!.outputs[0]!;
  if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
  return { reference, output };
};

/** Blocks of one chain on top of each other, the first with a transfer. */
const branch = (
  chain: ChainIndex,
  length: number,
  transfer: Parameters<typeof nextBlock>[2],
  miner: TestKey,
): Block[] => {
  const node = new MemoryNode(developmentNetwork);
  return Array.from({ length }, (_, i) => {
    const block = nextBlock(node, chain, { ...(i === 0 ? transfer : {}), miner: miner.lockupScript });
    const outcome = node.importBlock(block.raw);
    if (outcome.kind !== 'added') throw new Error(JSON.stringify(outcome));
    return block;
  });
};

describe('forks', () => {
  let network: TestNetwork;
  let rich: readonly TestKey[];
  beforeEach(async () => {
    network = await TestNetwork.open({ mining: 'off' });
    rich = await developmentKeys();
  });
  afterEach(() => network.close());

  const submit = async (block: Block): Promise<void> => {
    const group = block.header.chainIndex.from;
    await expect(network.client.request(group, 'command.block.submit', { block: block.raw })).resolves.toEqual({
      outcome: 'added',
    });
  };

  const canonical = async (chain: ChainIndex, heights: number): Promise<Hash[][]> =>
    Promise.all(
      network.groups.map((group) =>
        Promise.all(
          Array.from({ length: heights }, async (_, i) => {
            const request = { ...chain, height: i + 1 };
            return (await network.client.request(group, 'read.chain.hashes', request)).hashes[0]!;
          }),
        ),
      ),
    );

  it.each([
    ['an intra-group chain', { from: 0, to: 0 }, 0],
    ['an inter-group chain', { from: 0, to: 1 }, 1],
  ])('a chain of 10 overtakes a chain of 9 on %s everywhere', async (_, chain, to) => {
    const receiver = testKeyOfGroup(to);
    const spent = allocation(rich[0]!);
    const transfer = buildSignedTransfer({
      settings: developmentNetwork,
      from: rich[0]!,
      spend: [spent],
      outputs: [assetOutput(receiver.lockupScript, 7n * coin)],
    });
    const [minerA, minerB] = testKeysOfGroup(to, 3).slice(1);
    const nine = branch(chain, 9, { transactions: [transfer] }, minerA!);
    const ten = branch(chain, 10, {}, minerB!);
    const id = transactionId(transfer.unsigned);
    for (const block of nine) await submit(block);
    expect((await network.status(0, id)).type).toBe('Confirmed');
    const left = await network.balance(rich[0]!, false);
    expect(left).toBeLessThan(10n ** 24n - 7n * coin);
    for (const block of ten.slice(0, 9)) await submit(block);
    await until('both branches are everywhere', async () => {
      const lists = await Promise.all(
        network.groups.map((group) => network.client.request(group, 'read.chain.hashes', { ...chain, height: 9 })),
      );
      return lists.every(({ hashes }) => hashes.length === 2);
    });
    await submit(ten[9]!);
    const expected = ten.map((block) => block.header.hash);
    await until('all nodes have the longer branch', async () =>
      (await canonical(chain, 10)).every((hashes) => hashes.every((hash, i) => hash === expected[i])),
    );
    expect((await network.status(0, id)).type).toBe('MemPooled');
    expect(await network.balance(rich[0]!, false)).toBe(10n ** 24n);
    expect(await network.balance(rich[0]!)).toBe(left);
    expect(await network.balance(receiver, false)).toBe(0n);
    const store = await network.store(0);
    expect(await store.checkProjection()).toMatchObject({ equal: true });
    // It waits again, and would after a crash (decision 12).
    expect((await store.listPending()).map(({ txId }) => txId)).toEqual([id]);
    expect(await store.dropReason(id)).toBeUndefined();
    await network.mine(chain.from, chain.to);
    expect((await network.status(0, id)).type).toBe('Confirmed');
  });
});

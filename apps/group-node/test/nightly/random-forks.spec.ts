import { beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { type Block, genesisBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { allChainIndexes, referenceId } from '@shardnode/protocol/primitives';
import { addressOutputs, blockEffects } from '@shardnode/protocol/state';
import { assetOutput, buildSignedTransfer, type SpendableOutput } from '@shardnode/testing/builders';
import { developmentKeys, type TestKey } from '@shardnode/testing/keys';
import { MemoryNode, memoryNodeTarget, nextBlock } from '@shardnode/testing/memory-node';
import { type ReplayTarget } from '@shardnode/testing/replay';
import { unspentOf } from '../../src/view/address-outputs.js';
import { embeddedStores } from '../support/embedded-stores.js';
import { groupNodesTarget, openSilentNodes } from '../support/replay-target.js';

const settings = developmentNetwork;
const groups = settings.groups;

/** Rewards are locked for longer than these blocks go on, from 1,700,000,000,000 on. */
const lockedUntilLater = 1_700_000_100_000n;

const spendable = (block: Block): SpendableOutput[] =>
  blockEffects(block).transactions.flatMap(({ outputs }) =>
    outputs.flatMap(({ reference, output }) => (output.kind === 'asset' ? [{ reference, output }] : [])),
  );

/** Networks that drift apart, spend the same outputs in different blocks, and meet again. */
class Partitions {
  readonly blocks: Block[] = [];
  private readonly nodes: MemoryNode[];
  private readonly outputs = new Map<number, SpendableOutput[]>();

  constructor(
    private readonly keys: readonly TestKey[],
    private readonly random: () => number,
    count: number,
  ) {
    this.nodes = Array.from({ length: count }, () => new MemoryNode(settings));
    for (let group = 0; group < groups; group++) {
      this.outputs.set(group, spendable(genesisBlock(settings, { from: group, to: group })));
    }
  }

  pick(limit: number): number {
    return Math.floor(this.random() * limit);
  }

  mine(): void {
    const node = this.nodes[this.pick(this.nodes.length)]!;
    const chain = { from: this.pick(groups), to: this.pick(groups) };
    const block = nextBlock(node, chain, {
      transactions: this.transfer(node, chain.from, chain.to),
      miner: this.keys[chain.to]!.lockupScript,
    });
    expect(node.importBlock(block.raw)).toMatchObject({ kind: 'added' });
    this.blocks.push(block);
    for (const made of spendable(block)) {
      const owner = this.keys.findIndex(({ lockupScript }) => sameLockup(lockupScript, made));
      if (owner >= 0) this.outputs.get(owner)!.push(made);
    }
  }

  /** One node hears of everything. */
  meet(): void {
    const node = this.nodes[this.pick(this.nodes.length)]!;
    for (const { raw } of this.blocks) node.importBlock(raw);
  }

  private transfer(node: MemoryNode, from: number, to: number) {
    const view = node.view(from);
    const usable = this.outputs
      .get(from)!
      .filter(({ reference, output }) => output.amount > 10n ** 18n && view.output(reference)?.kind === 'asset');
    const found = usable[this.pick(usable.length)];
    const current = found && view.output(found.reference);
    if (!found || current?.kind !== 'asset' || current.lockTime > lockedUntilLater) return [];
    return [
      buildSignedTransfer({
        settings,
        from: this.keys[from]!,
        spend: [{ reference: found.reference, output: current }],
        outputs: [assetOutput(this.keys[to]!.lockupScript, current.amount / 3n)],
      }),
    ];
  }
}

const sameLockup = (script: TestKey['lockupScript'], { output }: SpendableOutput): boolean =>
  JSON.stringify(script) === JSON.stringify(output.lockupScript);

/** Order of arrival: any. */
const shuffled = (blocks: readonly Block[], random: () => number): Block[] =>
  blocks
    .map((block) => ({ block, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ block }) => block);

let keys: readonly TestKey[];
beforeAll(async () => {
  keys = await developmentKeys();
});

const roomy = { trieNodeBytes: 64 * 2 ** 20, blockBytes: 64 * 2 ** 20 };

/** All chains; blocks that wait for others may be released in another order, which only the order of side blocks shows. */
const chainsOf = (target: Pick<ReplayTarget, 'chainState'>) =>
  Promise.all(
    allChainIndexes(groups).map(async (chain) => {
      const { hashesWithSeveral, tips, ...heights } = await target.chainState(chain);
      const forks = hashesWithSeveral.map(({ height, hashes: [canonical, ...others] }) => [
        height,
        canonical,
        others.sort(),
      ]);
      return { ...heights, tips: [...tips].sort(), forks };
    }),
  );

describe.each([
  ['all heights in memory', {}],
  ['windows of four heights', { recentHeights: 4, settledHeights: 2 }],
  ['windows of twelve heights', { recentHeights: 12, settledHeights: 0 }],
])('random forks, %s', (_, limits) => {
  it('leave projection, trie, view and address sets equal after every step', async () => {
    const random = seededRandom(Number(process.env['FORK_SEED'] ?? 5));
    const partitions = new Partitions(keys, random, 3);
    for (let i = 0; i < 220; i++) {
      partitions.mine();
      if (i % 12 === 11) partitions.meet();
    }
    const transfers = partitions.blocks.filter(({ transactions }) => transactions.length > 1).length;
    expect(transfers).toBeGreaterThan(80);
    const stores = await embeddedStores();
    const nodes = await openSilentNodes({ settings, store: stores.store, limits: { ...roomy, ...limits } });
    const whole = new MemoryNode(settings);
    const target = groupNodesTarget(nodes, async () => undefined);
    // In pieces that are shuffled each, so that much waits for its dependencies and forks take turns.
    for (let start = 0; start < partitions.blocks.length; start += 20) {
      for (const block of shuffled(partitions.blocks.slice(start, start + 20), random)) {
        expect(['added', 'known', 'buffered']).toContain((await target.importBlock(block.raw)).kind);
        whole.importBlock(block.raw);
        // Address sets are loaded now and must follow from here on.
        const group = partitions.pick(groups);
        await unspentOf(nodes[group]!, keys[group]!.lockupScript, { pool: true });
      }
      await target.checkProjections();
      for (const [group, { state, store }] of nodes.entries()) {
        const { lockupScript } = keys[group]!;
        const { memory, shown } = state;
        const expected = await addressOutputs(store, shown.state.outputRoot, lockupScript, shown.view, memory.nodes);
        const listed = await unspentOf(nodes[group]!, lockupScript, { pool: false });
        const ids = (outputs: readonly { readonly reference: SpendableOutput['reference'] }[]): string[] =>
          outputs.map(({ reference }) => referenceId(reference)).sort();
        expect(ids(listed)).toEqual(ids(expected));
      }
    }
    const last = partitions.blocks.at(-1)!.header.hash;
    for (const { state } of nodes) expect(await state.memory.find(last)).toBeDefined();
    for (let group = 0; group < groups; group++) {
      expect(await target.bestDependencies(group)).toEqual(whole.bestDependencies(group));
    }
    expect(await chainsOf(target)).toEqual(await chainsOf(memoryNodeTarget(whole)));
    for (const node of nodes) await node.stop();
    await stores.remove();
  }, 120_000);
});

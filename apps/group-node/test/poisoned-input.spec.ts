import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { type Block, genesisBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { type GroupNode } from '../src/group-node.js';
import { type ItemSource } from '../src/intake/stand-alone-checks.js';
import { embeddedStores, type EmbeddedStores } from './support/embedded-stores.js';
import { openLoneNode } from './support/lone-node.js';

const settings = developmentNetwork;

/** Valid blocks of all chains, in order. */
const validBlocks = (count: number, random: () => number, of = settings): Block[] => {
  const node = new MemoryNode(of);
  return Array.from({ length: count }, () => {
    const chain = { from: Math.floor(random() * 4), to: Math.floor(random() * 4) };
    const block = nextBlock(node, chain);
    node.importBlock(block.raw);
    return block;
  });
};

let stores: EmbeddedStores;
let node: GroupNode;
beforeAll(async () => {
  stores = await embeddedStores();
  node = await openLoneNode(await stores.store(0));
});
afterAll(async () => {
  await node.stop();
  await stores.remove();
});

const size = (): number => node.state.memory.dag.size;

describe('what siblings and strangers may send', () => {
  it('bytes that are changed, cut or put together wrongly are judged, never a fault', async () => {
    const random = seededRandom(3);
    const blocks = validBlocks(40, random);
    const outcomes = new Map<string, number>();
    for (let i = 0; i < 4_000; i++) {
      const block = blocks[Math.floor(random() * blocks.length)]!;
      const form = random() < 0.5 ? 'block' : 'header';
      const raw = Uint8Array.from(form === 'block' ? block.raw : block.header.raw);
      for (let flips = 1 + Math.floor(random() * 3); flips > 0; flips--) {
        raw[Math.floor(random() * raw.length)] = Math.floor(random() * 256);
      }
      const bytes = random() < 0.2 ? raw.slice(0, Math.floor(random() * raw.length)) : raw;
      const from = Math.floor(random() * 4);
      const source: ItemSource = random() < 0.3 ? { kind: 'submitted' } : { kind: 'announced', from };
      const outcome = await node.intake.accept(bytes, form, source);
      outcomes.set(outcome.kind, (outcomes.get(outcome.kind) ?? 0) + 1);
      if (outcome.kind === 'undecided') throw outcome.fault;
    }
    expect(outcomes.get('refused')).toBeGreaterThan(1_000);
    expect(node.intake.buffered).toBeLessThanOrEqual(1_600);
    await node.settle();
    const before = size();
    await expect(node.intake.accept(new Uint8Array(0), 'block', { kind: 'submitted' })).resolves.toMatchObject({
      kind: 'refused',
    });
    expect(size()).toBe(before);
  });

  it('bodies of in-chains come from their owner alone, blocks of own chains from anyone', async () => {
    const fresh = new MemoryNode(settings);
    const incoming = nextBlock(fresh, { from: 2, to: 0 }, { timestamp: 1_700_000_500_000n });
    for (const source of [
      { kind: 'announced', from: 1 },
      { kind: 'pulled', from: 3 },
      { kind: 'submitted' },
    ] as const) {
      const outcome = await node.intake.accept(incoming.raw, 'block', source);
      expect(outcome).toMatchObject({ kind: 'refused' });
    }
    expect(await node.intake.accept(incoming.header.raw, 'header', { kind: 'announced', from: 2 })).toMatchObject({
      kind: 'refused',
      refusal: { code: 'InvalidFlowChainIndex' },
    });
    expect(await node.intake.accept(incoming.raw, 'block', { kind: 'announced', from: 2 })).toMatchObject({
      kind: 'added',
    });
    const own = nextBlock(fresh, { from: 0, to: 3 }, { timestamp: 1_700_000_500_000n });
    expect(await node.intake.accept(own.raw, 'block', { kind: 'pulled', from: 3 })).toMatchObject({ kind: 'added' });
  });

  it('blocks of another network and genesis blocks are not taken', async () => {
    const before = size();
    const [theirs] = validBlocks(1, () => 0, { ...settings, networkId: 7, preMineProof: ['0'.repeat(64)] });
    const outcome = await node.intake.accept(theirs!.raw, 'block', { kind: 'submitted' });
    expect(['refused', 'buffered']).toContain(outcome.kind);
    const genesis = genesisBlock({ ...settings, allocations: [] }, { from: 0, to: 0 });
    expect(await node.intake.accept(genesis.raw, 'block', { kind: 'submitted' })).toMatchObject({ kind: 'refused' });
    await node.settle();
    expect(size()).toBe(before);
  });
});

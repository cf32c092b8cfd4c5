import { beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { bodyTaker, type ChainSelector, type GroupClient } from '@shardnode/messages';
import { type WorldState } from '@shardnode/protocol/state';
import { createLedgerOracle, loadCanonicalBlocks } from '@shardnode/testing/ledger-oracle';
import { allChains, chainOf, GrowingChains, settings } from './growing-chains.js';

interface Trick {
  /** Instead of the true hashes of a chain at a height, as a node tells them. */
  readonly hashes?: (node: number, at: ChainSelector & { height: number }) => readonly string[] | undefined;
  readonly state?: (node: number, roots: WorldState) => WorldState;
  readonly block?: (node: number, hash: string) => Uint8Array | undefined;
  readonly beforeEach?: (node: number, name: string) => Promise<void>;
}

/** Group-nodes that all tell what one source knows, unless the trick is on. Counts what is asked. */
const clientOf = (source: GrowingChains, trick: Trick = {}) => {
  const asked = { total: 0, now: 0, most: 0, bodies: new Set<string>() };
  const answer = (node: number, name: string, payload: unknown): unknown => {
    if (name === 'read.chain.hashes') {
      const at = payload as ChainSelector & { height: number };
      return { hashes: trick.hashes?.(node, at) ?? source.node.dag.hashesAt(at, at.height) };
    }
    const { hash } = payload as { hash: string };
    const roots = source.node.worldState(hash)!;
    if (name === 'read.inspection.block') return { state: trick.state?.(node, roots) ?? roots };
    const block = source.node.block(hash)!;
    const { from, to } = block.header.chainIndex;
    if (node !== from && node !== bodyTaker(from, to, 4)) throw noBody(hash);
    asked.bodies.add(`${node} ${hash}`);
    return { block: trick.block?.(node, hash) ?? block.raw, height: 0, isCanonical: true };
  };
  const request = async (node: number, name: string, payload: unknown): Promise<unknown> => {
    asked.total += 1;
    asked.most = Math.max(asked.most, ++asked.now);
    await trick.beforeEach?.(node, name);
    await new Promise((resolve) => setImmediate(resolve));
    asked.now -= 1;
    return answer(node, name, payload);
  };
  return { asked, client: { groups: 4, request } as unknown as GroupClient };
};

const noBody = (hash: string): ServiceError =>
  new ServiceError('not-found', 'BlockNotFound', `Block ${hash} not found`);

const fast = { everyMs: 1, attempts: 5 };

describe('loading canonical blocks over the bus', () => {
  let source: GrowingChains;
  beforeAll(async () => {
    source = await GrowingChains.create();
    await source.rounds(3, true);
    // Longer than one page of heights.
    for (let i = 0; i < 40; i++) await source.grow(chainOf(1, 2));
    await source.settle();
  });

  it('reads every block of every chain from both nodes that keep it, so many at a time', async () => {
    const { client, asked } = clientOf(source);
    const loaded = await loadCanonicalBlocks(client, { ...fast, concurrency: 16 });
    expect(loaded.differences).toEqual([]);
    expect(loaded.chains.map(({ from, to, blocks }) => [from, to, blocks.length])).toEqual(
      source.chains().map(({ from, to, blocks }) => [from, to, blocks.length]),
    );
    expect(asked.bodies.size).toBe(2 * loaded.chains.reduce((sum, { blocks }) => sum + blocks.length, 0));
    expect(asked.most).toBeLessThanOrEqual(32);
    const oracle = createLedgerOracle({ genesis: settings });
    oracle.load(loaded);
    oracle.expectSound();
  });

  it('waits until the chains stand still and takes what holds at one moment', async () => {
    const other = await GrowingChains.create();
    await other.rounds(2, true);
    let growing = 30;
    const { client } = clientOf(other, {
      beforeEach: async (node) => {
        if (node === 3 && growing > 0 && growing-- % 3 === 0) await other.grow(allChains[growing % 16]!);
      },
    });
    const loaded = await loadCanonicalBlocks(client, fast);
    expect(growing).toBe(0);
    const oracle = createLedgerOracle({ genesis: settings });
    oracle.load(loaded);
    const report = oracle.expectSound();
    expect(report.blocks).toBe(other.canonical().reduce((sum, { hashes }) => sum + hashes.length, 0));
  });

  it('says when nodes keep different chains or bytes, and when nothing stands still', async () => {
    const stray = '99'.repeat(32);
    const hashes: Trick['hashes'] = (node, { from, to, height }) =>
      node === 2 && from === 0 && to === 1 && height === 2 ? [stray] : undefined;
    const split = await loadCanonicalBlocks(clientOf(source, { hashes }).client, fast);
    expect(split.differences).toEqual([expect.stringContaining(`chain (0,1) at height 2: group-node 2 has ${stray}`)]);
    const [, first] = source.canonical()[6]!.hashes;
    const changed: Trick['block'] = (node, hash) => (node === 2 && hash === first ? Uint8Array.of(1) : undefined);
    const bytes = await loadCanonicalBlocks(clientOf(source, { block: changed }).client, fast);
    expect(bytes.differences).toEqual([`group-nodes 1 and 2 keep different bytes of block ${first}`]);
    const other = await GrowingChains.create();
    const beforeEach = async (node: number): Promise<void> => {
      if (node === 0 && other.node.sizes.blocks < 600) await other.grow(allChains[other.node.sizes.blocks % 16]!);
    };
    const restless = await loadCanonicalBlocks(clientOf(other, { beforeEach }).client, { everyMs: 1, attempts: 1 });
    expect(restless.differences).toContain('the chains never stood still');
  });

  it('says when a node keeps another state than its blocks make', async () => {
    const state: Trick['state'] = (node, roots) => (node === 3 ? { ...roots, outputRoot: '55'.repeat(32) } : roots);
    const oracle = createLedgerOracle({ genesis: settings });
    oracle.load(await loadCanonicalBlocks(clientOf(source, { state }).client, fast));
    expect(oracle.verify().problems.map(({ name }) => name)).toEqual(['StoredStateDiffers']);
  });

  it('finds the blocks off the chains that canonical ones depend on', async () => {
    const other = await GrowingChains.create();
    await other.rounds(2, true);
    // Two blocks of (0,1) at one height; a block of (0,0) builds on the one that is not canonical.
    const deps = other.node.bestDependencies(0);
    const rivals = [5, 6].map((later) =>
      other.import(
        other.next(chainOf(0, 1), { deps, timestamp: other.next(chainOf(0, 1)).header.timestamp + BigInt(later) }),
      ),
    );
    const loser = rivals.find(({ header }) => !other.node.dag.isCanonical(header.hash))!;
    const onLoser = deps.with(4, loser.header.hash);
    other.import(other.next(chainOf(0, 0), { deps: onLoser }));
    const loaded = await loadCanonicalBlocks(clientOf(other).client, fast);
    expect(loaded.side).toEqual([loser.raw]);
    const oracle = createLedgerOracle({ genesis: settings });
    oracle.load(loaded);
    expect(oracle.expectSound().sideDependencies).toBe(1);
  });

  it('rejects when a node does not answer', async () => {
    const beforeEach = async (node: number): Promise<void> => {
      if (node === 1) throw new Error('group-node 1 is away');
    };
    await expect(loadCanonicalBlocks(clientOf(source, { beforeEach }).client, fast)).rejects.toThrow('1 is away');
  });
});

import { describe, expect, it } from '@jest/globals';
import { silentLogger } from '@shardnode/core/observability';
import { type ChainChange, type PeerPublisher } from '@shardnode/messages';
import { type Block } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { type GroupState } from '../view/group-state.js';
import { type NodeReads } from '../view/reads.js';
import { ChainFeed } from './chain-feed.js';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** The feed of group 0 over a chain in memory; `isFarBehind` may change. */
const open = () => {
  const node = new MemoryNode(developmentNetwork);
  const clock = createStoppedClock();
  const blocks = new Map<string, Block>();
  const published: ChainChange[] = [];
  const ids: (string | undefined)[] = [];
  const publish = ((_name: string, change: ChainChange, options?: { readonly id?: string }) => {
    published.push(change);
    ids.push(options?.id);
  }) as PeerPublisher['publish'];
  const heads = [0, 1, 2, 3].map((to) => ({ to, seq: 1, hash: node.dag.genesis({ from: 0, to }) }));
  const loaded = async <Result>(run: () => Result): Promise<Result> => run();
  const memory = { published: node.dag, blocks, loaded };
  const state = { settings: developmentNetwork, group: 0, heads, memory } as unknown as GroupState;
  const behind = { value: false };
  const feed = new ChainFeed({
    state,
    store: {} as NodeReads['store'],
    clock,
    logger: silentLogger,
    peers: { publish },
    epoch: 'e',
    isFarBehind: () => behind.value,
    dropped: () => undefined,
  });
  /** Adds a block on top of the chain (0, 0). */
  const add = (): Block => {
    const block = nextBlock(node, { from: 0, to: 0 });
    node.importBlock(block.raw);
    blocks.set(block.header.hash, block);
    return block;
  };
  const plan = (block: Block) => feed.plan(new Map([[0, block.header.hash]]));
  const commit = (block: Block): void => feed.committed(plan(block));
  return { clock, published, ids, feed, behind, add, plan, commit, heads };
};

describe('changes of chains', () => {
  it('are announced one by one with consecutive numbers', async () => {
    const { published, ids, add, commit } = open();
    for (let i = 0; i < 3; i++) commit(add());
    await settled();
    expect(published.map(({ seq, kind, added }) => [seq, kind, added.length])).toEqual([
      [2, 'extend', 1],
      [3, 'extend', 1],
      [4, 'extend', 1],
    ]);
    expect(ids).toEqual(['e:0:0:2', 'e:0:0:3', 'e:0:0:4']);
    expect(published[1]!.fork).toEqual({ height: 1, hash: published[0]!.head.hash });
  });

  it('share a number and a message for a second while the node is far behind; the last 50 blocks are named', async () => {
    const { clock, published, add, commit, behind, heads } = open();
    behind.value = true;
    for (let i = 0; i < 60; i++) commit(add());
    clock.advance(999);
    await settled();
    expect(published).toEqual([]);
    expect(heads[0]!.seq).toBe(2);
    clock.advance(1);
    await settled();
    behind.value = false;
    commit(add());
    await settled();
    expect(published.map(({ seq, truncated, added, head }) => [seq, truncated, added.length, head.height])).toEqual([
      [2, true, 50, 60],
      [3, false, 1, 61],
    ]);
    expect(published[0]!.added[0]!.height).toBe(11);
    expect(published[0]!.fork.height).toBe(0);
  });

  it('belong to the message of the second in which their commit began', async () => {
    const { clock, published, add, plan, commit, feed, behind } = open();
    behind.value = true;
    commit(add());
    const planned = plan(add());
    clock.advance(1_010);
    feed.committed(planned);
    clock.advance(50);
    await settled();
    expect(published.map(({ seq, head }) => [seq, head.height])).toEqual([[2, 2]]);
  });

  it('that were planned when memory was rebuilt are left to the heartbeat', async () => {
    const { clock, published, add, commit, plan, feed, behind } = open();
    behind.value = true;
    commit(add());
    plan(add());
    feed.reset();
    clock.advance(2_000);
    await settled();
    expect(published).toEqual([]);
    expect((await feed.heads())[0]).toMatchObject({ chainTo: 0, seq: 2, height: 1 });
  });
});

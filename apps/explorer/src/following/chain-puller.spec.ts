import { beforeEach, describe, expect, it } from '@jest/globals';
import { coreError, ServiceError } from '@shardnode/core/errors';
import { silentLogger } from '@shardnode/core/observability';
import {
  type ChainPullReply,
  type SentBlock,
  type FeedInfo,
  type FeedPlace,
  type GroupClient,
} from '@shardnode/messages';
import { type Block, genesisBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { createStoppedClock, type StoppedClock } from '@shardnode/testing/clocks';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { ChainPuller, countKnown } from './chain-puller.js';
import { InvalidFeedReply } from '../group-nodes/checked-reply.js';
import { FeedSource } from '../group-nodes/feed-source.js';
import { FollowedChain, placeOf } from './followed-chain.js';
import { networkCheck, NetworkMismatch } from './network-mismatch.js';

const { groups } = developmentNetwork;
const chain = { from: 1, to: 2 };

const blocksOf = (count: number): Block[] => {
  const node = new MemoryNode(developmentNetwork);
  return [
    genesisBlock(developmentNetwork, chain),
    ...Array.from({ length: count }, () => {
      const block = nextBlock(node, chain);
      node.importBlock(block.raw);
      return block;
    }),
  ];
};
const all = blocksOf(4);
const sent = (block: Block, height: number): SentBlock => ({
  height,
  hash: block.header.hash,
  timestamp: Number(block.header.timestamp),
  block: Buffer.from(block.raw).toString('base64'),
  events: [],
});
const ref = (height: number) => ({
  height,
  hash: all[height]!.header.hash,
  timestamp: 0,
  txCount: 1,
  size: all[height]!.raw.length,
});

type Answer = (request: {
  readonly locators: readonly { readonly height: number; readonly hash: string }[];
}) => Partial<ChainPullReply>;

/** A node that has all blocks, or what a test makes of it. */
const honest: Answer = ({ locators }) => {
  const fork = locators.find(({ height, hash }) => all[height]?.header.hash === hash) ?? null;
  const first = fork ? fork.height + 1 : 0;
  const blocks = all.slice(first, first + 2).map((block, i) => sent(block, first + i));
  return { fork, blocks, head: ref(4), more: first + blocks.length < 5 };
};

describe('a puller of a chain', () => {
  let clock: StoppedClock;
  let followed: FollowedChain;
  let source: FeedSource;
  let puller: ChainPuller;
  let answers: Record<number, Answer | ServiceError>;
  let asked: number[];
  /** Heights that the database was asked for. */
  let looked: (readonly number[])[];
  /** Locators of each request. */
  let named: (readonly FeedPlace[] | undefined)[];
  let failures: unknown[];
  let networkId: number;
  let isSynced: boolean;

  const info = (group: number): Partial<FeedInfo> => ({
    group,
    groups,
    networkId,
    genesis: Array.from(
      { length: groups },
      (_, to) => genesisBlock(developmentNetwork, { from: group, to }).header.hash,
    ),
    synced: isSynced,
  });
  const client = {
    groups,
    request: async (group: number, name: string, payload: never) => {
      if (name === 'read.info') return info(group);
      asked.push(group);
      named.push((payload as { readonly locators?: readonly FeedPlace[] }).locators);
      const answer = answers[group]!;
      if (answer instanceof ServiceError) throw answer;
      return { epoch: 'e', chainFrom: chain.from, chainTo: chain.to, ...answer(payload) };
    },
  } as unknown as GroupClient;
  const quiet = async (): Promise<void> => {
    do await new Promise((resolve) => setImmediate(resolve));
    while (puller.isPulling);
  };

  const open = (): ChainPuller =>
    new ChainPuller(followed, {
      source,
      clock,
      logger: silentLogger,
      hashesAt: async (_, heights) => {
        looked.push(heights);
        return new Map(heights.map((height) => [height, all[height]!.header.hash]));
      },
      changed: () => undefined,
      pullFailed: () => undefined,
      failed: (error) => void failures.push(error),
    });

  beforeEach(() => {
    clock = createStoppedClock();
    followed = new FollowedChain(chain, undefined);
    answers = { 1: honest, 2: honest };
    asked = [];
    looked = [];
    named = [];
    failures = [];
    isSynced = true;
    networkId = developmentNetwork.networkId;
    source = new FeedSource({ client, clock, checkNetwork: networkCheck(developmentNetwork) });
    puller = open();
  });

  it('takes blocks until there are no more', async () => {
    puller.request();
    await quiet();
    expect(followed.queue.map(placeOf)).toEqual(all.map(({ header }, height) => ({ height, hash: header.hash })));
    expect(asked).toEqual([1, 1, 1]);
    puller.heard({ height: 4, hash: all[4]!.header.hash });
    await quiet();
    expect(asked).toHaveLength(3);
  });

  it('asks the database for its locators once after a start, and not for what was applied since', async () => {
    followed = new FollowedChain(chain, { height: 2, hash: all[2]!.header.hash });
    puller = open();
    puller.request();
    await quiet();
    followed.advance(2);
    puller.request();
    await quiet();
    expect(asked.length).toBeGreaterThan(1);
    expect(looked).toEqual([[0, 1, 2]]);
    expect(named.at(-1)).toEqual([4, 3, 2, 0].map((height) => ({ height, hash: all[height]!.header.hash })));
  });

  it('tells a block that a group-node does not have from a group-node that does not answer', async () => {
    const { hash } = all[1]!.header;
    answers[1] = () => ({ canonical: true }) as never;
    expect([await source.has(1, hash), await source.isCanonical(hash)]).toEqual([true, true]);
    answers[1] = new ServiceError('not-found', 'BlockNotFound', 'there is no such block');
    expect([await source.has(1, hash), await source.isCanonical(hash)]).toEqual([false, false]);
    answers[1] = answers[2] = coreError('NoResponder', 'the group-node is not available');
    await expect(source.has(1, hash)).rejects.toThrow('not available');
    await expect(source.isCanonical(hash)).rejects.toThrow('not available');
  });

  it('asks the second holder of the chain while the first is away', async () => {
    answers[1] = coreError('NoResponder', 'group-node 1 is not available');
    puller.request();
    await quiet();
    expect([followed.queue.length, puller.isUnreachable]).toEqual([5, false]);
    expect(new Set(asked)).toEqual(new Set([1, 2]));
  });

  it('tries again after longer and longer pauses while both are away', async () => {
    answers[1] = answers[2] = coreError('NoResponder', 'not available');
    puller.request();
    await quiet();
    expect([puller.isUnreachable, asked.length]).toEqual([true, 2]);
    for (const [pause, requests] of [
      [999, 2],
      [1, 4],
      [1_999, 4],
      [1, 6],
    ] as const) {
      clock.advance(pause);
      await quiet();
      expect(asked).toHaveLength(requests);
    }
    answers[1] = honest;
    puller.heard({ height: 4, hash: all[4]!.header.hash });
    await quiet();
    expect([followed.queue.length, puller.isUnreachable]).toEqual([5, false]);
  });

  const wrong: Readonly<Record<string, (reply: Partial<ChainPullReply>) => Partial<ChainPullReply>>> = {
    'another hash': ({ blocks, ...reply }) => ({
      ...reply,
      blocks: blocks!.map((block) => ({ ...block, hash: 'ab'.repeat(32) })),
    }),
    'another height': ({ blocks, ...reply }) => ({
      ...reply,
      blocks: blocks!.map((block) => ({ ...block, height: block.height + 1 })),
    }),
    'a hole': ({ blocks, ...reply }) => ({ ...reply, blocks: [blocks![0]!, sent(all[2]!, 1)] }),
    'bytes that are no block': ({ blocks, ...reply }) => ({
      ...reply,
      blocks: blocks!.map((block) => ({ ...block, block: 'AAAA' })),
    }),
    'a fork that was not asked for': (reply) => ({ ...reply, fork: { height: 0, hash: 'cd'.repeat(32) } }),
  };
  it.each(Object.keys(wrong))('drops a reply with %s, and stops the chain after three', async (problem) => {
    answers[1] = answers[2] = (request) => wrong[problem]!(honest(request));
    puller.request();
    await quiet();
    expect([followed.queue.length, puller.stoppedBy]).toEqual([0, undefined]);
    for (let retry = 0; retry < 2; retry++) {
      clock.advance(1_000);
      await quiet();
    }
    expect(asked).toEqual([1, 2, 1]);
    expect(puller.stoppedBy).toEqual(expect.any(String));
    expect(failures).toEqual([]);
  });

  it('goes on with the second holder when the first replies wrongly', async () => {
    answers[1] = () => ({ ...honest({ locators: [] }), blocks: [sent(all[3]!, 0)] });
    puller.request();
    await quiet();
    clock.advance(1_000);
    await quiet();
    expect(followed.queue.length).toBeGreaterThan(0);
    expect(puller.stoppedBy).toBeUndefined();
  });

  it('ends everything when the node is of another network', async () => {
    networkId = 77;
    puller.request();
    await quiet();
    expect(failures).toEqual([expect.any(NetworkMismatch)]);
    expect(failures[0]).not.toBeInstanceOf(InvalidFeedReply);
  });

  it('follows a node that is not synced no further down', async () => {
    const blocks = all.map((block, height) => ({ height, block, events: [] }));
    followed.accept(undefined, blocks, ref(4));
    followed.advance(5);
    const genesis = { height: 0, hash: all[0]!.header.hash };
    answers[1] = answers[2] = () => ({ fork: genesis, blocks: [], head: ref(0), more: false });
    isSynced = false;
    puller.request();
    await quiet();
    expect([followed.isReorganising, followed.head]).toEqual([false, { height: 4, hash: all[4]!.header.hash }]);
    isSynced = true;
    puller.request();
    await quiet();
    expect(followed.replacement).toEqual({ forkHeight: 0, added: [] });
  });
});

it('counts the blocks of a reply that are applied', () => {
  const blocks = all.map((block, height) => ({ height, block, events: [] }));
  const applied = new Map(all.slice(0, 3).map(({ header }, height) => [height, header.hash]));
  expect(countKnown(blocks, applied)).toBe(3);
  expect(countKnown(blocks.slice(0, 2), applied)).toBe(2);
  expect(countKnown(blocks, new Map())).toBe(0);
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { silentLogger } from '@shardnode/core/observability';
import { type GroupClient, groupClient } from '@shardnode/messages';
import { type Block, chainIndexOfHash, decodeBlock } from '@shardnode/protocol/block';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { allChainIndexes, type ChainIndex, type Hash } from '@shardnode/protocol/primitives';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import {
  compareFinalState,
  compareVerdicts,
  Differences,
  readHistory,
  replayPermuted,
} from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { embeddedStores, type EmbeddedStores } from './support/embedded-stores.js';
import { coin, TestNetwork, until } from './support/network.js';
import { groupNodesTarget, openSilentNodes } from './support/replay-target.js';

const window = 4;
const small = { recentHeights: window, settledHeights: 1 };
const whole = { recentHeights: 1_000_000 };

describe('a history whose blocks arrive in a random order, with windows of four heights', () => {
  let stores: EmbeddedStores;
  beforeAll(async () => {
    stores = await embeddedStores();
  });
  afterAll(() => stores.remove());

  it('ends as recorded, also after a restart', async () => {
    const history = readHistory(historyFolder('chain-forks/views-a'));
    const open = async () => {
      const limits = { trieNodeBytes: 2 ** 20, blockBytes: 2 ** 20, ...small };
      const nodes = await openSilentNodes({ settings: history.settings, store: stores.store, limits });
      return { nodes, target: groupNodesTarget(nodes, async () => undefined) };
    };
    const differences = new Differences();
    const { nodes, target } = await open();
    await replayPermuted(target, history, 3, differences, { twice: true });
    await compareVerdicts(target, history, history.blocks.length, differences);
    await target.checkProjections();
    for (const { state } of nodes) expect(state.memory.dag.size).toBeLessThan(history.blocks.length);
    await target.close();
    const again = (await open()).target;
    await compareFinalState(again, history, differences);
    await again.close();
    expect(differences.list).toEqual([]);
  });
});

describe('settled blocks', () => {
  let network: TestNetwork;
  let rich: readonly TestKey[];
  const made: Hash[] = [];
  const sent: { readonly group: number; readonly txId: Hash }[] = [];
  const start = Date.now();

  beforeEach(async () => {
    network = await TestNetwork.open({ mining: 'off', ...small });
    rich = await developmentKeys();
    made.length = 0;
    sent.length = 0;
  });
  afterEach(() => network.close());

  const chains = allChainIndexes(settings.groups);
  const restartAll = async (overrides: { readonly recentHeights: number }): Promise<void> => {
    for (const group of network.groups) await network.stopGroup(group);
    await Promise.all(network.groups.map((group) => network.startGroup(group, overrides)));
    await network.synced();
  };

  /** Rounds over the chains of groups 0 and 1, with a transfer between them in each. */
  const grow = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const from = round % 2;
      const { txId } = await network.transfer(rich[from]!, [{ key: testKeyOfGroup(1 - from), amount: coin }]);
      sent.push({ group: from, txId });
      for (const [a, b] of [
        [from, 1 - from],
        [from, from],
        [1 - from, 1 - from],
      ] as const) {
        made.push((await network.mineForAll(a, b)).blockHash);
      }
    }
  };

  const answered = async (ask: Promise<unknown>): Promise<unknown> => ask.catch((error: unknown) => String(error));

  /** Clients that speak as the group-nodes do. */
  const openSiblings = (): Promise<GroupClient[]> =>
    Promise.all(
      network.groups.map(async (member) => {
        const joined = await network.network.join({ sender: { service: 'group-node', member }, logger: silentLogger });
        return groupClient(joined.bus, { ns: 'test', groups: settings.groups });
      }),
    );

  /** What a client is told of all blocks, heights and transactions. */
  const answers = async (): Promise<Record<string, unknown>> => {
    const { client, explorer } = network;
    const siblings = await openSiblings();
    const found: Record<string, unknown> = {};
    const intervals = [
      { fromTs: 0, toTs: Date.now() + 60_000 },
      { fromTs: start, toTs: start + 300 },
      { fromTs: start + 100, toTs: start + 2_000 },
    ];
    for (const group of network.groups) {
      for (const hash of [...made, 'ab'.repeat(31) + made[0]!.slice(62)]) {
        found[`block ${group} ${hash}`] = await answered(
          client.request(group, 'read.chain.block', { hash, withEvents: true }),
        );
        found[`header ${group} ${hash}`] = await answered(client.request(group, 'read.chain.header', { hash }));
        found[`events ${group} ${hash}`] = await answered(client.request(group, 'read.events.block', { hash }));
        found[`canonical ${group} ${hash}`] = await answered(
          client.request(group, 'read.chain.is-canonical', { hash }),
        );
        found[`inspected ${group} ${hash}`] = await answered(client.request(group, 'read.inspection.block', { hash }));
        found[`feed ${group} ${hash}`] = await answered(explorer.request(group, 'read.block.get', { hash }));
      }
      for (const interval of intervals) {
        found[`blocks ${group} ${interval.fromTs}`] = await client.request(group, 'read.chain.blocks', interval);
        found[`work ${group} ${interval.fromTs}`] = await client.request(group, 'read.chain.work', interval);
      }
      found[`heads ${group}`] = await explorer.request(group, 'read.chain.heads', {});
    }
    for (const chain of chains) {
      const { from, to } = chain;
      for (const group of network.groups) {
        found[`chain ${group} ${from}${to}`] = await client.request(group, 'read.inspection.chain', chain);
        for (let height = 0; height < 16; height++) {
          found[`hashes ${group} ${from}${to} ${height}`] = await client.request(group, 'read.chain.hashes', {
            ...chain,
            height,
          });
        }
      }
      for (const hash of made) {
        const request = { asker: (from + 1) % settings.groups, chain, locator: [hash] };
        const { sentAt: _, ...page } = await siblings[request.asker]!.request(from, 'read.sync.pull', request);
        found[`page ${from}${to} ${hash}`] = page;
      }
      const pull = { chainFrom: from, chainTo: to, locators: [], limit: 10 };
      found[`feed ${from}${to}`] = await answered(explorer.request(from, 'read.chain.pull', pull));
    }
    for (const { group, txId } of sent) {
      found[`status ${txId}`] = await client.request(group, 'read.transaction.status', { txId });
      found[`details ${txId}`] = await client.request(group, 'read.transaction.details', { txId });
    }
    return found;
  };

  const blockOf = async (hash: Hash): Promise<Block> => {
    for (const group of network.groups) {
      const found = await network.client.request(group, 'read.chain.block', { hash }).catch(() => undefined);
      if (found) return decodeBlock(found.block, settings.groups);
    }
    throw new Error(`no group has block ${hash}`);
  };

  /** A node that has the first blocks alone. */
  const nodeAfter = async (count: number): Promise<MemoryNode> => {
    const node = new MemoryNode(settings);
    for (const hash of made.slice(0, count)) node.importBlock((await blockOf(hash)).raw);
    return node;
  };

  const submit = async ({ raw, header }: Block): Promise<void> => {
    expect(await network.client.request(header.chainIndex.from, 'command.block.submit', { block: raw })).toEqual({
      outcome: 'added',
    });
  };

  const hashesAt = (chain: ChainIndex, height: number): Promise<readonly (readonly string[])[]> =>
    Promise.all(
      network.groups.map(
        async (group) => (await network.client.request(group, 'read.chain.hashes', { ...chain, height })).hashes,
      ),
    );

  it('are told as those in memory: by hash, height and time, transactions, pages for siblings and followers', async () => {
    await grow(8);
    const told = await answers();
    for (const hash of made) {
      const { from } = chainIndexOfHash(hash, settings.groups);
      const shown = await network.client.request(from, 'read.view.includes', { blockHash: hash });
      expect([hash, shown]).toEqual([hash, { included: true }]);
      const { raw: block } = await blockOf(hash);
      const again = await network.client.request(from, 'command.block.submit', { block });
      expect([hash, again]).toEqual([hash, { outcome: 'known' }]);
    }
    await restartAll(small);
    expect(await answers()).toEqual(told);
    await restartAll(whole);
    expect(await answers()).toEqual(told);
  });

  it('come back to a group that has lost its database, and to one that was away', async () => {
    await grow(4);
    await network.stopGroup(3);
    await network.wipe(3);
    await network.stopGroup(2);
    await network.startGroup(3);
    await grow(0);
    await network.startGroup(2);
    await network.synced();
    for (const chain of chains) {
      for (let height = 0; height < 10; height++) {
        const [first, ...others] = await hashesAt(chain, height);
        for (const hashes of others) expect([chain, height, hashes]).toEqual([chain, height, first]);
      }
    }
    made.push((await network.mineForAll(3, 3)).blockHash);
    for (const group of network.groups) {
      expect(await (await network.store(group)).checkProjection()).toMatchObject({ equal: true });
    }
  });

  it.each([window - 1, window + 1])('get a late block whose parent is %s below the top', async (depth) => {
    await grow(6);
    const chain = { from: 0, to: 0 };
    const top = (await network.client.request(0, 'read.chain.info', chain)).currentHeight;
    const [[parent]] = (await hashesAt(chain, top - depth)) as [string[]];
    const node = await nodeAfter(made.indexOf(parent!) + 1);
    await submit(nextBlock(node, chain, { miner: rich[0]!.lockupScript }));
    await until('every group has both', async () =>
      (await hashesAt(chain, top - depth + 1)).every((hashes) => hashes.length === 2),
    );
    const told = await answers();
    await restartAll(whole);
    expect(await answers()).toEqual(told);
  });

  it.each([window - 1, window + 1])('are turned over by a branch that begins %s below the top', async (depth) => {
    await grow(6);
    const chain = { from: 0, to: 0 };
    const top = (await network.client.request(0, 'read.chain.info', chain)).currentHeight;
    const [[parent]] = (await hashesAt(chain, top - depth)) as [string[]];
    const node = await nodeAfter(made.indexOf(parent!) + 1);
    const branch = Array.from({ length: depth + 2 }, () => {
      const block = nextBlock(node, chain, { miner: rich[0]!.lockupScript });
      node.importBlock(block.raw);
      return block;
    });
    for (const block of branch) await submit(block);
    const { hash } = branch.at(-1)!.header;
    await until('every group follows it', async () =>
      (await hashesAt(chain, top + 2)).every(([canonical]) => canonical === hash),
    );
    const told = await answers();
    for (const group of network.groups) {
      expect(await (await network.store(group)).checkProjection()).toMatchObject({ equal: true });
    }
    await restartAll(whole);
    expect(await answers()).toEqual(told);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { type GroupRepliesAtOnce } from '@shardnode/messages';
import { decodeBlock } from '@shardnode/protocol/block';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { groupOfLockupScript, type Hash } from '@shardnode/protocol/primitives';
import { transactionId } from '@shardnode/protocol/transaction';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { readHistory } from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { type GroupNode } from '../src/group-node.js';
import { AddressRpc } from '../src/rpc/address.js';
import { ChainRpc } from '../src/rpc/chain.js';
import { repliesAtOnce } from '../src/rpc/replies-at-once.js';
import { TransactionRpc } from '../src/rpc/transaction.js';
import { type GroupStore } from '../src/store/index.js';
import { embeddedStores, type EmbeddedStores } from './support/embedded-stores.js';
import { coin, lockupHex, minerAddresses, TestNetwork } from './support/network.js';
import { groupNodesTarget, openSilentNodes } from './support/replay-target.js';

/** Every third commit fails before anything is written: the memory is made anew then. */
const failing = (store: GroupStore): GroupStore => {
  let count = 0;
  return {
    ...store,
    commitBlocks: async (commits) => {
      if (++count > 1 && count % 3 === 0) throw new Error('the database went away');
      await store.commitBlocks(commits);
    },
  };
};

/** What one node is asked again and again, and how often it had the reply in memory. */
class Questions {
  readonly addresses = new Set<string>();
  readonly transactions = new Set<Hash>();
  atOnce = 0;
  memories = new Set<object>();
  private readonly replies: GroupRepliesAtOnce;

  constructor(private readonly node: GroupNode) {
    this.replies = repliesAtOnce(node);
  }

  private async same(reply: unknown, asked: Promise<unknown>): Promise<void> {
    const expected = await asked.catch(() => 'refused');
    if (reply === undefined) return;
    this.atOnce += 1;
    expect(reply).toEqual(expected);
  }

  /** Each reply that is there is the one of the handler of the request. */
  async check(): Promise<void> {
    const { node, replies } = this;
    this.memories.add(node.state.memory);
    const [addresses, transactions] = [new AddressRpc(node), new TransactionRpc(node)];
    const chain = { from: 0, to: node.state.group };
    await this.same(replies['read.chain.info']!(chain), Promise.resolve(new ChainRpc(node).info(chain)));
    for (const lockupScript of this.addresses) {
      for (const mempool of [true, false]) {
        const question = { lockupScript, mempool };
        await this.same(replies['read.address.balance']!(question), addresses.balance(question));
      }
      await this.same(replies['read.address.utxos']!({ lockupScript }), addresses.utxos({ lockupScript }));
    }
    for (const txId of this.transactions) {
      await this.same(replies['read.transaction.status']!({ txId }), transactions.status({ txId }));
      await this.same(replies['read.transaction.details']!({ txId }), transactions.details({ txId }));
    }
  }
}

describe('replies that are there at once, over a history with forks and commits that fail', () => {
  let stores: EmbeddedStores;
  beforeAll(async () => {
    stores = await embeddedStores();
  });
  afterAll(() => stores.remove());

  it('are those of the handlers after every block', async () => {
    const history = readHistory(historyFolder('chain-forks/views-a'));
    const { settings } = history;
    const nodes = await openSilentNodes({ settings, store: async (group) => failing(await stores.store(group)) });
    const target = groupNodesTarget(nodes, async () => undefined);
    const questions = nodes.map((node) => new Questions(node));
    const lines = history.blocks.slice(0, 50);
    const wasCanonical = new Set<Hash>();
    let replaced = 0;
    for (const { raw, hash } of lines) {
      for (const { unsigned } of decodeBlock(hexToBytes(raw), settings.groups).transactions) {
        for (const { transactions } of questions) if (transactions.size < 30) transactions.add(transactionId(unsigned));
        for (const { lockupScript } of unsigned.fixedOutputs) {
          const { addresses } = questions[groupOfLockupScript(lockupScript, settings.groups)]!;
          if (addresses.size < 8) addresses.add(lockupHex(lockupScript));
        }
      }
      for (let attempt = 0; attempt < 10; attempt++) {
        await target.importBlock(hexToBytes(raw)).catch(() => undefined);
        for (const node of nodes) await node.settle().catch(() => undefined);
        for (const asked of questions) await asked.check();
        if (nodes.every(({ state }) => state.memory.published.has(hash))) break;
      }
      const { published } = nodes[0]!.state.memory;
      for (const line of lines)
        if (published.has(line.hash) && published.isCanonical(line.hash)) wasCanonical.add(line.hash);
      replaced = [...wasCanonical].filter((known) => published.has(known) && !published.isCanonical(known)).length;
    }
    expect(replaced).toBeGreaterThan(0);
    for (const { atOnce, memories } of questions) {
      expect(atOnce).toBeGreaterThan(500);
      expect(memories.size).toBeGreaterThan(3);
    }
    for (const node of nodes) await node.stop().catch(() => undefined);
  });
});

describe('replies that are there at once, in a network', () => {
  let network: TestNetwork;
  let rich: readonly TestKey[];
  let ahead = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
  beforeAll(async () => {
    network = await TestNetwork.open({ mining: 'off', clockOf: () => clock });
    rich = await developmentKeys();
  });
  afterAll(() => network.close());

  /** Asked and found in memory, and the same. */
  const balanceOf = async ({ group, lockupScript }: Pick<TestKey, 'group' | 'lockupScript'>, mempool = true) => {
    const question = { lockupScript: lockupHex(lockupScript), mempool };
    const before = network.client.atOnce(group, 'read.address.balance', question);
    const asked = await network.client.request(group, 'read.address.balance', question);
    if (before) expect(before).toEqual(asked);
    const after = network.client.atOnce(group, 'read.address.balance', question);
    expect(after).toEqual(asked);
    expect(network.client.atOnce(group, 'read.address.balance', question)).toBe(after);
    return asked;
  };

  it('show a change of the pool, a block, and an emptied pool', async () => {
    const [from, to] = [rich[0]!, testKeyOfGroup(0)];
    const before = BigInt((await balanceOf(from)).balance);
    expect((await balanceOf(to)).balance).toBe('0');
    const { txId } = await network.transfer(from, [{ key: to, amount: coin }]);
    expect(network.client.atOnce(0, 'read.transaction.status', { txId })).toBeUndefined();
    expect(BigInt((await balanceOf(from)).balance)).toBeLessThan(before - coin);
    expect((await balanceOf(to)).balance).toBe(String(coin));
    expect((await balanceOf(to, false)).balance).toBe('0');
    await network.client.request(0, 'command.mempool.clear', {});
    expect(BigInt((await balanceOf(from)).balance)).toBe(before);
    expect((await balanceOf(to)).balance).toBe('0');
    const again = await network.transfer(from, [{ key: to, amount: 2n * coin }]);
    await network.mine(0, 0);
    expect(network.client.atOnce(0, 'read.transaction.status', { txId: again.txId })).toMatchObject({
      type: 'Confirmed',
      chainConfirmations: 1,
    });
    expect((await balanceOf(to, false)).balance).toBe(String(2n * coin));
    await network.mine(0, 0);
    expect(network.client.atOnce(0, 'read.transaction.status', { txId: again.txId })).toMatchObject({
      type: 'Confirmed',
      chainConfirmations: 2,
    });
  });

  it('show a lock that opens, also when the clock is put back', async () => {
    const miner = { group: 0, lockupScript: minerAddresses[0]! };
    const { balance, lockedBalance } = await balanceOf(miner);
    expect([BigInt(balance) > 0n, lockedBalance]).toEqual([true, balance]);
    ahead = 365 * 24 * 3_600_000;
    expect(await balanceOf(miner)).toMatchObject({ balance, lockedBalance: '0' });
    ahead = 0;
    expect(await balanceOf(miner)).toMatchObject({ balance, lockedBalance: balance });
  });
});

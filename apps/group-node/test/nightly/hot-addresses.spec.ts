import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { decodeBlock } from '@shardnode/protocol/block';
import { decode, hexToBytes } from '@shardnode/protocol/encoding';
import { assetLockupScriptCodec, groupOfLockupScript, type Hash } from '@shardnode/protocol/primitives';
import { transactionId } from '@shardnode/protocol/transaction';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { readHistory } from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { RecentLocations } from '../../src/dag/recent-locations.js';
import { type GroupNode } from '../../src/group-node.js';
import { AddressRpc } from '../../src/rpc/address.js';
import { TransactionRpc } from '../../src/rpc/transaction.js';
import { type GroupStore } from '../../src/store/index.js';
import { AddressSets } from '../../src/view/address-sets.js';
import { embeddedStores, type EmbeddedStores } from '../support/embedded-stores.js';
import { coin, lockupHex, minerAddresses, TestNetwork } from '../support/network.js';
import { groupNodesTarget, openSilentNodes } from '../support/replay-target.js';

/** Every third commit fails before anything is written: the node rebuilds its memory then. */
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

const scriptOf = (hex: string) => decode(assetLockupScriptCodec, hexToBytes(hex));

/** A node's answers from what it remembers, beside those of the same node that remembers nothing and asks its store. */
class Comparison {
  readonly addresses = new Set<string>();
  readonly transactions = new Set<Hash>();
  fromMemory = 0;
  readonly memories = new Set<object>();

  constructor(private readonly node: GroupNode) {}

  /** Each address and each transaction. */
  async check(): Promise<void> {
    const { node } = this;
    const { state, store } = node;
    this.memories.add(state.memory);
    const forgetful = {
      ...node,
      state: { ...state, addresses: new AddressSets(store), locations: new RecentLocations() },
    } as GroupNode;
    const [remembered, stored] = [new AddressRpc(node), new AddressRpc(forgetful)];
    const replyOf = (reply: Promise<unknown>): Promise<unknown> => reply.catch(() => 'refused');
    for (const lockupScript of this.addresses) {
      if (state.addresses.peek(scriptOf(lockupScript))) this.fromMemory += 1;
      for (const mempool of [true, false]) {
        const question = { lockupScript, mempool };
        expect(await remembered.balance(question)).toEqual(await stored.balance(question));
      }
      expect(await remembered.utxos({ lockupScript })).toEqual(await stored.utxos({ lockupScript }));
    }
    const [recent, old] = [new TransactionRpc(node), new TransactionRpc(forgetful)];
    for (const txId of this.transactions) {
      if (state.locations.get(txId).length > 0) this.fromMemory += 1;
      expect(await recent.status({ txId })).toEqual(await old.status({ txId }));
      expect(await replyOf(recent.details({ txId }))).toEqual(await replyOf(old.details({ txId })));
    }
  }
}

describe('what a node remembers of addresses and transactions, over a history with forks and commits that fail', () => {
  let stores: EmbeddedStores;
  beforeAll(async () => {
    stores = await embeddedStores();
  });
  afterAll(() => stores.remove());

  it('is what its store says, after every block', async () => {
    const history = readHistory(historyFolder('chain-forks/views-a'));
    const { settings } = history;
    const nodes = await openSilentNodes({ settings, store: async (group) => failing(await stores.store(group)) });
    const target = groupNodesTarget(nodes, async () => undefined);
    const comparisons = nodes.map((node) => new Comparison(node));
    const lines = history.blocks.slice(0, 50);
    const wasCanonical = new Set<Hash>();
    let replaced = 0;
    for (const { raw, hash } of lines) {
      for (const { unsigned } of decodeBlock(hexToBytes(raw), settings.groups).transactions) {
        for (const { transactions } of comparisons)
          if (transactions.size < 15) transactions.add(transactionId(unsigned));
        for (const { lockupScript } of unsigned.fixedOutputs) {
          const { addresses } = comparisons[groupOfLockupScript(lockupScript, settings.groups)]!;
          if (addresses.size < 5) addresses.add(lockupHex(lockupScript));
        }
      }
      for (let attempt = 0; attempt < 10; attempt++) {
        await target.importBlock(hexToBytes(raw)).catch(() => undefined);
        for (const node of nodes) await node.settle().catch(() => undefined);
        for (const comparison of comparisons) await comparison.check();
        if (nodes.every(({ state }) => state.memory.published.has(hash))) break;
      }
      const { published } = nodes[0]!.state.memory;
      for (const line of lines)
        if (published.has(line.hash) && published.isCanonical(line.hash)) wasCanonical.add(line.hash);
      replaced = [...wasCanonical].filter((known) => published.has(known) && !published.isCanonical(known)).length;
    }
    expect(replaced).toBeGreaterThan(0);
    for (const { fromMemory, memories } of comparisons) {
      expect(fromMemory).toBeGreaterThan(100);
      expect(memories.size).toBeGreaterThan(3);
    }
    for (const node of nodes) await node.stop().catch(() => undefined);
  });
});

describe('balances of addresses that a node remembers', () => {
  let network: TestNetwork;
  let rich: readonly TestKey[];
  let ahead = 0;
  const clock: Clock = { ...systemClock, now: () => systemClock.now() + ahead };
  beforeAll(async () => {
    network = await TestNetwork.open({ mining: 'off', clockOf: () => clock });
    rich = await developmentKeys();
  });
  afterAll(() => network.close());

  /** Asked twice: the second time from memory. */
  const balanceOf = async ({ group, lockupScript }: Pick<TestKey, 'group' | 'lockupScript'>, mempool = true) => {
    const question = { lockupScript: lockupHex(lockupScript), mempool };
    const asked = await network.client.request(group, 'read.address.balance', question);
    expect(await network.client.request(group, 'read.address.balance', question)).toEqual(asked);
    return asked;
  };
  const statusOf = (txId: string) => network.client.request(0, 'read.transaction.status', { txId });

  it('show a change of the pool, a block, and an emptied pool', async () => {
    const [from, to] = [rich[0]!, testKeyOfGroup(0)];
    const before = BigInt((await balanceOf(from)).balance);
    expect((await balanceOf(to)).balance).toBe('0');
    const { txId } = await network.transfer(from, [{ key: to, amount: coin }]);
    expect(await statusOf(txId)).toMatchObject({ type: 'MemPooled' });
    expect(BigInt((await balanceOf(from)).balance)).toBeLessThan(before - coin);
    expect((await balanceOf(to)).balance).toBe(String(coin));
    expect((await balanceOf(to, false)).balance).toBe('0');
    await network.client.request(0, 'command.mempool.clear', {});
    expect(BigInt((await balanceOf(from)).balance)).toBe(before);
    expect((await balanceOf(to)).balance).toBe('0');
    const again = await network.transfer(from, [{ key: to, amount: 2n * coin }]);
    await network.mine(0, 0);
    expect(await statusOf(again.txId)).toMatchObject({
      type: 'Confirmed',
      chainConfirmations: 1,
    });
    expect((await balanceOf(to, false)).balance).toBe(String(2n * coin));
    await network.mine(0, 0);
    expect(await statusOf(again.txId)).toMatchObject({
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

import { afterEach, describe, expect, it } from '@jest/globals';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { genesisBlock } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { blockEffects } from '@shardnode/protocol/state';
import { transactionId } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer } from '@shardnode/testing/builders';
import { developmentKeys, testKeyOfGroup, testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { coin, TestNetwork, until } from './support/network.js';

const minute = 60_000;
const hour = 60 * minute;

/** Clocks that a test puts forward; what is to happen in a minute happens in half a second. */
class MovableClocks {
  private readonly ahead = [0, 0, 0, 0];

  move(milliseconds: number, groups: readonly number[] = [0, 1, 2, 3]): void {
    for (const group of groups) this.ahead[group]! += milliseconds;
  }

  readonly clockOf = (group: number): Clock => ({
    now: () => systemClock.now() + this.ahead[group]!,
    monotonic: () => systemClock.monotonic(),
    after: (milliseconds, action) => systemClock.after(Math.min(milliseconds, 500), action),
  });
}

/** The output that the genesis gives. */
const allocation = ({ group }: TestKey) => {
  const block = genesisBlock(developmentNetwork, { from: group, to: group });
  const { reference, output } = blockEffects(block).transactions[0]!.outputs[0]!;
  if (output.kind !== 'asset') throw new Error('an allocation is an asset output');
  return { reference, output };
};

describe('pending transactions (decisions 12, 31)', () => {
  let network: TestNetwork;
  afterEach(() => network.close());

  const submit = (group: number, template: Uint8Array) =>
    network.client.request(group, 'command.mempool.submit', { template });

  it('are refused when the pool is full, and nothing is stored of them', async () => {
    network = await TestNetwork.open({ mining: 'off', poolCapacity: 2 });
    const rich = await developmentKeys();
    const send = () => network.transfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
    const first = await network.signedTransfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
    const { txId } = await submit(0, first);
    await send();
    const third = await network.signedTransfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
    const refused = { kind: 'unavailable', code: 'MempoolFull', data: { group: 0 } };
    const full =
      'The mempool of group 0 is full: 2 transactions wait there. This one was not kept: submit it again later';
    await expect(submit(0, third)).rejects.toMatchObject({ ...refused, detail: full });
    const store = await network.store(0);
    expect(await store.listPending()).toHaveLength(2);
    // Other groups have room, and what is in already stays acknowledged.
    await network.transfer(rich[1]!, [{ key: testKeyOfGroup(1), amount: coin }]);
    expect(await submit(0, first)).toMatchObject({ txId });
    await network.mine(0, 0);
    await submit(0, third);
    await expect(send()).rejects.toMatchObject(refused);
    // A confirmed one is confirmed, however full the pool is.
    expect((await network.status(0, txId)).type).toBe('Confirmed');
    expect(await submit(0, first)).toMatchObject({ txId });
  });

  it('that a mined one conflicts with leave, with what depends on them, and tell why', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const rich = await developmentKeys();
    const pending = await network.transfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
    const child = await network.transfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
    const [, receiver] = testKeysOfGroup(0, 2);
    const rival = buildSignedTransfer({
      settings: developmentNetwork,
      from: rich[0]!,
      spend: [allocation(rich[0]!)],
      outputs: [assetOutput(receiver!.lockupScript, 9n * coin)],
    });
    const conflictingTxId = transactionId(rival.unsigned);
    const block = nextBlock(new MemoryNode(developmentNetwork), { from: 0, to: 0 }, { transactions: [rival] });
    await network.client.request(0, 'command.block.submit', { block: block.raw });
    const gone = { type: 'TxNotFound', reason: { code: 'DoubleSpending', conflictingTxId } };
    for (const { txId } of [pending, child]) {
      // Whoever finds it gone finds the reason, too.
      const seen: unknown[] = [];
      await until('it is gone', async () => {
        const status = await network.status(0, txId);
        if (status.type === 'MemPooled') return false;
        seen.push(status);
        return true;
      });
      expect(seen).toMatchObject([gone]);
    }
    expect((await network.status(0, conflictingTxId)).type).toBe('Confirmed');
    await network.restart();
    expect(await network.status(0, pending.txId)).toMatchObject(gone);
    expect(await network.balance(receiver!)).toBe(9n * coin);
  });

  it('leave after two hours, and the reason is known for a day', async () => {
    const clocks = new MovableClocks();
    network = await TestNetwork.open({ mining: 'off', clockOf: clocks.clockOf });
    const rich = await developmentKeys();
    const { txId } = await network.transfer(rich[2]!, [{ key: testKeyOfGroup(2), amount: coin }]);
    const reason = async () => {
      const status = await network.status(2, txId);
      return status.type === 'TxNotFound' ? (status.reason?.code ?? 'none') : status.type;
    };
    clocks.move(119 * minute);
    await new Promise((resolve) => setTimeout(resolve, 1_200));
    expect(await reason()).toBe('MemPooled');
    clocks.move(2 * minute);
    await until('it is dropped', async () => (await reason()) === 'Expired');
    expect(await network.balance(rich[2]!)).toBe(10n ** 24n);
    clocks.move(23 * hour);
    await network.restart();
    expect(await reason()).toBe('Expired');
    clocks.move(2 * hour);
    await until('it is forgotten', async () => (await reason()) === 'none');
  });

  it('wait while the clock is off: neither admitting nor mining, until it is right again', async () => {
    const clocks = new MovableClocks();
    network = await TestNetwork.open({ mining: 'off', clockOf: clocks.clockOf });
    const rich = await developmentKeys();
    const send = (group: number) => network.transfer(rich[group]!, [{ key: testKeyOfGroup(group), amount: coin }]);
    const state = (group: number) => network.client.request(group, 'read.node.status', {});
    const template = await network.signedTransfer(rich[3]!, [{ key: testKeyOfGroup(3), amount: coin }]);
    clocks.move(8_000, [3]);
    await until('the clock is found to be off', async () => !(await state(3)).synced);
    const { clockOffset } = await state(3);
    expect(Math.abs(clockOffset! - 8_000)).toBeLessThan(2_000);
    const off = { kind: 'unavailable', code: 'ClockOff', data: { group: 3 } };
    await expect(submit(3, template)).rejects.toMatchObject(off);
    await expect(submit(3, template)).rejects.toThrow(/clock is \d+ ms away/);
    await expect(network.mine(3, 3)).rejects.toMatchObject(off);
    // One clock that differs is no majority for the others.
    for (const group of [0, 1, 2]) expect((await state(group)).synced).toBe(true);
    await send(0);
    clocks.move(-8_000, [3]);
    await until('the clock is right again', async () => (await state(3)).synced);
    await submit(3, template);
    await network.mine(3, 3);
  });
});

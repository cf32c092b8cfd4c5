import { afterEach, describe, expect, it } from '@jest/globals';
import { type Clock, systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { groupRouting, type PeerEvents } from '@shardnode/messages';
import { genesisBlock } from '@shardnode/protocol/block';
import { decode, encode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { blockEffects } from '@shardnode/protocol/state';
import { transactionId, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { assetOutput, buildSignedTransfer } from '@shardnode/testing/builders';
import { developmentKeys, testKeyOfGroup, testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { embeddedStores } from '../support/embedded-stores.js';
import { openLoneNode } from '../support/lone-node.js';
import { coin, TestNetwork, until } from '../support/network.js';

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

  it('are refused above half of the pool when they depend on many that are not mined, and told what helps', async () => {
    network = await TestNetwork.open({ mining: 'off', poolCapacity: 60 });
    const rich = await developmentKeys();
    const next = () => network.signedTransfer(rich[0]!, [{ key: testKeyOfGroup(0), amount: coin }]);
    const first = await next();
    const { txId } = await submit(0, first);
    for (let placed = 1; placed < 30; placed++) await submit(0, await next());
    const last = await next();
    const refused = {
      kind: 'unavailable',
      code: 'TooManyUnminedAncestors',
      data: { group: 0, ancestorLimit: 25 },
      detail: expect.stringMatching(
        /^Transaction [0-9a-f]{64} has more than 25 unmined ancestors, and the mempool of group 0 is at least half full \(30 of 60\)\. It was not kept: put several destinations into one transaction, or split the output beforehand; or submit it again when its ancestors are mined$/,
      ),
    };
    await expect(submit(0, last)).rejects.toMatchObject(refused);
    const store = await network.store(0);
    expect(await store.listPending()).toHaveLength(30);
    // Accepted ones stay accepted, over a restart too.
    expect(await submit(0, first)).toMatchObject({ txId });
    await network.restart();
    expect(await (await network.store(0)).listPending()).toHaveLength(30);
    await expect(submit(0, last)).rejects.toMatchObject(refused);
    for (let block = 0; block < 5; block++) await network.mine(0, 0);
    // 25 are left, and half of the places are free.
    await submit(0, last);
  });

  it('keep their signatures, whatever a repeated submit of the same id brings', async () => {
    network = await TestNetwork.open({ mining: 'off' });
    const [rich] = (await developmentKeys()) as [TestKey];
    const first = await network.signedTransfer(rich, [{ key: testKeyOfGroup(1), amount: coin }]);
    const sibling = await network.network.join({
      sender: { service: 'group-node', member: 1 },
      routing: groupRouting({ ns: 'test', groups: 4, group: 1 }),
      logger: silentLogger,
    });
    const published: Uint8Array[] = [];
    const hear = async ({ template }: PeerEvents['peer.tx']): Promise<void> => void published.push(template);
    sibling.server.addHandler('peer.tx', hear, true);
    await new Promise<void>((resolve) => void sibling.server.listen(() => resolve()));
    const { txId } = await submit(0, first);
    const template = decode(transactionTemplateCodec, first);
    const forged = encode(transactionTemplateCodec, { ...template, inputSignatures: [new Uint8Array(64)] });
    expect(await submit(0, forged)).toMatchObject({ txId });
    const store = await network.store(0);
    expect((await store.listPending()).map(({ raw }) => raw)).toEqual([first]);
    await until('both are published', () => published.length === 2);
    expect(published).toEqual([first, first]);
    await sibling.close();
    await network.restart();
    await network.mine(0, 1);
    expect((await network.status(0, txId)).type).toBe('Confirmed');
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

describe('a submitted transaction that a rival overtakes while its block is about to be made', () => {
  it('is refused with the id of the rival, not acknowledged', async () => {
    const stores = await embeddedStores();
    const node = await openLoneNode(await stores.store(0));
    const [rich] = (await developmentKeys()) as [TestKey];
    const [, receiver] = testKeysOfGroup(0, 2);
    const base = { settings: developmentNetwork, from: rich, spend: [allocation(rich)] };
    const pays = (amount: bigint) =>
      buildSignedTransfer({ ...base, outputs: [assetOutput(receiver!.lockupScript, amount)] });
    const [late, rival] = [pays(coin), pays(2n * coin)];
    const block = nextBlock(new MemoryNode(developmentNetwork), { from: 0, to: 0 }, { transactions: [rival] });
    const mine = node.miner.mine.bind(node.miner);
    node.miner.mine = async (chain) => {
      expect(node.state.pool.get(transactionId(late.unsigned))).toBeDefined();
      await node.intake.accept(block.raw, 'block', { kind: 'submitted' });
      await node.intake.imported();
      return mine(chain);
    };
    await expect(node.submission.submit(encode(transactionTemplateCodec, late))).rejects.toMatchObject({
      kind: 'refused',
      code: 'NonExistInput',
      data: { txId: transactionId(late.unsigned), conflictingTxId: transactionId(rival.unsigned) },
    });
    expect(await node.store.listPending()).toEqual([]);
    await node.stop();
    await stores.remove();
  });
});

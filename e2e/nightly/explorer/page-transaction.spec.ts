import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { decode, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type Transaction, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { sampleBytecode, u256 } from '@shardnode/testing/sample-contracts';
import { until } from '@shardnode/testing/waiting';
import { branchOf } from '../../../apps/group-node/test/support/histories.js';
import { coin } from '../../../apps/group-node/test/support/network.js';
import { describeInBrowser } from '../../kit/browser.js';
import { ShownTransactions } from '../../kit/explorer/transaction-page.js';

describeInBrowser('the page of a transaction: each of its kinds', () => {
  let transactions: ShownTransactions;
  let page: Page;
  /** Ids of transactions of each kind, for the rules that all pages keep. */
  const seen: Record<string, string> = {};

  beforeAll(async () => void (transactions = await ShownTransactions.open()));
  beforeEach(async () => void (page = await transactions.shown.view()));
  afterEach(() => expect(transactions.shown.complaints()).toEqual([]));
  afterAll(() => transactions?.close());

  it('says in a line when an output can be spent inside a group, where the counts are one', async () => {
    const { txId } = await transactions.network.transfer(transactions.keys[1]!, [
      { key: transactions.freshKey(1), amount: coin },
    ]);
    seen['inside'] = txId;
    await transactions.network.mine(1, 1);
    await transactions.network.mine(1, 1);
    await transactions.show(txId);
    expect(await page.textContent('.progress .sentence')).toMatch(/^Spendable in group 1 since \d\d:\d\d:\d\d UTC/);
    expect(await page.locator('.across').count()).toBe(0);
    await until('the stairs are there', async () => (await page.locator('.stairs-path').count()) === 1);
    expect(await page.textContent('.stairs-count')).toBe('2');
  });

  it('bundles the smallest of 20 inputs, and lists them all', async () => {
    const saver = transactions.freshKey(1);
    const savings = Array.from({ length: 20 }, (_, i) => ({ key: saver, amount: (BigInt(i) + 1n) * coin }));
    await transactions.network.transfer(transactions.keys[1]!, savings);
    await transactions.network.mine(1, 1);
    const { txId } = await transactions.network.sweep(saver);
    seen['joined'] = txId;
    await transactions.network.mine(1, 1);
    await transactions.show(txId);
    expect([await transactions.strands('input'), await transactions.strands('bundle')]).toEqual([11, 1]);
    expect(await page.textContent('.strand.bundle')).toContain('+ 9 more');
    // The smallest are 1 to 9.
    expect(await page.textContent('.strand.bundle .flow-amount')).toBe('45');
    // Of one address: a row, which says where each comes from when somebody asks.
    const [inputs, each] = [page.locator('#lists .card:first-child'), page.locator('#lists .gathered li:visible')];
    expect(await inputs.locator('.entry').count()).toBe(1);
    expect(await inputs.locator('.entry').innerText()).toMatch(/^1\s+20 inputs of/);
    expect([await inputs.locator('.entry > .number').innerText(), await each.count()]).toEqual(['210 COIN', 0]);
    await page.click('#lists button:has-text("One by one")');
    await until('all are listed', async () => (await each.count()) === 20);
    expect(await each.first().innerText()).toMatch(/^created in /);
    await page.click('.flow button:has-text("As a list")');
    await page.waitForFunction('scrollY > 0');
  });

  it('draws a token by itself, and the coin by a chip', async () => {
    const bytecode = hexToBytes(sampleBytecode('Counter', [u256(3)], [u256(10), u256(0)]));
    const issued = await transactions.network.deploy(transactions.keys[1]!, bytecode, 1_000_000n);
    await transactions.network.mine(1, 1);
    const tokens = [{ id: issued.contractId, amount: '250000' }];
    const { txId } = await transactions.network.transfer(transactions.keys[1]!, [
      { key: transactions.freshKey(3), amount: coin, tokens },
    ]);
    seen['token'] = txId;
    await transactions.network.mine(1, 3);
    await transactions.show(txId);
    const amounts = async (kind: string) =>
      (await page.locator(`.strand.${kind} .flow-amount`).allTextContents()).join(' ');
    expect([await amounts('receiver'), await amounts('change')]).toEqual(['250,000', '750,000']);
    expect(await transactions.strands('fee')).toBe(0);
    const changed = await page.locator('.card.table:has(h2:has-text("What changed")) tbody tr').allInnerTexts();
    expect(changed.map((row) => row.split(/\s+/).filter((word) => /^[+−-]/.test(word)).length)).toEqual([2, 2]);
    await page.click('.flow .choices button:has-text("COIN")');
    // The output of the token holds a deposit of the coin.
    await until('the coin is drawn', async () => (await amounts('receiver')) === '0.001 0.999');
    expect(await transactions.strands('fee')).toBe(1);

    await transactions.show(issued.txId);
    await page.click('.flow .choices button:not(:has-text("COIN"))');
    await until('it is issued', async () => (await transactions.strands('made')) === 1);
    expect(await page.textContent('.strand.made')).toContain('issued');
  });

  it('draws a reward as new coins', async () => {
    const [{ hash }] = await transactions.explorer.get<readonly [{ hash: string }]>('/chains/0/0/blocks/1');
    const made = await transactions.explorer.get<readonly { hash: string }[]>(`/blocks/${hash}/transactions`);
    await transactions.show(made.at(-1)!.hash);
    expect([
      await transactions.strands('made'),
      await transactions.strands('output'),
      await transactions.strands('fee'),
    ]).toEqual([1, 1, 0]);
    expect(await page.textContent('.strand.made')).toContain('new coins');
  });

  it('goes back to waiting after a reorganisation, and says in which block it is again', async () => {
    const { txId } = await transactions.network.transfer(transactions.keys[3]!, [
      { key: transactions.freshKey(1), amount: coin },
    ]);
    const { blockHash } = await transactions.network.mine(3, 1);
    await transactions.show(txId);
    await until('it is counted', async () => (await page.textContent('.meter-count')) === '1');
    for (const { raw } of branchOf({ from: 3, to: 1 }, 2, 5n)) await transactions.submit(3, raw);
    await page.waitForSelector(`.banner[role="status"] a[href="block/${blockHash}"]`);
    await until('it waits again', async () => (await transactions.state()) === 'Pending');
    expect(await page.textContent('.banner')).toContain('It waits for another block');
    expect(await page.locator('.meter-count').allTextContents()).toEqual(['0', '0', '0']);
    await transactions.network.mine(3, 1);
    await until('it is in a block again', async () => (await transactions.state()) === 'Confirmed');
    expect(await page.textContent('.banner')).toContain('It is in block 3 now');
    expect(await page.locator('.banner').count()).toBe(1);
    await until('it is counted again', async () => (await page.textContent('.meter-count')) === '1');
    // For a moment neither a block nor a mempool has it: the browser reports each answer 404.
    transactions.shown.provokes(/404/);
  });

  it('says that a transaction is not found any more, when another one has spent its inputs', async () => {
    const [payer, receiver] = [transactions.keys[2]!, transactions.freshKey(0)];
    const template = await transactions.network.signedTransfer(payer, [{ key: receiver, amount: 2n * coin }]);
    const { txId } = await transactions.network.transfer(payer, [{ key: receiver, amount: coin }]);
    await transactions.show(txId);
    expect(await transactions.state()).toBe('Pending');
    const other: Transaction = {
      ...decode(transactionTemplateCodec, template),
      scriptExecutionOk: true,
      contractInputs: [],
      generatedOutputs: [],
    };
    await transactions.submit(
      2,
      nextBlock(new MemoryNode(developmentNetwork), { from: 2, to: 0 }, { transactions: [other] }).raw,
    );
    await until('it is gone', async () => (await transactions.state()) === 'Not found any more');
    expect(await page.textContent('.banner[role="status"]')).toContain('It has left the mempools');
    expect(await page.locator('.confirmations').count()).toBe(0);
    expect(await transactions.strands('receiver')).toBe(1);
    // The browser reports the answer 404 that the test provoked.
    transactions.shown.provokes(/404/);
  });

  it('breaks no rule of accessibility, and is nowhere wider than the window', () => transactions.keepRules(seen));
});

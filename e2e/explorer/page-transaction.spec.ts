import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { decode, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { type Transaction, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { developmentKeys, type TestKey, testKeysOfGroup } from '@shardnode/testing/keys';
import { MemoryNode, nextBlock } from '@shardnode/testing/memory-node';
import { sampleBytecode, u256 } from '@shardnode/testing/sample-contracts';
import { until } from '@shardnode/testing/waiting';
import { branchOf } from '../../apps/group-node/test/support/histories.js';
import { coin, type TestNetwork } from '../../apps/group-node/test/support/network.js';
import { describeInBrowser } from '../kit/browser.js';
import { type ContractBlocks, contractBlocks } from '../kit/explorer/contract-blocks.js';
import { type TestExplorer } from '../kit/explorer/embedded-explorer.js';
import { ofColours, overflow, screens, ShownExplorer, violations } from '../kit/explorer/page-kit.js';

describeInBrowser('the page of a transaction', () => {
  let shown: ShownExplorer;
  let network: TestNetwork;
  let explorer: TestExplorer;
  let page: Page;
  let keys: readonly TestKey[];
  let contracts: ContractBlocks;
  /** Ids of transactions of each kind, for the rules that all pages keep. */
  const seen: Record<string, string> = {};

  /** A key that nothing was paid to before, in a group. */
  const freshKeys = new Map<number, TestKey[]>();
  const freshKey = (group: number): TestKey => {
    const left = freshKeys.get(group) ?? testKeysOfGroup(group, 12).slice(4);
    freshKeys.set(group, left);
    return left.pop()!;
  };

  const openTransaction = async (txId: string): Promise<void> => {
    await until(
      'the explorer has it',
      async () => (await explorer.get<{ hash?: string }>(`/transactions/${txId}`)).hash === txId,
    );
    await shown.open(`/tx/${txId}`);
    await shown.live();
    await page.waitForSelector('.flow svg');
  };
  const strands = (kind: string): Promise<number> => page.locator(`.flow .strand.${kind}`).count();
  const state = (): Promise<string | null> => page.textContent('.subject .state');
  const sentence = (): Promise<string | null> => page.textContent('.across .sentence');
  /** How high above the page the counts stand. */
  const countTops = (): Promise<readonly number[]> =>
    page.locator('.meter-count').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  const steps = (): Promise<readonly string[]> => page.locator('.across .step .step-name').allTextContents();
  const submit = async (group: number, block: Uint8Array): Promise<void> =>
    void (await network.client.request(group, 'command.block.submit', { block }));

  beforeAll(async () => {
    shown = await ShownExplorer.open();
    ({ network, explorer } = shown);
    keys = await developmentKeys();
    contracts = contractBlocks(keys[0]!);
    for (const { raw } of contracts.blocks) await submit(0, raw);
    await shown.untilEqual();
  });
  beforeEach(async () => void (page = await shown.view()));
  afterEach(() => expect(shown.complaints()).toEqual([]));
  afterAll(() => shown?.close());

  it('draws a payment across the groups from its waiting until its output is spent, without a reload', async () => {
    const [payer, receiver] = [keys[0]!, freshKey(2)];
    const { txId } = await network.transfer(payer, [{ key: receiver, amount: 3n * coin }]);
    seen['across'] = txId;
    await openTransaction(txId);
    expect(await state()).toBe('Pending');
    expect(await sentence()).toBe('It waits for its block, on the way from group 0 to group 2.');
    await page.click('.facts a:has-text("among all that wait")');
    await page.waitForSelector(`tr.pointed:has-text("yours") a[href="tx/${txId}"]`);
    await page.waitForSelector(`.dot[data-hash="${txId}"] .ring`);
    expect(await page.locator('.dot .ring').count()).toBe(1);
    await page.goBack();
    await page.waitForSelector('.flow svg');
    expect([await strands('receiver'), await strands('change'), await strands('fee')]).toEqual([1, 1, 1]);
    expect(await page.getAttribute('.strand.receiver .thread', 'fill')).toBe('url(#flow-0-2)');
    expect(await page.getAttribute('.strand.change .thread', 'fill')).toBe(null);
    expect(await page.textContent('.flow-total')).toContain('COIN');
    expect(new Set(await countTops()).size).toBe(1);

    await network.mineForAll(0, 2);
    await page.waitForSelector('.across .step');
    expect(await state()).toBe('Confirmed');
    await until('it is known that none has carried it', async () => (await sentence())!.startsWith('Mined.'));
    await network.mineForAll(0, 0);
    await until('group 0 has carried it', async () => (await sentence())!.startsWith('Carried by group 0.'));
    await network.mine(2, 2);
    await until('group 2 has taken it in', async () => (await sentence())!.startsWith('Spendable in group 2 since'));
    expect(await steps()).toEqual([
      'mined',
      expect.stringMatching(/^\+ .* s carried by group 0$/),
      expect.stringMatching(/^\+ .* s spendable in group 2$/),
    ]);
    expect(await page.locator('.across .threads path').count()).toBe(2);
    const counts = await page.locator('.meter-count').allTextContents();
    await until(
      'the stairs end at the counts',
      async () => (await page.locator('.stairs-count').allTextContents()).join() === counts.join(),
    );

    expect(await page.locator('.strand.receiver .blunt').count()).toBe(1);
    const { txId: spender } = await network.transfer(receiver, [{ key: freshKey(1), amount: coin }]);
    await network.mine(2, 1);
    await page.waitForSelector(`.strand.receiver a[href="tx/${spender}"] .mark`);
    expect(await page.locator('.strand.receiver .blunt').count()).toBe(0);
    expect(await page.textContent('.strand.receiver')).toContain('spent');
    await page.click('.strand.receiver a');
    await page.waitForURL(`**/tx/${spender}`);
    await page.click(`.strand.input a[href="tx/${txId}"]`);
    await page.waitForURL(`**/tx/${txId}`);
  });

  it('has one lane inside a group, where the counts are one', async () => {
    const { txId } = await network.transfer(keys[1]!, [{ key: freshKey(1), amount: coin }]);
    seen['inside'] = txId;
    await network.mine(1, 1);
    await network.mine(1, 1);
    await openTransaction(txId);
    expect(await page.textContent('.across h2')).toBe('Inside the group');
    expect(await sentence()).toMatch(/^Spendable in group 1 since \d\d:\d\d:\d\d UTC/);
    expect(await page.locator('.across .lane').count()).toBe(1);
    await until('the stairs are there', async () => (await page.locator('.stairs-path').count()) === 1);
    expect(await page.textContent('.stairs-count')).toBe('2');
  });

  it('bundles the smallest of 20 inputs, and lists them all', async () => {
    const saver = freshKey(1);
    const savings = Array.from({ length: 20 }, (_, i) => ({ key: saver, amount: (BigInt(i) + 1n) * coin }));
    await network.transfer(keys[1]!, savings);
    await network.mine(1, 1);
    const { txId } = await network.sweep(saver);
    seen['joined'] = txId;
    await network.mine(1, 1);
    await openTransaction(txId);
    expect([await strands('input'), await strands('bundle')]).toEqual([11, 1]);
    expect(await page.textContent('.strand.bundle')).toContain('+ 9 more');
    // The smallest are 1 to 9.
    expect(await page.textContent('.strand.bundle .flow-amount')).toBe('45');
    const listed = page.locator('#lists .card:first-child .entry:visible');
    expect(await listed.count()).toBe(12);
    await page.click('#lists button:has-text("All 20 inputs")');
    await until('all are listed', async () => (await listed.count()) === 20);
    await page.click('.flow button:has-text("As a list")');
    await page.waitForFunction('scrollY > 0');
  });

  it('draws a token by itself, and the coin by a chip', async () => {
    const bytecode = hexToBytes(sampleBytecode('Counter', [u256(3)], [u256(10), u256(0)]));
    const issued = await network.deploy(keys[1]!, bytecode, 1_000_000n);
    await network.mine(1, 1);
    const tokens = [{ id: issued.contractId, amount: '250000' }];
    const { txId } = await network.transfer(keys[1]!, [{ key: freshKey(3), amount: coin, tokens }]);
    seen['token'] = txId;
    await network.mine(1, 3);
    await openTransaction(txId);
    const amounts = async (kind: string) =>
      (await page.locator(`.strand.${kind} .flow-amount`).allTextContents()).join(' ');
    expect([await amounts('receiver'), await amounts('change')]).toEqual(['250,000', '750,000']);
    expect(await strands('fee')).toBe(0);
    await page.click('.flow .choices button:has-text("COIN")');
    // The output of the token holds a deposit of the coin.
    await until('the coin is drawn', async () => (await amounts('receiver')) === '0.001 0.999');
    expect(await strands('fee')).toBe(1);

    await openTransaction(issued.txId);
    await page.click('.flow .choices button:not(:has-text("COIN"))');
    await until('it is issued', async () => (await strands('made')) === 1);
    expect(await page.textContent('.strand.made')).toContain('issued');
  });

  it('shows the events of a script, and the parties that are contracts', async () => {
    seen['called'] = contracts.called;
    await openTransaction(contracts.called);
    await page.waitForSelector('.transaction-events .event-name');
    expect(await page.locator('.transaction-events dd').allTextContents()).toEqual(['15', '25']);
    await page.click('.folded summary');
    await page.click('.raw summary:has-text("Instructions")');
    await page.waitForSelector('.listing pre');
    expect(await page.textContent('.listing h3')).toContain('Method 0');
    expect(await page.textContent('.listing pre')).toMatch(/^ ?\d+ {2}CallExternal\w* /m);
    await page.click('.raw summary:has-text("JSON")');
    await page.waitForSelector('.raw > pre');
    expect(JSON.parse((await page.textContent('.raw > pre'))!)).toMatchObject({ hash: contracts.called });

    await openTransaction(contracts.paid);
    expect(await page.locator('.strand.input .hatched').count()).toBe(1);
    expect(await page.locator('.strand.receiver .hatched, .strand.change .hatched').count()).toBe(1);
    expect(await page.textContent('.flow')).toContain('contract · unspent');
    expect(await page.textContent('.facts')).toContain('25 COINto 1 address, without change');

    await openTransaction(contracts.deployed);
    await page.waitForSelector('.transaction-events td:has-text("contract created")');
  });

  it('says that a script failed, and that only the fee has left', async () => {
    seen['failed'] = contracts.failed;
    await openTransaction(contracts.failed);
    expect(await state()).toBe('Script failed');
    await page.waitForSelector('.banner b');
    const { reason } = await explorer.get<{ reason: string }>(`/transactions/${contracts.failed}/script-failure`);
    const banner = (await page.textContent('.banner'))!;
    expect(reason.length).toBeGreaterThan(10);
    expect(banner).toMatch(/^Its script failed: /);
    for (const text of [reason, 'Instruction ', 'Only the fee of 0.0']) expect(banner).toContain(text);
    expect([await strands('input'), await strands('change'), await strands('fee')]).toEqual([1, 1, 1]);
    expect(await strands('receiver')).toBe(0);
    expect(await page.textContent('.facts')).toContain('nothing but the fee has left');
  });

  it('draws a reward as new coins', async () => {
    const [{ hash }] = await explorer.get<readonly [{ hash: string }]>('/chains/0/0/blocks/1');
    const transactions = await explorer.get<readonly { hash: string }[]>(`/blocks/${hash}/transactions`);
    await openTransaction(transactions.at(-1)!.hash);
    expect([await strands('made'), await strands('output'), await strands('fee')]).toEqual([1, 1, 0]);
    expect(await page.textContent('.strand.made')).toContain('new coins');
  });

  it('goes back to waiting after a reorganisation, and says in which block it is again', async () => {
    const { txId } = await network.transfer(keys[3]!, [{ key: freshKey(1), amount: coin }]);
    const { blockHash } = await network.mine(3, 1);
    await openTransaction(txId);
    await until('it is counted', async () => (await page.textContent('.meter-count')) === '1');
    for (const { raw } of branchOf({ from: 3, to: 1 }, 2, 5n)) await submit(3, raw);
    await page.waitForSelector(`.banner[role="status"] a[href="block/${blockHash}"]`);
    await until('it waits again', async () => (await state()) === 'Pending');
    expect(await page.textContent('.banner')).toContain('It waits for another block');
    expect(await page.locator('.meter-count').allTextContents()).toEqual(['0', '0', '0']);
    await network.mine(3, 1);
    await until('it is in a block again', async () => (await state()) === 'Confirmed');
    expect(await page.textContent('.banner')).toContain('It is in block 3 now');
    expect(await page.locator('.banner').count()).toBe(1);
    await until('it is counted again', async () => (await page.textContent('.meter-count')) === '1');
    // For a moment neither a block nor a mempool has it: the browser reports each answer 404.
    shown.provokes(/404/);
  });

  it('says that a transaction is not found any more, when another one has spent its inputs', async () => {
    const [payer, receiver] = [keys[2]!, freshKey(0)];
    const template = await network.signedTransfer(payer, [{ key: receiver, amount: 2n * coin }]);
    const { txId } = await network.transfer(payer, [{ key: receiver, amount: coin }]);
    await openTransaction(txId);
    expect(await state()).toBe('Pending');
    const other: Transaction = {
      ...decode(transactionTemplateCodec, template),
      scriptExecutionOk: true,
      contractInputs: [],
      generatedOutputs: [],
    };
    await submit(2, nextBlock(new MemoryNode(developmentNetwork), { from: 2, to: 0 }, { transactions: [other] }).raw);
    await until('it is gone', async () => (await state()) === 'Not found any more');
    expect(await page.textContent('.banner[role="status"]')).toContain('It has left the mempools');
    expect(await page.locator('.confirmations').count()).toBe(0);
    expect(await strands('receiver')).toBe(1);
    // The browser reports the answer 404 that the test provoked.
    shown.provokes(/404/);
  });

  it('prints a receipt: facts, lists, counts and when and where they were read', async () => {
    await openTransaction(seen['across']!);
    await page.emulateMedia({ media: 'print' });
    const isShown = (selector: string) => page.locator(selector).first().isVisible();
    for (const selector of ['.facts', '.meter-count', '#lists .entry', '.print-only'])
      expect(await isShown(selector)).toBe(true);
    for (const selector of ['.top', '.flow', '.across', '.stairs', '.folded'])
      expect(await isShown(selector)).toBe(false);
    expect(await page.textContent('.print-only')).toMatch(/^As of 20.* UTC/);
    expect(await page.textContent('.print-only')).toContain(`${explorer.url}/tx/${seen['across']}`);
  });

  it('breaks no rule of accessibility, and is nowhere wider than the window', async () => {
    for (const [kind, txId] of Object.entries(seen)) {
      await openTransaction(txId);
      await page.waitForSelector('.across svg');
      expect([kind, await violations(page)]).toEqual([kind, []]);
      await page.emulateMedia({ colorScheme: 'dark' });
      expect([kind, 'dark', await violations(page, ofColours)]).toEqual([kind, 'dark', []]);
      for (const size of [screens.phone, screens.narrowest]) {
        await page.setViewportSize(size);
        expect([kind, size.width, await overflow(page)]).toEqual([kind, size.width, 0]);
      }
      await page.emulateMedia({ colorScheme: 'light' });
      await page.setViewportSize(screens.wide);
    }
  });
});

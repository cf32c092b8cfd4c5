import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { until } from '@shardnode/testing/waiting';
import { coin } from '../../apps/group-node/test/support/network.js';
import { describeInBrowser } from '../kit/browser.js';
import { ShownTransactions } from '../kit/explorer/transaction-page.js';

describeInBrowser('the page of a transaction', () => {
  let transactions: ShownTransactions;
  let page: Page;
  /** Ids of transactions of each kind, for the rules that all pages keep. */
  const seen: Record<string, string> = {};

  const sentence = (): Promise<string | null> => page.textContent('.across .sentence');
  /** How high above the page the counts stand. */
  const countTops = (): Promise<readonly number[]> =>
    page.locator('.meter-count').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
  const steps = (): Promise<readonly string[]> => page.locator('.across .step .step-name').allTextContents();

  beforeAll(async () => void (transactions = await ShownTransactions.open()));
  beforeEach(async () => void (page = await transactions.shown.view()));
  afterEach(() => expect(transactions.shown.complaints()).toEqual([]));
  afterAll(() => transactions?.close());

  it('draws a payment across the groups from its waiting until its output is spent, without a reload', async () => {
    const [payer, receiver] = [transactions.keys[0]!, transactions.freshKey(2)];
    const { txId } = await transactions.network.transfer(payer, [{ key: receiver, amount: 3n * coin }]);
    seen['across'] = txId;
    await transactions.show(txId);
    expect(await transactions.state()).toBe('Pending');
    expect(await sentence()).toBe('It waits for its block, on the way from group 0 to group 2.');
    await page.click('.facts a:has-text("see all pending transactions")');
    await page.waitForSelector(`tr.pointed:has-text("yours") a[href="tx/${txId}"]`);
    await page.waitForSelector(`.dot[data-hash="${txId}"] .ring`);
    expect(await page.locator('.dot .ring').count()).toBe(1);
    await page.goBack();
    await page.waitForSelector('.flow svg');
    expect([
      await transactions.strands('receiver'),
      await transactions.strands('change'),
      await transactions.strands('fee'),
    ]).toEqual([1, 1, 1]);
    expect(await page.getAttribute('.strand.receiver .thread', 'fill')).toBe('url(#flow-0-2)');
    expect(await page.getAttribute('.strand.change .thread', 'fill')).toBe(null);
    expect(await page.textContent('.flow-total')).toContain('COIN');
    expect(new Set(await countTops()).size).toBe(1);

    await transactions.network.mineForAll(0, 2);
    await page.waitForSelector('.across .step');
    expect(await transactions.state()).toBe('Confirmed');
    await until('it is known that none has carried it', async () => (await sentence())!.startsWith('Mined.'));
    await transactions.network.mineForAll(0, 0);
    await until('group 0 has carried it', async () => (await sentence())!.startsWith('Carried by group 0.'));
    await transactions.network.mine(2, 2);
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
    const { txId: spender } = await transactions.network.transfer(receiver, [
      { key: transactions.freshKey(1), amount: coin },
    ]);
    await transactions.network.mine(2, 1);
    await page.waitForSelector(`.strand.receiver a[href="tx/${spender}"] .mark`);
    expect(await page.locator('.strand.receiver .blunt').count()).toBe(0);
    expect(await page.textContent('.strand.receiver')).toContain('spent');
    await page.click('.strand.receiver a');
    await page.waitForURL(`**/tx/${spender}`);
    await page.click(`.strand.input a[href="tx/${txId}"]`);
    await page.waitForURL(`**/tx/${txId}`);
  });

  it('shows the events of a script, and the parties that are contracts', async () => {
    seen['called'] = transactions.contracts.called;
    await transactions.show(transactions.contracts.called);
    await page.waitForSelector('.transaction-events .event-name');
    expect(await page.locator('.transaction-events dd').allTextContents()).toEqual(['15', '25']);
    await page.click('.folded summary');
    await page.click('.raw summary:has-text("Instructions")');
    await page.waitForSelector('.listing pre');
    expect(await page.textContent('.listing h3')).toContain('Method 0');
    expect(await page.textContent('.listing pre')).toMatch(/^ ?\d+ {2}CallExternal\w* /m);
    await page.click('.raw summary:has-text("JSON")');
    await page.waitForSelector('.raw > pre');
    expect(JSON.parse((await page.textContent('.raw > pre'))!)).toMatchObject({ hash: transactions.contracts.called });

    await transactions.show(transactions.contracts.paid);
    expect(await page.locator('.strand.input .hatched').count()).toBe(1);
    expect(await page.locator('.strand.receiver .hatched, .strand.change .hatched').count()).toBe(1);
    expect(await page.textContent('.flow')).toContain('contract · unspent');
    expect(await page.textContent('.facts')).toContain('25 COINto 1 address, change not counted');

    await transactions.show(transactions.contracts.deployed);
    await page.waitForSelector('.transaction-events td:has-text("contract created")');
  });

  it('says that a script failed, and that only the fee has left', async () => {
    seen['failed'] = transactions.contracts.failed;
    await transactions.show(transactions.contracts.failed);
    expect(await transactions.state()).toBe('Script failed');
    await page.waitForSelector('.banner b');
    const { reason } = await transactions.explorer.get<{ reason: string }>(
      `/transactions/${transactions.contracts.failed}/script-failure`,
    );
    const banner = (await page.textContent('.banner'))!;
    expect(reason.length).toBeGreaterThan(10);
    expect(banner).toMatch(/^Its script failed: /);
    for (const text of [reason, 'Instruction ', 'Only the fee of 0.0']) expect(banner).toContain(text);
    expect([
      await transactions.strands('input'),
      await transactions.strands('change'),
      await transactions.strands('fee'),
    ]).toEqual([1, 1, 1]);
    expect(await transactions.strands('receiver')).toBe(0);
    expect(await page.textContent('.facts')).toContain('only the fee was charged');
  });

  it('prints a receipt: facts, lists, counts and when and where they were read', async () => {
    await transactions.show(seen['across']!);
    await page.emulateMedia({ media: 'print' });
    const isShown = (selector: string) => page.locator(selector).first().isVisible();
    for (const selector of ['.facts', '.meter-count', '#lists .entry', '.print-only'])
      expect(await isShown(selector)).toBe(true);
    for (const selector of ['.top', '.flow', '.across', '.stairs', '.folded'])
      expect(await isShown(selector)).toBe(false);
    expect(await page.textContent('.print-only')).toMatch(/^As of 20.* UTC/);
    expect(await page.textContent('.print-only')).toContain(`${transactions.explorer.url}/tx/${seen['across']}`);
  });

  it('breaks no rule of accessibility, and is nowhere wider than the window', () => transactions.keepRules(seen));
});

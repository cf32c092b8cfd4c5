import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Browser, type Page } from 'playwright-core';
import { decode } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { transactionCodec } from '@shardnode/protocol/transaction';
import { developmentKeys, testKey, type TestKey } from '@shardnode/testing/keys';
import { until } from '@shardnode/testing/waiting';
import { openEmbedded } from '../../../apps/explorer/test/support/databases.js';
import { FedExplorer } from '../../../apps/explorer/test/support/fed-explorer.js';
import { Blocks } from '../../../apps/explorer/test/support/made-blocks.js';
import { coin, type TestNetwork } from '../../../apps/group-node/test/support/network.js';
import { describeInBrowser } from '../../kit/browser.js';
import { openBrowser } from '../../kit/chromium.js';
import { overflow, screens, ShownExplorer, ShownPage, violations } from '../../kit/explorer/page-kit.js';

/** Addresses, and as many transactions. */
const checked = 200;
/** A window of 1440×900 at 400 %. */
const enlarged = { width: 360, height: 225 };
const mostTabs = 60;
const groups = [0, 1, 2, 3];

/** An amount with all its digits, as the title of a shortened one has it. */
const inCoins = (amount: bigint): string => {
  const fraction = (amount % coin).toString().padStart(18, '0').replace(/0+$/, '');
  return `${(amount / coin).toLocaleString('en-US')}${fraction === '' ? '' : `.${fraction}`} COIN`;
};

describeInBrowser('the page of the explorer, used by many', () => {
  let shown: ShownExplorer;
  let network: TestNetwork;
  let page: Page;
  const receivers = Array.from({ length: checked }, (_, index) => testKey(index));
  /** Of all that was paid: id, and the group that has it. */
  const paid: { readonly txId: string; readonly group: number }[] = [];
  let random = 1;
  /** From a tenth of a coin to ten, of any number of attoCoin. */
  const anyAmount = (): bigint => {
    random = (random * 48_271) % 0x7fffffff;
    return coin / 10n + BigInt(random) * 4_656_612_873n + BigInt(random % 1_000);
  };
  /** @param part of an amount that is paid: 1, or less */
  const pay = async (from: TestKey, to: readonly TestKey[], part = 1n): Promise<void> => {
    const destinations = to.map((key) => ({ key, amount: anyAmount() / part }));
    paid.push({ txId: (await network.transfer(from, destinations)).txId, group: from.group });
  };

  beforeAll(async () => {
    shown = await ShownExplorer.open();
    ({ network } = shown);
    for (const payer of await developmentKeys())
      for (const group of groups)
        await pay(
          payer,
          receivers.filter((key) => key.group === group),
        );
    await shown.mineAll();
    await shown.mineAll();
    for (const [i, receiver] of receivers.entries()) await pay(receiver, [receivers[(i * 7 + 3) % checked]!], 40n);
    await shown.mineAll();
    await shown.mineAll();
  });
  beforeEach(async () => void (page = await shown.view()));
  afterEach(() => expect(shown.complaints()).toEqual([]));
  afterAll(() => shown?.close());

  const untilShown = async (path: string, amounts: readonly bigint[]): Promise<void> => {
    await shown.go(path);
    const titles = JSON.stringify(amounts.map(inCoins));
    const isShown = `(() => {
      const left = [...document.querySelectorAll('main .amount')].map(({ title }) => title);
      return document.querySelector('.full-id')?.textContent.includes('${path.split('/').at(-1)}') &&
        ${titles}.every((title) => {
          const at = left.indexOf(title);
          return at >= 0 && left.splice(at, 1).length === 1;
        });
    })()`;
    await until(`${path} shows ${titles}`, () => page.evaluate<boolean>(isShown));
  };

  it(`shows the numbers of the nodes, to the last digit: ${checked} addresses and ${checked} transactions`, async () => {
    await shown.open('/pending');
    for (const receiver of receivers)
      await untilShown(`/address/${receiver.address}`, [await network.balance(receiver, false)]);
    for (const { txId, group } of paid.slice(-checked)) {
      const { transaction } = await network.explorer.request(group, 'read.transaction.details', { txId });
      const { unsigned } = decode(transactionCodec, transaction);
      const fee = BigInt(unsigned.gasAmount) * unsigned.gasPrice;
      await untilShown(`/tx/${txId}`, [...unsigned.fixedOutputs.map(({ amount }) => amount), fee]);
    }
  });

  const tabTo = async (selector: string): Promise<void> => {
    for (let i = 0; i < mostTabs; i++) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(`document.activeElement.matches('${selector}')`)) return;
    }
    throw new Error(`no ${selector} after ${mostTabs} tabs`);
  };

  it('leads by the keyboard alone from the network to a dependency of a block, and back', async () => {
    await shown.open('/');
    await shown.live();
    await page.click('.loom .choices button:has-text("30 min")');
    await page.waitForSelector('.picture .pill.chosen');
    await tabTo('.lanes');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowRight');
    const chosen = (await page.getAttribute('.pill.chosen', 'data-block'))!;
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/block/${chosen}`);
    await page.waitForSelector('.fan a');
    await tabTo('.fan a');
    const dependency = (await page.evaluate('document.activeElement.title.slice(0, 64)')) as string;
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/block/${dependency}`);
    // The browser's own key for going back has no effect without a window.
    await page.goBack();
    await page.waitForURL(`**/block/${chosen}`);
    await page.goBack();
    await page.waitForSelector('.picture .pill.chosen');
  });

  it('can be read at 400 %', async () => {
    const { txId } = paid[0]!;
    const [block] = await shown.explorer.get<readonly [{ hash: string }]>('/chains/0/2/blocks/1');
    await shown.view('light', enlarged, { deviceScaleFactor: 4 });
    ({ page } = shown);
    for (const path of ['/', `/block/${block.hash}`, `/tx/${txId}`, `/address/${receivers[0]!.address}`, '/pending']) {
      await shown.open(path);
      await page.waitForSelector('main .card');
      expect([path, await overflow(page)]).toEqual([path, 0]);
      const fixed = `[...document.querySelectorAll('*')].filter((element) => /fixed|sticky/.test(getComputedStyle(element).position))
        .reduce((sum, element) => sum + element.getBoundingClientRect().height, 0)`;
      expect([path, Number(await page.evaluate(fixed)) < enlarged.height / 2]).toEqual([path, true]);
    }
  });

  it('moves once a second for people who want little motion, and animates nothing but the tint of new rows', async () => {
    page = await shown.view('light', screens.wide, { reducedMotion: 'reduce' });
    await shown.open('/');
    await shown.live();
    const { blockHash } = await network.mine(0, 1);
    await page.waitForSelector(`.pill[data-block="${blockHash}"]`);
    const moved = 'document.getAnimations().map((one) => one.animationName ?? one.transitionProperty)';
    expect(((await page.evaluate(moved)) as string[]).filter((name) => name !== 'fresh')).toEqual([]);
    const steps = await page.evaluate(`new Promise((resolve) => {
      let steps = 0;
      const moving = document.querySelector('.pill').parentNode;
      new MutationObserver(() => steps++).observe(moving, { attributeFilter: ['transform'] });
      setTimeout(() => resolve(steps), 2_500);
    })`);
    expect([2, 3]).toContain(steps);
  });
});

describeInBrowser('the page of the explorer of a network of other shapes', () => {
  let browser: Browser;
  beforeAll(async () => void (browser = await openBrowser()));
  afterAll(() => browser?.close());

  it.each([1, 8])('is drawn with %i groups', async (number) => {
    const opened = await openEmbedded();
    const settings = { ...developmentNetwork, groups: number, allocations: [] };
    const explorer = await FedExplorer.start(opened.database, settings);
    try {
      const blocks = new Blocks({ settings, timestampOf: (n) => Date.now() - 100_000 + n * 300 });
      await explorer.add(blocks.genesis);
      await explorer.add(blocks.take(3 * number ** 2));
      const shown = new ShownPage(browser, explorer.url);
      const page = await shown.view();
      await shown.open('/');
      await shown.live();
      const drawn = page.locator(`.picture[aria-label*=" ${3 * number ** 2} blocks"]`);
      // Those of the last hour come after the newest hundred.
      await until('all blocks are drawn', async () => (await drawn.count()) === 1);
      const names = await page.locator('.lane-name').allTextContents();
      expect(names).toEqual(
        Array.from({ length: number }, () => Array.from({ length: number }, (_, to) => `→${to}`)).flat(),
      );
      const fills = `[...document.querySelectorAll('.legend .swatch')].slice(0, ${number}).map((swatch) => getComputedStyle(swatch).backgroundColor)`;
      expect(new Set((await page.evaluate(fills)) as string[]).size).toBe(number);
      const [added] = blocks.take(1);
      await explorer.add([added!]);
      await page.waitForSelector(`.pill[data-block="${added!.block.header.hash}"]`);
      expect(await violations(page)).toEqual([]);
      for (const size of [screens.phone, screens.narrowest]) {
        await page.setViewportSize(size);
        expect([size.width, await overflow(page)]).toEqual([size.width, 0]);
      }
      expect(shown.complaints()).toEqual([]);
    } finally {
      await explorer.stop();
      await opened.close();
    }
  });

  it('draws blocks that cannot be told apart as bars with their number', async () => {
    const opened = await openEmbedded();
    const explorer = await FedExplorer.start(opened.database);
    try {
      const began = Date.now();
      const blocks = new Blocks({ timestampOf: (n) => began - 18_000 + n * 20 });
      await explorer.add(blocks.genesis);
      await explorer.add(blocks.take(390));
      const shown = new ShownPage(browser, explorer.url);
      const page = await shown.view();
      await shown.open('/');
      await shown.live();
      await page.click('.choices button:has-text("2 min")');
      const bars = page.locator('.picture .pill:has(.block-count)');
      const counted = async (): Promise<number> =>
        (await bars.allTextContents()).reduce((sum, text) => sum + Number(text), 0);
      await until('all blocks are in them', async () => (await counted()) > 340);
      expect(await bars.count()).toBeLessThan(16 * 5);
      expect(await counted()).toBeLessThanOrEqual(390);
      // A bar stands for its newest block, which comes before it when it is chosen.
      const newest = (await bars.first().getAttribute('data-block'))!;
      await bars.first().dispatchEvent('pointerover');
      await page.waitForSelector(`.pill.chosen[data-block="${newest}"]:not(:has(.block-count))`);
      expect(shown.complaints()).toEqual([]);
    } finally {
      await explorer.stop();
      await opened.close();
    }
  });

  it('adds new blocks to the picture of a crowd as if all were painted anew', async () => {
    const opened = await openEmbedded();
    const explorer = await FedExplorer.start(opened.database);
    try {
      const began = Date.now();
      let timestampOf = (n: number): number => began - 18_000 + n * 20;
      const blocks = new Blocks({ timestampOf: (n) => timestampOf(n) });
      await explorer.add(blocks.genesis);
      await explorer.add(blocks.take(700));
      const shown = new ShownPage(browser, explorer.url);
      const page = await shown.view();
      await shown.open('/');
      await shown.live();
      await page.click('.choices button:has-text("2 min")');
      await page.waitForSelector('.crowd canvas');
      const picture = (): Promise<number> =>
        page
          .locator('.picture[role=img]')
          .getAttribute('aria-label')
          .then((label) => Number(/ (\d+) blocks/.exec(label!)![1]));
      await until('all are in it', async () => (await picture()) === 700);
      timestampOf = () => Date.now() - 300;
      for (let i = 1; i <= 40; i++) {
        await explorer.add(blocks.take(3));
        await until('they are in it', async () => (await picture()) >= 700 + 3 * i);
      }
      await page.keyboard.press('p');
      await page.waitForSelector('button[aria-pressed="true"]:has-text("Resume")');
      const pixels = (): Promise<readonly [number, string]> =>
        page.evaluate(`(() => {
          const canvas = document.querySelector('.crowd canvas');
          const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
          return [data.filter((value) => value > 0).length, canvas.toDataURL()];
        })()`);
      const [painted, added] = await pixels();
      for (let i = 0; i < 2; i++) await page.click('button.theme');
      const [, anew] = await pixels();
      expect(painted).toBeGreaterThan(10_000);
      expect(anew === added).toBe(true);
      expect(shown.complaints()).toEqual([]);
    } finally {
      await explorer.stop();
      await opened.close();
    }
  });
});

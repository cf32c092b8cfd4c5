import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { until } from '@shardnode/testing/waiting';
import { describeInBrowser } from '../../kit/browser.js';
import { ShownExplorer } from '../../kit/explorer/page-kit.js';
import { StreamGate } from '../../kit/explorer/stream-gate.js';

const tabCount = 30;
/** What browsers write about connections that a test takes away. */
const lostConnection = /net::ERR_|503/;

describeInBrowser('what the page of the explorer hears', () => {
  let shown: ShownExplorer;
  let gate: StreamGate;
  let page: Page;

  const pillOf = (hash: string): string => `.picture .pill[data-block="${hash}"]`;
  const clients = async (): Promise<string | undefined> =>
    /explorer_stream_clients\{.*\} (\d+)/.exec(await shown.explorer.text('/metrics'))?.[1];
  const mine = async (from: number, to: number): Promise<string> => (await shown.network.mine(from, to)).blockHash;

  beforeAll(async () => {
    shown = await ShownExplorer.open();
    await shown.mineAll();
    gate = await StreamGate.start(shown.explorer.url);
    shown.url = gate.url;
  });
  /** The picture shows a few minutes, whatever the clock of a page does. */
  const showMinutes = (tab: Page): Promise<void> => tab.click('.loom .choices button:has-text("6 min")');
  const open = async (): Promise<void> => {
    await shown.open('/');
    await shown.live();
    await showMinutes(page);
  };
  beforeEach(async () => {
    page = await shown.view();
    await open();
  });
  afterEach(() => expect(shown.complaints()).toEqual([]));
  afterAll(async () => {
    await shown?.close();
    await gate?.stop();
  });

  it('goes on after a stream that was cut, with what happened meanwhile', async () => {
    gate.cut();
    await page.waitForSelector('.link.connecting');
    const missed = await mine(0, 1);
    await shown.live();
    await page.waitForSelector(pillOf(missed));
    await page.waitForSelector(pillOf(await mine(1, 0)));
    shown.provokes(lostConnection);
  });

  it('is asked for while the stream is refused, which the page says, and is live again by itself', async () => {
    const rows = await page.locator('.lists tbody tr').count();
    gate.isOpen = false;
    gate.cut();
    await page.waitForSelector('.link.polling');
    expect(await page.textContent('.link')).toBe('Pollingevery 10 s');
    expect(await page.locator('.lists tbody tr').count()).toBe(rows);
    await page.waitForSelector(pillOf(await mine(2, 3)), { timeout: 11_000 });
    expect(await page.locator('.link.polling').count()).toBe(1);
    gate.isOpen = true;
    await shown.live();
    shown.provokes(lostConnection);
  });

  it('outlasts a service that is stopped and started again', async () => {
    const before = await page.locator('.picture .pill').count();
    let missed: string | undefined;
    await shown.restart(async () => {
      await page.waitForSelector('.link:not(.live)');
      missed = await mine(3, 1);
      expect(await page.locator('.picture .pill').count()).toBe(before);
    });
    await shown.live();
    await page.waitForSelector(pillOf(missed!));
    await page.waitForSelector(pillOf(await mine(3, 2)));
    shown.provokes(lostConnection);
  });

  /** A page with a clock of the test, which a worker would not have. */
  const openWithClock = async (): Promise<Page> => {
    const tab = await page.context().newPage();
    await tab.addInitScript('delete globalThis.SharedWorker');
    await tab.clock.install();
    await tab.goto(`${shown.url}/`);
    await tab.waitForSelector('.link.live');
    await showMinutes(tab);
    return tab;
  };

  it('is asked for again after 40 s of silence on a connection that is open', async () => {
    const tab = await openWithClock();
    gate.isSilent = true;
    const missed = await mine(1, 2);
    await shown.untilEqual();
    await tab.clock.fastForward(30_000);
    expect(await tab.locator('.link.live').count()).toBe(1);
    await tab.clock.fastForward(11_000);
    await tab.waitForSelector('.link:not(.live)');
    expect(await tab.locator(pillOf(missed)).count()).toBe(0);
    gate.isSilent = false;
    await until('it is live again', async () => {
      await tab.clock.runFor(1_000);
      return (await tab.locator(`.link.live`).count()) === 1;
    });
    await tab.waitForSelector(pillOf(missed));
    await tab.waitForSelector(pillOf(await mine(2, 1)));
    shown.provokes(lostConnection);
  });

  it('is there within 10 s of the return of a node that was away for 20 s, on three pages', async () => {
    const tabs = [await openWithClock(), await openWithClock(), await openWithClock()];
    gate.isAway = true;
    gate.cut();
    for (const tab of tabs) {
      await tab.waitForSelector('.link:not(.live)');
      for (let second = 0; second < 20; second++) await tab.clock.runFor(1_000);
      await tab.waitForSelector('.link.away');
      expect(await tab.textContent('.link')).toMatch(/^No connection\.Trying again( in \d+ s)?$/);
    }
    const missed = await mine(3, 0);
    gate.isAway = false;
    for (const tab of tabs) {
      for (let second = 0; second < 8; second++) await tab.clock.runFor(1_000);
      await tab.waitForSelector('.link.live');
      await tab.waitForSelector(pillOf(missed));
    }
    shown.provokes(lostConnection);
  });

  it('is no more, a minute after the tab was hidden, and is all there when it is seen again', async () => {
    await page.clock.install();
    await open();
    const hide = (hidden: boolean): Promise<unknown> =>
      page.evaluate(`{
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${hidden} });
        document.dispatchEvent(new Event('visibilitychange'));
      }`);
    await hide(true);
    await page.clock.fastForward(59_000);
    expect(await clients()).toBe('1');
    await page.clock.fastForward(2_000);
    await until('the stream is closed', async () => (await clients()) === '0');
    const missed = await mine(0, 2);
    await shown.untilEqual();
    expect(await page.locator(pillOf(missed)).count()).toBe(0);
    const asked: string[] = [];
    page.on('request', (request) => void asked.push(new URL(request.url()).pathname));
    await hide(false);
    await page.waitForSelector(pillOf(missed));
    expect(asked.filter((path) => path === '/blocks')).toHaveLength(1);
    expect(await clients()).toBe('1');
  });

  it(`comes over one connection for ${tabCount} tabs, as long as one of them is left`, async () => {
    const openTab = async (): Promise<Page> => {
      const tab = await page.context().newPage();
      await tab.goto(`${shown.url}/`);
      await tab.waitForSelector('.link.live');
      return tab;
    };
    const tabs = [page];
    while (tabs.length < tabCount) tabs.push(await openTab());
    expect(await clients()).toBe('1');
    await tabs.shift()!.close();
    const mined = await mine(1, 3);
    await Promise.all(tabs.map((tab) => tab.waitForSelector(pillOf(mined))));
    await tabs[0]!.context().close();
    await until('the stream is closed', async () => (await clients()) === '0');
  });
});

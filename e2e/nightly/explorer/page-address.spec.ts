import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { generate } from 'lean-qr';
import { type Browser, type Page } from 'playwright-core';
import { addressOf } from '@shardnode/protocol/address';
import { until } from '@shardnode/testing/waiting';
import { describeInBrowser } from '../../kit/browser.js';
import { openBrowser } from '../../kit/chromium.js';
import { HeldAssets, hostileText, nameInLan } from '../../kit/explorer/held-assets.js';
import { overflow, violations } from '../../kit/explorer/page-kit.js';
import { screens, ShownPage, type Theme, themes } from '../../kit/explorer/shown-page.js';
import { oneCoin, transfer } from '../../kit/transfers.js';

describeInBrowser('the pages of addresses and tokens', () => {
  let assets: HeldAssets;
  let browser: Browser;
  let shown: ShownPage;
  let page: Page;

  const view = async (theme: Theme = 'light'): Promise<void> => {
    page = await shown.view(theme);
    // The browser reports each answer 404: a collection, which is looked for among the tokens first, and what is
    // missing; and takes a picture that is in a token for a request.
    shown.provokes(/404|^asks data:/);
  };
  const words = (selector: string): Promise<string> => page.locator(selector).innerText();
  const pageWords = async (): Promise<string> => (await page.textContent('main'))!;

  beforeAll(async () => {
    assets = await HeldAssets.open();
    browser = await openBrowser([`--host-resolver-rules=MAP ${nameInLan} 127.0.0.1`]);
    shown = new ShownPage(browser, assets.url);
  });
  beforeEach(() => view());
  afterEach(() => expect(shown.complaints()).toEqual([]));
  afterAll(async () => {
    await browser?.close();
    await assets?.close();
  });

  it('shows of a token whose it is, in shares of all that there is', async () => {
    const { ids } = assets;
    await shown.open(`/token/${ids.harbour}`);
    await page.waitForSelector('.holders tbody tr');
    expect(await words('h1')).toBe('Harbour');
    expect(await page.locator('.full-id b').allTextContents()).toEqual([
      ids.harbour.slice(0, 8),
      ids.harbour.slice(-8),
    ]);
    expect(await words('.facts')).toMatch(/Symbol\s+HRB/);
    const { holders, supplyInOutputs } = await assets.read<{ holders: number; supplyInOutputs: string }>(
      `/tokens/${ids.harbour}`,
    );
    expect(holders).toBeGreaterThan(14);
    const listed = await assets.read<{ address: string; balance: string }[]>(
      `/tokens/holders/token/${ids.harbour}?limit=100`,
    );
    await page.click('button:has-text("More holders")');
    const links = page.locator('.holders tbody a');
    await until('all holders are listed', async () => (await links.count()) === holders);
    expect(await links.evaluateAll((anchors) => anchors.map(({ title }) => title))).toEqual(
      listed.map(({ address }) => address),
    );
    const share = (balance: string): number => Number((BigInt(balance) * 1_000n) / BigInt(supplyInOutputs)) / 10;
    const shares = await page.locator('.holders .share-cell').allInnerTexts();
    expect(shares.slice(0, 3).map(parseFloat)).toEqual(listed.slice(0, 3).map(({ balance }) => share(balance)));
    expect(await page.locator('.share-bar .part').count()).toBe(10);
    const bars = await page
      .locator('.share-bar .part')
      .evaluateAll((parts) => parts.map((part) => Number(part.getAttribute('width'))));
    expect(bars[0]! / bars[1]!).toBeCloseTo(Number(listed[0]!.balance) / Number(listed[1]!.balance), 1);
    await page.hover('.share-bar .step-1');
    await page.waitForSelector('.holders tr.pointed:nth-child(2)');
  });

  it('says when others have the symbol of a token, or when it takes that of the coin', async () => {
    const { ids } = assets;
    await shown.open(`/token/${ids.harbour}`);
    await page.waitForSelector('.banner');
    expect(await words('.banner')).toMatch(/^1 other token has this symbol/);
    await shown.open(`/token/${ids.likeCoin}`);
    await page.waitForSelector('.banner');
    expect(await words('.banner')).toMatch(/It is not COIN/);
  });

  it('shows of an NFT its address as text, and its picture after a click alone', async () => {
    const { ids } = assets;
    await shown.open(`/token/${ids.described}`);
    await page.waitForSelector('.nft');
    const said = await words('.nft');
    expect(await words('h1')).toBe('Heron');
    expect(await words('.facts')).toMatch(/Index\s+77/);
    for (const text of ['A boat with a red sail.', 'sail', 'red', 'masts']) expect(said).toContain(text);
    expect(await page.evaluate('document.images.length')).toBe(0);
    await page.click('button:has-text("Show the picture")');
    await until('it is there', async () => (await page.evaluate('document.images[0]?.naturalWidth')) === 2);
    await page.click('.nft a.id');
    await page.waitForSelector('h1:has-text("Collection")');
    await page.waitForSelector('tbody tr');
    const members = page.locator('tbody a.id');
    await until('its boats are there', async () => (await members.count()) === 2);
    await members.first().click();
    await page.waitForSelector('h1:has-text("NFT")');
    expect(await page.locator('.nft button:has-text("Show the picture")').count()).toBe(0);
  });

  it('shows what strangers wrote as text, and says so where a token says nothing', async () => {
    const { ids, payer } = assets;
    const cut = `${[...hostileText.replace('\u202e', '\ufffd')].slice(0, 64).join('')}…`;
    await shown.open(`/token/${ids.hostile}`);
    await page.waitForSelector('.facts');
    expect(await page.textContent('h1')).toBe(cut);
    expect(await words('.facts')).toContain('7,000');
    await page.setViewportSize(screens.narrowest);
    expect(await overflow(page)).toBe(0);
    await shown.open(`/address/${payer.address}?tab=tokens`);
    await page.waitForSelector(`tbody a[title="${ids.hostile}"]`);
    await until('its name is there', async () => (await pageWords()).includes(cut));
    expect(await page.evaluate('[window.hit, document.images.length]')).toEqual([undefined, 0]);
    expect(await overflow(page)).toBe(0);
    await shown.open(`/token/${ids.nameless}`);
    await page.waitForSelector('.facts');
    expect(await words('h1')).toBe('Token');
    expect(await pageWords()).toContain('This token has no name or symbol.');
    await shown.open(`/token/${'ab'.repeat(32)}`);
    expect(await words('h1')).toBe('Not found');
  });

  it('shows the unspent outputs by size, what a sweep would join, and what is locked until when', async () => {
    const { saver, unlockAt } = assets;
    await shown.open(`/address/${saver.address}`);
    await page.waitForSelector('.utxos .bar');
    expect(await page.locator('.utxos .count:not(:empty)').allTextContents()).toEqual(['300', '1', '1']);
    expect(await words('.utxos .advice')).toContain('300 outputs below 0.1 COIN, together 15 COIN: a sweep would join');
    expect(await words('.utxos .advice')).toContain('at least 2 transactions, with 256 inputs');
    const heights = await page
      .locator('.utxos .column .bar')
      .evaluateAll((bars) => bars.map((bar) => bar.getBoundingClientRect().height));
    expect(heights).toHaveLength(14);
    const drawn = heights.filter((height) => height > 0);
    expect(drawn).toHaveLength(3);
    expect(drawn[0]! / drawn[1]!).toBeGreaterThan(20);
    const locked = new Date(unlockAt).toISOString().slice(0, 19).replace('T', ' ');
    expect(await words('.facts')).toContain(`25 locked until ${locked} UTC`);
    await page.click('.utxos button:has-text("Table")');
    const rows = page.locator('.utxos tbody tr');
    expect((await rows.allInnerTexts()).map((row) => row.split(/\t+/))).toEqual([
      ['0.05 to 0.1', '300', '15 COIN', '1.4 %'],
      ['20 to 50', '1', '25 COIN', '2.4 %'],
      ['1k and more', '1', '1,000 COIN', '96.1 %'],
    ]);
  });

  it('says of a locked output that it has arrived, and from when it can be spent', async () => {
    const { saver, unlockAt } = assets;
    const { outputs } = await assets.read<{ outputs: { lockTime?: number; txHash: string }[] }>(
      `/addresses/${saver.address}/utxo-summary`,
    );
    const { txHash } = outputs.find(({ lockTime }) => lockTime === unlockAt)!;
    await shown.open(`/tx/${txHash}`);
    const unlocked = new Date(unlockAt).toISOString().slice(0, 19).replace('T', ' ');
    await page.waitForSelector(`.progress .sentence:has-text("1 of 2 outputs is locked until ${unlocked} UTC.")`);
    expect(await words('#lists')).not.toContain('spendable');
  });

  /** The requests of the page from now on whose addresses have a part. */
  const asked = (part: string): (() => readonly string[]) => {
    const urls: string[] = [];
    page.on('request', (request) => void (request.url().includes(part) && urls.push(request.url())));
    return () => urls;
  };

  it('shows the unspent outputs as areas, each with its transaction, the small ones after a click', async () => {
    const { saver, unlockAt } = assets;
    const { outputs } = await assets.read<{ outputs: { attoCoinAmount: string; txHash: string }[] }>(
      `/addresses/${saver.address}/utxo-summary`,
    );
    expect(outputs).toHaveLength(302);
    const makers = asked('/treemap-');
    await shown.open(`/address/${saver.address}`);
    await page.waitForSelector('.utxos .bar');
    expect(makers()).toEqual([]);
    await page.click('.utxos button:has-text("Treemap")');
    await page.waitForSelector('.treemap .rest');
    expect(makers()).toHaveLength(1);
    const links = page.locator('.treemap a');
    const locked = new Date(unlockAt).toISOString().slice(0, 19).replace('T', ' ');
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('title')))).toEqual([
      '1,000 COIN · 96.1 % of the balance',
      `25 COIN · 2.4 % of the balance · locked until ${locked} UTC`,
    ]);
    expect(await violations(page)).toEqual([]);
    expect(await page.getAttribute('.treemap .rest', 'title')).toBe(
      '300 smaller outputs, together 15 COIN · 1.4 % of the balance',
    );
    await page.click('.treemap .rest');
    await until('all are there', async () => (await links.count()) === 300);
    await page.click('.utxos button:has-text("Show all 302")');
    await until('the large ones are there', async () => (await links.count()) === 2);
    // The same by keys; the button keeps the focus.
    await page.keyboard.press('Enter');
    await until('all are there again', async () => (await links.count()) === 300);
    expect(await violations(page)).toEqual([]);
    await page.setViewportSize(screens.narrowest);
    await until('they fit', async () => (await overflow(page)) === 0);
    await page.keyboard.press('Enter');
    await until('the large ones are there again', async () => (await links.count()) === 2);
    await links.first().click();
    await page.waitForSelector('h1:has-text("Transaction")');
    expect(new URL(page.url()).pathname).toBe(`/tx/${outputs[0]!.txHash}`);
  });

  it('asks for all that it shows first with one request, which came with its HTML', async () => {
    const { payer, saver } = assets;
    const urls = asked(payer.address);
    // Without the stream nothing is asked for again.
    await page.route('**/stream?**', (route) => route.abort());
    await shown.open(`/address/${payer.address}`);
    await page.waitForSelector('tbody .amount');
    expect(await page.locator('.utxos .bar').count()).toBeGreaterThan(1);
    const isPage = (url: string): boolean => url.endsWith(`/address/${payer.address}`);
    // The chart alone asks for what was before the listed transactions.
    const isChart = (url: string): boolean => url.includes('/amount-history?');
    expect(urls().filter((url) => !isPage(url) && !isChart(url))).toEqual([]);
    const ofSaver = asked(saver.address);
    await shown.go(`/address/${saver.address}`);
    await page.waitForSelector(`.full-id:has-text("${saver.address}")`);
    await page.waitForSelector('.utxos .bar');
    await page.waitForSelector('tbody .amount');
    const paths = ofSaver().filter((url) => !isChart(url));
    expect([...new Set(paths.map((url) => new URL(url).pathname))]).toEqual([`/addresses/${saver.address}/overview`]);
    shown.provokes(/stream/);
  });

  it('shows the balance after each transaction, to the last digit', async () => {
    const { payer } = assets;
    await shown.open(`/address/${payer.address}`);
    await page.waitForSelector('.after .amount');
    interface Part {
      readonly address?: string;
      readonly attoCoinAmount?: string;
    }
    const all: { readonly inputs: readonly Part[]; readonly outputs: readonly Part[] }[] = [];
    for (let number = 1; all.length % 100 === 0; number++)
      all.push(...(await assets.read<typeof all>(`/addresses/${payer.address}/transactions?limit=100&page=${number}`)));
    const sumOf = (parts: readonly Part[]): bigint =>
      parts.reduce(
        (sum, { address, attoCoinAmount = '0' }) => (address === payer.address ? sum + BigInt(attoCoinAmount) : sum),
        0n,
      );
    // From the oldest one on, which the page does not know when it begins.
    let balance = 0n;
    const balances = all
      .toReversed()
      .map(({ inputs, outputs }) => (balance += sumOf(outputs) - sumOf(inputs)))
      .toReversed();
    const cells = page.locator('.after .amount');
    for (let shownRows = 20; shownRows < all.length; shownRows += 20) {
      await until('a part is there', async () => (await cells.count()) === shownRows);
      await page.click('button:has-text("Older transactions")');
    }
    await until('all are there', async () => (await cells.count()) === all.length);
    const inCoins = (amount: bigint): string => {
      const fraction = (amount % oneCoin).toString().padStart(18, '0').replace(/0+$/, '');
      return `${(amount / oneCoin).toLocaleString('en-US')}${fraction === '' ? '' : `.${fraction}`} COIN`;
    };
    expect(await cells.evaluateAll((all) => all.map((cell) => cell.getAttribute('title')))).toEqual(
      balances.map(inCoins),
    );
  });

  it('has an address for each page of its list, in both directions or one, and up to a day', async () => {
    const { payer } = assets;
    interface Listed {
      readonly hash: string;
      readonly timestamp: number;
      readonly inputs: readonly { readonly address?: string }[];
    }
    const all: Listed[] = [];
    for (let number = 1; all.length % 100 === 0; number++)
      all.push(...(await assets.read<Listed[]>(`/addresses/${payer.address}/transactions?limit=100&page=${number}`)));
    const links = (): Promise<string[]> =>
      page.locator('.history tbody td:nth-child(2) a').evaluateAll((each) => each.map(({ title }) => title));
    const untilListed = (what: string, listed: readonly Listed[]): Promise<void> =>
      until(what, async () => (await links()).join() === listed.map(({ hash }) => hash).join());
    await shown.open(`/address/${payer.address}?page=2`);
    await untilListed('the second page is there', all.slice(20, 40));
    expect(await words('.pager [aria-current]')).toBe('2');
    await page.click('.pager a:text-is("1")');
    await untilListed('the first page is there', all.slice(0, 20));
    expect(new URL(page.url()).search).toBe('');
    const received = all.filter(({ inputs }) => inputs.every(({ address }) => address !== payer.address));
    expect(received.length).toBeGreaterThan(0);
    await page.click('.history button:text-is("In")');
    await untilListed('what it received is there', received.slice(0, 20));
    expect(new URL(page.url()).search).toBe('?direction=in');
    await page.reload();
    await untilListed('it is there again', received.slice(0, 20));
    await page.click('.history button:text-is("All")');
    await page.getByLabel('Until').fill('2023-01-01');
    await untilListed(
      'what was before is there',
      all.filter(({ timestamp }) => timestamp < Date.parse('2023-01-02')).slice(0, 20),
    );
    expect(new URL(page.url()).search).toBe('?until=2023-01-01');
    expect(await overflow(page)).toBe(0);
  });

  it('draws the balance of a day, a month and all, with an axis', async () => {
    const { payer } = assets;
    const counted = asked('/amount-history?');
    await shown.open(`/address/${payer.address}`);
    await page.waitForSelector('.balance-chart .line');
    for (const [range, interval] of [
      ['1 d', 'hourly'],
      ['1 m', 'daily'],
    ] as const) {
      await page.click(`.balance-chart button:text-is("${range}")`);
      await until('it is counted', async () => counted().some((url) => url.endsWith(interval)));
      expect(await page.locator('.balance-chart .marks text').count()).toBeGreaterThan(3);
    }
    expect(await page.getAttribute('.balance-chart [role="img"]', 'aria-label')).toMatch(/^The balance went between /);
  });

  it('says of an address that nobody has used that it may be mistyped, and in which group it is', async () => {
    const unused = addressOf({ kind: 'p2pkh', publicKeyHash: '07'.repeat(32) });
    await shown.open(`/address/${unused}`);
    await page.waitForSelector(':text("Never used on this chain. Compare each character.")');
    expect(await words('.facts')).toMatch(/Group\s+[0-3]/);
  });

  it('shows the events of the transactions that it pays for', async () => {
    const { payer, saver } = assets;
    await shown.open(`/address/${payer.address}`);
    await page.click('.tabs a:has-text("Events")');
    await page.waitForSelector('.address-events tbody tr');
    const events = await assets.read<{ txHash: string }[]>(`/contract-events/input-address/${payer.address}?limit=20`);
    const rows = page.locator('.address-events tbody tr');
    expect(await rows.count()).toBe(events.length);
    expect(events.length).toBeGreaterThan(5);
    const links = page.locator('.address-events td:nth-child(4) a');
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual(
      events.map(({ txHash }) => `tx/${txHash}`),
    );
    expect(await page.locator('.address-events .event-name').allTextContents()).toContain('contract created');
    await shown.open(`/address/${saver.address}?tab=events`);
    await page.waitForSelector('.empty:has-text("Events of contracts that this address calls appear here")');
  });

  it('shows the address as a QR code, whose maker is read when it is wanted', async () => {
    const { saver } = assets;
    const makers = asked('lean-qr');
    await shown.open(`/address/${saver.address}`);
    await page.waitForSelector('.utxos .bar');
    expect(makers()).toEqual([]);
    await page.click('button:has-text("QR code")');
    await page.waitForSelector('dialog[open] svg.qr[role="img"]');
    expect(makers()).toHaveLength(1);
    const { size } = generate(saver.address);
    expect(await page.getAttribute('svg.qr', 'viewBox')).toBe(`-4 -4 ${size + 8} ${size + 8}`);
    expect(await violations(page)).toEqual([]);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.click('.qr-dialog button:has-text("Save")'),
    ]);
    expect(download.suggestedFilename()).toBe(`${saver.address}.svg`);
    expect(readFileSync(await download.path(), 'utf8')).toContain(await page.getAttribute('.qr path', 'd'));
    await page.keyboard.press('Escape');
    await until('it is gone', async () => (await page.locator('svg.qr').count()) === 0);
  });

  it('has an address for each tab, and a file for any days', async () => {
    const { payer, ids, collectionAddress } = assets;
    await shown.open(`/address/${payer.address}?tab=nfts`);
    await page.waitForSelector(`tbody a[title="${ids.described}"]`);
    expect(await page.locator('.under-tab tbody tr').count()).toBe(3);
    expect(await words('.tabs [aria-current]')).toMatch(/^NFTs\s*3$/);
    await page.click('.tabs a:has-text("Tokens")');
    await page.waitForSelector(`tbody a[title="${ids.harbour}"]`);
    expect(new URL(page.url()).search).toBe('?tab=tokens');
    await page.reload();
    await page.waitForSelector(`tbody a[title="${ids.harbour}"]`);
    await page.click(`tbody a[title="${ids.harbour}"]`);
    await page.waitForSelector('h1:has-text("Harbour")');
    await page.goBack();
    await page.waitForSelector(`tbody a[title="${ids.harbour}"]`);
    await shown.go(`/address/${payer.address}`);
    await page.click('.history button[aria-expanded="false"]:has-text("CSV")');
    await page.waitForSelector('.csv');
    expect(new URL(page.url()).search).toBe('?tab=csv');
    const day = new Date().toISOString().slice(0, 10);
    for (const label of ['First day', 'Last day']) await page.getByLabel(label).fill(day);
    const from = Date.parse(day);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.csv a[download]')]);
    expect(download.suggestedFilename()).toBe(`${payer.address}-${from}-${from + 86_400_000}.csv`);
    const hashes = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[3]);
    // Genesis is of another day.
    const { txNumber } = await assets.read<{ txNumber: number }>(`/addresses/${payer.address}`);
    expect(new Set(hashes).size).toBe(txNumber - 1);
    await page.getByLabel('Last day').fill('2020-01-01');
    await page.waitForSelector('.csv :text("The last day is before the first")');
    expect(collectionAddress).toBe(addressOf({ kind: 'p2c', contractId: ids.collection }));
  });

  it('says that a file would be too long before it is asked for, and shows why the service gives none', async () => {
    const { payer } = assets;
    shown.provokes(/400/);
    await shown.open(`/address/${payer.address}?tab=csv`);
    await page.getByLabel('First day').fill('2020-01-01');
    expect(await words('.csv [role="alert"]')).toBe('Time span cannot be greater than 366 days');
    expect(await page.locator('.csv a[download]').count()).toBe(0);
    expect(await words('.csv')).toContain('at most 366 days and 10,000 transactions');
    await page.getByLabel('First day').fill(new Date().toISOString().slice(0, 10));
    // The service has another bound than the page knows.
    await page.route('**/export-transactions/csv*', (route) =>
      route.continue({
        url: route
          .request()
          .url()
          .replace(/fromTs=\d+/, 'fromTs=0'),
      }),
    );
    await page.click('.csv a[download]');
    await page.waitForSelector('.csv [role="alert"]');
    expect(await words('.csv [role="alert"]')).toBe('Time span cannot be greater than 366 days');
    expect(await page.locator('.csv a[download]').count()).toBe(1);
  });

  it('copies on a page that is no secure context', async () => {
    const { payer } = assets;
    const secureUrl = shown.url;
    shown.url = secureUrl.replace('127.0.0.1', nameInLan);
    try {
      await shown.open(`/address/${payer.address}`);
      expect(await page.evaluate<unknown>(`[isSecureContext, 'clipboard' in navigator]`)).toEqual([false, false]);
      await page.click('.full-id [data-copy]');
      await page.waitForSelector('.full-id [data-copy]:has-text("Copied")');
      // Pasted alone, an address is opened at once.
      await page.locator('.search input').fill('x');
      await page.keyboard.press('Control+V');
      expect(await page.inputValue('.search input')).toBe(`x${payer.address}`);
    } finally {
      shown.url = secureUrl;
    }
  });

  it('watches an address: what happens there is announced on any page, also after a reload', async () => {
    const { api, payer, saver } = assets;
    await shown.open(`/address/${saver.address}`);
    await page.click('.watch');
    await page.waitForSelector('.watch[aria-checked="true"]');
    await shown.open('/pending');
    await shown.live();
    const paid = await transfer(api, payer, [{ address: saver.address, attoCoinAmount: String(oneCoin) }]);
    await page.waitForSelector(`[role="status"] .notice a[href="tx/${paid.txId}"]`);
    await page.waitForSelector('.notice.confirmed');
    expect(await page.locator('.notice').count()).toBe(1);
    expect(await words('.notice')).toContain('Transaction confirmed');
    await page.click('.notice a');
    await page.waitForSelector('h1:has-text("Transaction")');
    await page.click('.notice button');
    await until('the notice is gone', async () => (await page.locator('.notice').count()) === 0);
    await shown.open(`/address/${saver.address}`);
    await page.click('.watch[aria-checked="true"]');
    await page.waitForSelector('.watch[aria-checked="false"]');
    expect(await page.evaluate(`localStorage.getItem('watched')`)).toBe('[]');
  });

  it('shows a notice of the desktop where that is allowed', async () => {
    const { api, payer, saver } = assets;
    // A browser without a window shows none: what is asked for is looked at.
    await page.addInitScript(`
      window.told = [];
      window.Notification = class extends EventTarget {
        static permission = 'granted';
        static requestPermission() { return Promise.resolve('granted'); }
        constructor(title, { body, tag }) { super(); window.told.push([title, body, tag]); }
        close() {}
      };`);
    await shown.open(`/address/${saver.address}`);
    await page.click('.watch');
    await shown.live();
    const { txId } = await transfer(api, payer, [{ address: saver.address, attoCoinAmount: String(oneCoin) }]);
    const told = (): Promise<[string, string, string][]> => page.evaluate('window.told');
    await until('its block is told', async () => (await told()).at(-1)?.[0] === 'Transaction confirmed');
    const at = `at ${saver.address.slice(0, 8)}…${saver.address.slice(-6)}`;
    for (const [, body, tag] of await told()) expect([body, tag]).toEqual([at, txId]);
  });

  it.each(themes)('breaks no rule of accessibility, and is nowhere wider than the window: %s', async (theme) => {
    const { ids, payer, saver } = assets;
    await view(theme);
    const pages = [
      [`/token/${ids.harbour}`, '.holders tbody tr'],
      [`/token/${ids.described}`, '.nft'],
      [`/token/${ids.collection}`, 'tbody tr'],
      [`/address/${saver.address}`, '.utxos .bar'],
      ...['tokens', 'nfts', 'events', 'csv'].map((tab) => [`/address/${payer.address}?tab=${tab}`, '.tabs'] as const),
    ] as const;
    for (const [path, part] of pages) {
      await page.setViewportSize(screens.wide);
      await shown.open(path);
      await page.waitForSelector(part);
      expect([path, await violations(page)]).toEqual([path, []]);
      for (const size of [screens.phone, screens.narrowest]) {
        await page.setViewportSize(size);
        expect([path, size.width, await overflow(page)]).toEqual([path, size.width, 0]);
        expect([path, size.width, await violations(page)]).toEqual([path, size.width, []]);
      }
    }
  });
});

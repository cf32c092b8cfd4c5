import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { bytesToHex, decode } from '@shardnode/protocol/encoding';
import { allChainIndexes, plainDecimal } from '@shardnode/protocol/primitives';
import { transactionId, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { until } from '@shardnode/testing/waiting';
import { coin, type TestNetwork } from '../../../apps/group-node/test/support/network.js';
import { describeInBrowser } from '../../kit/browser.js';
import { type TestExplorer } from '../../kit/explorer/embedded-explorer.js';
import { overflow, ShownExplorer, violations } from '../../kit/explorer/page-kit.js';
import { screens, themes } from '../../kit/explorer/shown-page.js';

const [hourMs, dayMs] = [3_600_000, 86_400_000];
/** Rows of the time before the network, so that charts have something to show. */
const pastHours = 72;
const pastDays = 40;
const hashesPerSecond = 5n * 10n ** 15n;

describeInBrowser('what is around the pages of the explorer, and its pages about the whole network', () => {
  let shown: ShownExplorer;
  let network: TestNetwork;
  let explorer: TestExplorer;
  let page: Page;
  let payer: TestKey;
  /** Id of a transaction of the first blocks. */
  let paid: string;

  const press = (...keys: readonly string[]) =>
    keys.reduce((done, key) => done.then(() => page.keyboard.press(key)), Promise.resolve());
  const scrolled = (): Promise<number> => page.evaluate('scrollY');
  const title = (): Promise<string | null> => page.textContent('h1');
  const untilTitle = (text: string): Promise<unknown> => page.waitForSelector(`h1:text-is("${text}")`);
  const blockAt = async (from: number, to: number, height: number): Promise<string> =>
    (await explorer.get<readonly [{ hash: string }]>(`/chains/${from}/${to}/blocks/${height}`))[0].hash;
  const untilScrolled = (to: number): Promise<void> =>
    until(`the page is scrolled to ${to}`, async () => (await scrolled()) === to);
  const search = async (text: string): Promise<void> => {
    await page.fill('.search input', text);
    await page.keyboard.press('Enter');
  };

  /** Rows as the index makes them of the hours and days of a longer history. */
  const addPast = async (): Promise<void> => {
    const { database } = shown.opened;
    const { schema } = database;
    const hour = Math.floor(Date.now() / hourMs) * hourMs;
    const day = Math.floor(Date.now() / dayMs) * dayMs;
    await database.query(
      'past-counts',
      `INSERT INTO ${schema}.chain_hours (bucket, chain_from, chain_to, blocks, txs)
       SELECT $1::int8 - h * ${hourMs}::int8, f, t, 50, 100 + 10 * f + t
       FROM generate_series(1, ${pastHours}) h, generate_series(0, 3) f, generate_series(0, 3) t`,
      [hour],
    );
    await database.query(
      'past-rates',
      `INSERT INTO ${schema}.hashrate_hours (bucket, blocks, total)
       SELECT $1::int8 - h * ${hourMs}::int8, 800, 800 * ${hashesPerSecond} FROM generate_series(1, ${pastHours}) h`,
      [hour],
    );
    await database.query(
      'past-supply',
      `INSERT INTO ${schema}.supply_days (at, total, circulating, reserved, locked)
       SELECT $1::int8 - d * ${dayMs}::int8 - 1, c + 7, c, 0, 7
       FROM (SELECT d, (5000000 - d)::numeric * ${coin} AS c FROM generate_series(0, ${pastDays - 1}) d) days`,
      [day],
    );
  };

  beforeAll(async () => {
    shown = await ShownExplorer.open();
    ({ network, explorer } = shown);
    [payer] = (await developmentKeys()) as [TestKey];
    paid = (await network.transfer(payer, [{ key: testKeyOfGroup(1), amount: coin }])).txId;
    await shown.mineAll();
    for (const { from, to } of allChainIndexes(4)) if (from === to) await network.mine(from, to);
    await shown.untilEqual();
    await addPast();
  });
  beforeEach(async () => void (page = await shown.view()));
  afterEach(() => expect(shown.complaints()).toEqual([]));
  afterAll(() => shown?.close());

  it('goes to its places by links and by two keys, and says which one is shown', async () => {
    await shown.open('/');
    for (const [key, name] of [
      ['s', 'Statistics'],
      ['p', 'Pending transactions'],
      ['b', 'Blocks'],
      ['n', 'Sixteen chains, one network'],
    ] as const) {
      await press('g', key);
      await untilTitle(name);
    }
    await page.click('.places summary');
    await press('Escape');
    expect(await page.locator('.more-places[open]').count()).toBe(0);
    expect(await page.evaluate('document.activeElement.tagName')).toBe('SUMMARY');
    await page.click('.places summary');
    await page.click('.more-places a:text-is("Rich list")');
    await untilTitle('Rich list');
    expect(await page.locator('.more-places[open]').count()).toBe(0);
    expect(await page.textContent('.places [aria-current]')).toBe('Rich list');
  });

  it('has its five places at the bottom of a phone', async () => {
    page = await shown.view('light', screens.phone);
    await shown.open('/');
    const boxes = await Promise.all(
      (await page.locator('.places > a, .places summary').all()).map((place) => place.boundingBox()),
    );
    expect(boxes).toHaveLength(5);
    for (const box of boxes) {
      expect(box!.y + box!.height).toBeGreaterThan(screens.phone.height - 20);
      expect(Math.min(box!.width, box!.height)).toBeGreaterThanOrEqual(40);
    }
    await page.click('.places summary');
    await page.click('.more-places a:text-is("About")');
    await untilTitle('About');
  });

  it('shows all keys, and remembers that they are off and that times are wanted', async () => {
    await shown.open('/block');
    await page.waitForSelector('tbody time');
    await press('?');
    await page.waitForSelector('.keys-dialog[open]');
    expect(await page.locator('.keys-dialog tbody tr').count()).toBeGreaterThan(10);
    await page.click('.keys-dialog label:has-text("Absolute times")');
    await page.click('.keys-dialog label:has-text("Single keys")');
    await press('Escape');
    expect(await page.locator('.keys-dialog[open]').count()).toBe(0);
    await page.reload();
    await page.waitForSelector('tbody time');
    const { blocks } = await explorer.get<{ blocks: readonly { timestamp: number }[] }>('/blocks?limit=1');
    const newest = new Date(blocks[0]!.timestamp).toISOString();
    expect(await page.textContent('tbody tr:first-child time')).toBe(newest.slice(11, 19));
    await press('?');
    await press('g', 's');
    expect([await page.locator('.keys-dialog[open]').count(), await title()]).toEqual([0, 'Blocks']);
  });

  it('comes back to where a page was left, forward too, and after a reload in the middle', async () => {
    await shown.open('/block');
    await page.waitForSelector('tbody tr:nth-child(30)');
    await page.evaluate('scrollTo(0, 400)');
    await page.click('tbody tr:nth-child(20) td:nth-child(2) a');
    await page.waitForSelector('.subject');
    expect(await scrolled()).toBe(0);
    await page.setViewportSize({ width: 1440, height: 400 });
    await page.waitForSelector('.card.table tbody tr');
    await page.evaluate('scrollTo(0, 150)');
    await page.goBack();
    await untilTitle('Blocks');
    await untilScrolled(400);
    await page.goForward();
    await page.waitForSelector('.subject');
    await untilScrolled(150);
    await page.reload();
    await page.waitForSelector('.subject');
    await untilScrolled(150);
    await page.goBack();
    await untilScrolled(400);
  });

  it('opens each of its pages by its address', async () => {
    const hash = await blockAt(0, 1, 1);
    for (const [path, name] of [
      ['/', 'Sixteen chains, one network'],
      ['/block', 'Blocks'],
      [`/block/${hash}`, 'Block 1'],
      ['/chain/2/3', 'Chain 2 → 3'],
      [`/tx/${paid}`, 'Transaction'],
      [`/address/${payer.address}`, 'Address'],
      ['/pending', 'Pending transactions'],
      ['/stats?range=week&by=daily', 'Statistics'],
      ['/richlist', 'Rich list'],
      ['/about', 'About'],
      ['/nowhere', 'Not found'],
    ] as const) {
      await shown.open(path);
      expect([path, await title()]).toEqual([path, name]);
    }
  });

  it('finds heights on all chains, chains, and heights of one', async () => {
    await shown.open('/');
    await shown.live();
    await page.fill('.search input', '1');
    await page.waitForSelector('#findings.heights');
    expect(await page.locator('#findings li').count()).toBe(16);
    await press('ArrowDown', 'ArrowRight', 'Enter');
    await page.waitForURL(`**/block/${await blockAt(1, 1, 1)}`);
    await page.fill('.search input', '2');
    await page.waitForSelector('#findings.heights');
    expect(await page.locator('#findings li').count()).toBe(4);
    await page.click('#findings li:last-child');
    await page.waitForURL(`**/block/${await blockAt(3, 3, 2)}`);
    for (const text of ['0/2 1', '0>2@1']) {
      await search(text);
      await page.waitForURL(`**/block/${await blockAt(0, 2, 1)}`);
      await search('3>1');
      await page.waitForURL('**/chain/3/1');
    }
  });

  it('finds the address of a public key, and what is pasted at once, with blanks or in an address of another page', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    const paste = async (text: string): Promise<void> => {
      await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(text)})`);
      await page.focus('.search input');
      await page.keyboard.press('Control+V');
    };
    await shown.open('/');
    await search(bytesToHex(payer.publicKey));
    await page.waitForURL(`**/address/${payer.address}`);
    await paste(` ${paid}\n`);
    await page.waitForURL(`**/tx/${paid}`);
    await paste(`https://other.example/addresses/${payer.address}?page=2`);
    await page.waitForURL(`**/address/${payer.address}`);
    await page.fill('.search input', payer.address);
    await page.waitForSelector('#findings li .group');
    expect(await page.textContent('#findings li .group')).toBe(String(payer.group));
  });

  it('shows tokens of a name with their ids, and opens the one that is chosen', async () => {
    const ids = ['ab'.repeat(32), 'cd'.repeat(32)];
    await page.route('**/search?*', (route) =>
      route.fulfill({ json: ids.map((id) => ({ kind: 'token', id, label: 'GOLD' })) }),
    );
    await shown.open('/');
    await page.fill('.search input', 'gold');
    await page.waitForSelector('#findings li');
    expect(await page.locator('#findings li .id').allTextContents()).toEqual([
      'abababab…abababab',
      'cdcdcdcd…cdcdcdcd',
    ]);
    await press('ArrowDown');
    expect(await page.getAttribute('.search input', 'aria-activedescendant')).toBe('finding-1');
    await press('Enter');
    await page.waitForURL(`**/token/${ids[1]!}`);
    await page.waitForSelector('.missing');
    shown.provokes(/404/);
  });

  it('says what a text looks like that leads nowhere, and what was tried', async () => {
    await shown.open('/');
    for (const [text, looks] of [
      ['GOLDEN', 'a name or symbol'],
      ['7/7 1', 'a chain'],
      ['999999', 'a height'],
      [`${payer.address}11`, 'an address'],
      [paid.slice(1), 'those have 64 digits'],
    ] as const) {
      await search(text);
      await page.waitForURL(`**/find?q=${encodeURIComponent(text)}`);
      await page.waitForSelector(`.missing:has-text("${looks}")`);
    }
  });

  it('says the facts of a block, a transaction and an address without JavaScript', async () => {
    page = await shown.view('light', screens.wide, { javaScriptEnabled: false });
    const facts = async (path: string): Promise<readonly [string, ReadonlyMap<string, string>]> => {
      await shown.open(path);
      const [names, values] = [await page.locator('dt').allTextContents(), await page.locator('dd').allTextContents()];
      return [await page.title(), new Map(names.map((name, i) => [name, values[i]!]))];
    };
    const transaction = await explorer.get<{ blockHash: string; blockHeight: number }>(`/transactions/${paid}`);
    const { balance } = await explorer.get<{ balance: string }>(`/addresses/${payer.address}`);
    const [title, ofTransaction] = await facts(`/tx/${paid}`);
    expect(title).toMatch(/^Transaction · /);
    expect(Object.fromEntries(ofTransaction)).toMatchObject({
      Id: paid,
      State: 'Confirmed',
      Block: transaction.blockHash,
      Fee: '0.002 COIN',
    });
    const [heading, ofBlock] = await facts(`/block/${transaction.blockHash}`);
    expect(heading).toContain(`Block ${transaction.blockHeight}`);
    expect(Object.fromEntries(ofBlock)).toMatchObject({ Hash: transaction.blockHash, State: 'Main chain' });
    const [, ofAddress] = await facts(`/address/${payer.address}`);
    expect(ofAddress.get('Balance')).toBe(`${plainDecimal(BigInt(balance))} COIN`);
    for (const path of ['/', `/tx/${'0'.repeat(64)}`, `/address/${payer.address}/more`, '/block/%3Cb%3E']) {
      await page.goto(`${shown.url}${path}`);
      expect(await page.locator('dl').count()).toBe(0);
      expect(await page.textContent('noscript')).toContain('need JavaScript');
    }
  });

  it('keeps looking for an id that is not there yet', async () => {
    const template = await network.signedTransfer(payer, [{ key: testKeyOfGroup(2), amount: coin }]);
    const txId = transactionId(decode(transactionTemplateCodec, template).unsigned);
    await shown.open('/');
    await search(txId);
    await page.waitForSelector('.missing:has-text("looking for")');
    await network.client.request(payer.group, 'command.mempool.submit', { template });
    await page.waitForURL(`**/tx/${txId}`);
    await page.waitForSelector('.subject .state.warning');
    shown.provokes(/404/);
  });

  it('says how far a first sync is, and which group is silent', async () => {
    let change = (chain: Record<string, unknown>): Record<string, unknown> => ({
      ...chain,
      nodeHeight: 4 * Number(chain['height']),
    });
    let phase = 'initial';
    await page.route('**/infos/sync', async (route) => {
      const answer = (await (await route.fetch()).json()) as { chains: Record<string, unknown>[] };
      await route.fulfill({ json: { ...answer, phase, chains: answer.chains.map(change) } });
    });
    await shown.open('/');
    await page.waitForSelector('.banner.sync');
    expect(await page.textContent('.banner.sync')).toContain('25.0 % of the blocks');
    expect(await page.locator('.banner .sync-grid li').count()).toBe(16);
    phase = 'live';
    change = (chain) => (chain['chainFrom'] === 2 ? { ...chain, state: 'unreachable' } : chain);
    await page.reload();
    await page.waitForSelector('.banner:has-text("Group 2 not heard for")');
    // A request that is under way keeps its changed answer.
    await page.unrouteAll({ behavior: 'wait' });
    await page.reload();
    await shown.live();
    await page.waitForSelector('.figures');
    expect(await page.locator('.banner').count()).toBe(0);
  });

  /** Refuses requests for what `pattern` says, and asks to wait. */
  const refuse = async (pattern: string, seconds: number) => {
    let asked = 0;
    let isAllowed = false;
    await page.route(pattern, async (route) => {
      asked += 1;
      if (isAllowed) return route.continue();
      await route.fulfill({
        status: 429,
        headers: { 'retry-after': String(seconds) },
        json: { detail: 'Too many requests' },
      });
    });
    return { asked: (): number => asked, allow: (): void => void (isAllowed = true) };
  };

  it('counts down to the next try where it asked too often, and tries at once when one wants', async () => {
    const { allow } = await refuse('**/tokens/holders/coin*', 100);
    await shown.open('/richlist');
    const left = async (failure = page.locator('.failure')): Promise<number> =>
      Number(/1 min (\d+) s/.exec((await failure.textContent()) ?? '')?.[1]);
    const first = await left();
    expect(first).toBeGreaterThan(0);
    expect(await left(page.locator('.failure', { hasNotText: `1 min ${first} s` }))).toBeLessThan(first);
    allow();
    await page.click('.failure button');
    await page.waitForSelector('.holders tbody tr');
    expect(await page.locator('.failure').count()).toBe(0);
    shown.provokes(/429/);
  });

  it('waits with a list as it was told, also when there may be new rows', async () => {
    // Nothing that the transfer below could build on waits any more.
    await shown.mineAll();
    await page.clock.install();
    const { asked, allow } = await refuse(`**/contract-events/input-address/${payer.address}?*`, 600);
    await shown.open(`/address/${payer.address}?tab=events`);
    await page.waitForSelector('.under-tab .failure');
    await shown.live();
    const { txId } = await network.transfer(payer, [{ key: testKeyOfGroup(1), amount: coin }]);
    const number = page.locator('.tabs a:has-text("Transactions") .number');
    const known = await number.textContent();
    const before = asked();
    allow();
    await shown.mineAll();
    await until('the page has the transaction', async () => (await number.textContent()) !== known);
    expect(asked()).toBe(before);
    await page.clock.fastForward(600_000);
    await page.waitForSelector('.under-tab .empty');
    expect([asked() > before, await page.locator('.failure').count()]).toEqual([true, 0]);
    await page.click('.tabs a:has-text("Transactions")');
    await page.waitForSelector(`tr:not(:has(.tag.waits)) a[href$="tx/${txId}"]`);
    shown.provokes(/429/);
  });

  it('lists who holds the coin, with groups and shares, the richest first', async () => {
    const holders = await explorer.get<readonly { address: string; balance: string }[]>(
      '/tokens/holders/coin?limit=50',
    );
    await shown.open('/richlist');
    await page.waitForSelector('.holders tbody tr');
    const rows = await page.locator('.holders tbody tr').allTextContents();
    expect(rows).toHaveLength(holders.length);
    const own = holders.findIndex(({ address }) => address === payer.address);
    expect(rows[own]).toContain(`${own + 1}${payer.group}${payer.address.slice(0, 8)}`);
    const all = holders.reduce((sum, { balance }) => sum + BigInt(balance), 0n);
    const share = Number((BigInt(holders[own]!.balance) * 1_000n) / all) / 10;
    expect(rows[own]).toContain(`${share.toFixed(1)} %`);
  });

  it('draws hours, days and the last hour, says them as tables, and saves them as files', async () => {
    // The counted hours are older than the blocks of this network.
    await page.route('**/blocks?reverse=true*', (route) =>
      route.fulfill({ json: { total: 1, blocks: [{ height: 1, timestamp: Date.now() - 40 * 86_400_000 }] } }),
    );
    await shown.open('/stats?range=days');
    await until('three charts are drawn', async () => (await page.locator('.time-chart .marks').count()) === 3);
    const card = page.locator('.chart-card:has(h2:text-is("Transactions"))');
    // Without block rewards.
    const sum = 16 * (100 - 50) + 4 * (10 + 20 + 30) + 4 * (1 + 2 + 3);
    await card.locator('button:text-is("Table")').click();
    expect(await card.locator('tbody tr:first-child td').textContent()).toBe(sum.toLocaleString('en-US'));
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      card.locator('button:text-is("CSV")').click(),
    ]);
    const lines = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\n');
    expect([download.suggestedFilename(), lines[0], lines.length]).toEqual([
      'transactions-days-hourly.csv',
      'Time (UTC),Transactions',
      1 + (await card.locator('tbody tr').count()),
    ]);
    expect(lines[1]).toMatch(new RegExp(`^\\d{4}-\\d\\d-\\d\\dT\\d\\d:00:00\\.000Z,${sum}$`));

    const rates = page.locator('.chart-card:has(h2:text-is("Hash rate and difficulty"))');
    await rates.locator('.time-chart svg').hover({ position: { x: 150, y: 60 } });
    await rates.locator('.readout:has-text("5.00 PH/s")').waitFor();
    await page.click('button:text-is("1 hour")');
    await page.waitForURL('**/stats?range=hour');
    const mined = page.locator('.chart-card:has(h2:text-is("Transactions")) .readout b');
    const before = Number(await mined.textContent());
    await network.transfer(payer, [{ key: testKeyOfGroup(1), amount: coin }]);
    await network.mine(payer.group, 1);
    await until('the payment is counted, and no reward', async () => Number(await mined.textContent()) === before + 1);
    await page.click('button:text-is("1 month")');
    const supply = page.locator('.chart-card:has(h2:has-text("Supply"))');
    await supply.locator('button:text-is("Table")').click();
    // The days, and above them the supply of now.
    expect(await supply.locator('tbody tr').count()).toBe(31);
    expect(await supply.locator('tbody tr:nth-child(2) td:nth-child(3)').textContent()).toBe('5,000,000');
  });

  it('begins with the last hour on a young network, and says why longer charts are empty', async () => {
    await page.route(/charts\/(hashrates|transactions)/, (route) => route.fulfill({ json: [] }));
    await shown.open('/stats');
    await page.waitForSelector('[aria-pressed="true"]:text-is("1 hour")');
    await page.locator('.multiples .cell svg path:not([d=""])').first().waitFor();
    // No minute before the first block.
    await page.click('.chart-card >> nth=1 >> button:text-is("Table")');
    expect(await page.locator('.chart-card tbody tr').count()).toBeLessThan(30);
    await page.click('button:text-is("1 week")');
    await page.waitForSelector('.no-chart:has-text("counted here when")');
    await page.click('.no-chart button:text-is("Show the last hour") >> nth=0');
    await page.waitForURL('**/stats?range=hour');
  });

  it.each(themes)('breaks no rule of accessibility, and is nowhere wider than the window: %s', async (theme) => {
    for (const path of ['/stats?range=days', '/richlist', '/about', '/block', '/find?q=GOLDEN']) {
      page = await shown.view(theme);
      await shown.open(path);
      await page.waitForSelector('.time-chart .marks, .holders, .sync-grid, tbody time, .missing');
      expect([path, await violations(page)]).toEqual([path, []]);
      for (const size of [screens.phone, screens.narrowest]) {
        await page.setViewportSize(size);
        await until(`${path} is as wide as the window`, async () => (await overflow(page)) === 0, 2_000);
      }
    }
    page = await shown.view(theme);
    await shown.open('/stats?range=days');
    await page.click('.chart-card >> nth=1 >> button:text-is("Table")');
    await page.click('.places summary');
    await page.fill('.search input', '1');
    await page.waitForSelector('#findings.heights');
    expect(await violations(page)).toEqual([]);
    await press('Escape', '?');
    await page.waitForSelector('.keys-dialog[open]');
    expect(await violations(page)).toEqual([]);
  });
});

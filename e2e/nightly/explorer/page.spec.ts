import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { addressOf as addressTextOf } from '@shardnode/protocol/address';
import { decode } from '@shardnode/protocol/encoding';
import { transactionId, transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { until } from '@shardnode/testing/waiting';
import { branchOf } from '../../../apps/group-node/test/support/histories.js';
import { coin, type TestNetwork } from '../../../apps/group-node/test/support/network.js';
import { describeInBrowser } from '../../kit/browser.js';
import { type TestExplorer } from '../../kit/explorer/embedded-explorer.js';
import { overflow, screens, ShownExplorer, themes, violations, watchShifts } from '../../kit/explorer/page-kit.js';

const budget = 60_000;
const policy = "default-src 'self'; img-src 'self' data:; object-src 'none'; frame-ancestors 'none'; base-uri 'self'";
const html = { accept: 'text/html,application/xhtml+xml' };
const unknown = 'ab'.repeat(32);

describeInBrowser('the page of the explorer', () => {
  let shown: ShownExplorer;
  let network: TestNetwork;
  let explorer: TestExplorer;
  let page: Page;
  let payer: TestKey;
  /** Id of a transaction of the first blocks. */
  let paid: string;

  const pillOf = (hash: string): string => `.picture .pill[data-block="${hash}"]`;

  beforeAll(async () => {
    shown = await ShownExplorer.open();
    ({ network, explorer } = shown);
    [payer] = (await developmentKeys()) as [TestKey];
    paid = (await network.transfer(payer, [{ key: testKeyOfGroup(1), amount: coin }])).txId;
    await shown.mineAll();
  });
  beforeEach(async () => void (page = await shown.view()));
  afterEach(() => expect(shown.complaints()).toEqual([]));
  afterAll(() => shown?.close());

  it('shows a block as soon as it is mined, with what it rests on', async () => {
    await shown.open('/');
    await shown.live();
    await page.click('.loom .choices button:has-text("6 min")');
    await until('all are drawn', async () => (await page.locator('.picture .pill').count()) === 16);
    const { blockHash } = await network.mine(2, 1);
    const mined = performance.now();
    await page.waitForSelector(pillOf(blockHash));
    process.stderr.write(`a block is on the page ${(performance.now() - mined).toFixed(0)} ms after it was mined\n`);
    await page.locator(pillOf(blockHash)).dispatchEvent('pointerover');
    await page.waitForSelector(`${pillOf(blockHash)}.chosen`);
    await until(
      'seven threads are drawn',
      async () => (await page.locator('.threads path:not(.dotted)').count()) === 7,
    );
    const { deps } = await explorer.get<{ deps: string[] }>(`/blocks/${blockHash}`);
    for (const hash of deps) expect(await page.locator(`${pillOf(hash)}.linked`).count()).toBe(1);
  });

  it('reads the older blocks of a chain with one request', async () => {
    for (let i = 0; i < 30; i++) await network.mine(1, 1);
    // More than the page is opened with.
    for (let i = 0; i < 110; i++) await network.mine(1, 2);
    await shown.untilEqual();
    const [{ height }] = await explorer.get<readonly [{ height: number }]>('/chains/1/1/blocks?limit=1');
    // As on a network where an hour has more blocks than a page keeps.
    await page.route(/\/blocks\?limit=100/, (route) => route.fulfill({ json: { total: 0, blocks: [] } }));
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/chains/1/1/')) asked.push(request.url());
    });
    await shown.open('/chain/1/1');
    await shown.live();
    const rows = page.locator('main tbody tr:has(td:nth-child(2) a)');
    await until('the newest are there', async () => (await rows.count()) === 20);
    const before = asked.length;
    await page.click('button:has-text("Older blocks")');
    await until('all are there', async () => (await rows.count()) === Math.min(40, height + 1));
    expect(asked.length - before).toBe(1);
  });

  it('shows what a block rests on, and what rests on it as soon as it does', async () => {
    const { blockHash } = await network.mine(3, 1);
    await shown.untilEqual();
    await shown.open(`/block/${blockHash}`);
    await shown.live();
    const { deps } = await explorer.get<{ deps: string[] }>(`/blocks/${blockHash}`);
    const links = (side: string) =>
      page
        .locator(`.fan-side.${side} a`)
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('href')!.slice(-64)));
    await until('the fan is drawn', async () => (await links('left')).join() === deps.join());
    expect(await links('right')).toEqual([]);
    const next = await network.mine(3, 2);
    await until('the next rests on it', async () => (await links('right')).join() === next.blockHash);
  });

  it('follows a payment from its waiting to its three counts, those of the node, without a reload', async () => {
    const { txId } = await network.transfer(payer, [{ key: testKeyOfGroup(2), amount: coin }]);
    await until(
      'it waits',
      async () => (await explorer.get<{ type?: string }>(`/transactions/${txId}`)).type === 'Pending',
    );
    await shown.open(`/tx/${txId}`);
    await shown.live();
    expect(await page.textContent('.subject .state')).toBe('Pending');
    const from = payer.group;
    for (const [first, second, counts] of [
      [from, 2, [1, 0, 0]],
      [from, from, [1, 1, 0]],
      [2, 2, [1, 1, 1]],
      [from, 2, [2, 1, 1]],
      [2, 2, [2, 1, 2]],
    ] as const) {
      const [chainConfirmations, fromGroupConfirmations, toGroupConfirmations] = counts;
      await network.mineForAll(first, second);
      expect(await network.status(from, txId)).toMatchObject({
        chainConfirmations,
        fromGroupConfirmations,
        toGroupConfirmations,
      });
      await until(
        `the page counts ${counts.join()}`,
        async () => (await page.locator('.meter-count').allTextContents()).join() === counts.join(),
      );
    }
    expect(await page.textContent('.subject .state')).toBe('Confirmed');
    expect(await page.textContent('.facts')).toContain('1 COIN');
  });

  it('shows at an address what waits and then what it has, without a reload, and all of its list', async () => {
    const receiver = testKeyOfGroup(1);
    const path = `/addresses/${receiver.address}`;
    const count = (await explorer.get<{ txNumber: number }>(path)).txNumber;
    await shown.open(`/address/${receiver.address}`);
    await shown.live();
    const rows = (): Promise<number> => page.locator('main tbody tr').count();
    await until('its transactions are there', async () => (await rows()) === count);
    const { txId } = await network.transfer(payer, [{ key: receiver, amount: 2n * coin }]);
    await page.waitForSelector(`tr:has(.tag.waits) a[href$="tx/${txId}"]`);
    await network.mine(payer.group, receiver.group);
    await page.waitForSelector(`main tbody tr:first-child:not(:has(.tag.waits)) a[href$="tx/${txId}"]`);
    expect(await page.textContent('main tbody tr:first-child .way')).toContain('In');
    expect(await page.textContent('main tbody tr:first-child .gain')).toBe('+2');
    const { balance } = await explorer.get<{ balance: string }>(path);
    const text = `${BigInt(balance) / coin} COIN`;
    await until('the balance has it', async () => (await page.textContent('.fact-value'))!.trim() === text);
    await page.click('.history button:has-text("CSV")');
    const file = await page.getAttribute('.csv a[download]', 'href');
    const lines = (await explorer.text(`/${file}`)).trim().split('\n');
    expect(lines).toHaveLength(1 + count + 1);

    const all = await explorer.get<{ hash: string }[]>(`/addresses/${payer.address}/transactions`);
    expect(all.length).toBeGreaterThan(2);
    await page.route('**/transactions?limit=20*', (route) =>
      route.continue({ url: route.request().url().replace('limit=20', 'limit=1') }),
    );
    // The same of the newest ones, which come with the rest of the page.
    await page.route('**/overview', async (route) => {
      const answer = await route.fetch();
      const overview = (await answer.json()) as { readonly transactions: readonly object[] };
      const list = await fetch(`${explorer.url}/addresses/${payer.address}/transactions?limit=1`);
      const nextCursor = list.headers.get('x-next-cursor');
      const transactions = overview.transactions.slice(0, 1);
      await route.fulfill({ response: answer, json: { ...overview, transactions, nextCursor } });
    });
    await shown.open('/pending');
    await shown.go(`/address/${payer.address}`);
    for (let shown = 1; shown < all.length; shown++) {
      await page.click('button:has-text("Older transactions")');
      await until('an older one is there', async () => (await rows()) === shown + 1);
    }
    expect(await page.locator('button:has-text("Older transactions")').count()).toBe(0);
    const links = await page
      .locator('main tbody td:nth-child(2) a')
      .evaluateAll((anchors) => anchors.map(({ title }) => title));
    expect(links).toEqual(all.map(({ hash }) => hash));
  });

  it('shows what waits in its lane and in a list, and no sums of what is not known yet', async () => {
    const rows = () => page.locator('main tbody tr').count();
    await shown.open('/pending');
    await shown.live();
    expect(await rows()).toBe(0);
    const send = () => network.transfer(payer, [{ key: testKeyOfGroup(3), amount: coin }]);
    await send();
    const second = await send();
    await until('both wait', async () => (await rows()) === 2);
    const lane = page.locator(`.lane-row:has(a[href$="chain/${payer.group}/3"])`);
    expect(await lane.locator('.dot').count()).toBe(2);
    await page.hover(`tr:has(a[href$="tx/${second.txId}"])`);
    await page.waitForSelector(`.dot.pointed[data-hash="${second.txId}"]`);
    await page.dispatchEvent(`.dot[data-hash="${second.txId}"] .hit`, 'click');
    await page.waitForSelector('.subject .state.warning');
    const { inputs } = await explorer.get<{ inputs: { attoCoinAmount?: string }[] }>(`/transactions/${second.txId}`);
    expect(inputs.map(({ attoCoinAmount }) => attoCoinAmount)).toContain(undefined);
    expect(await page.locator('.lists .card-aside .amount').count()).toBe(0);
    expect(await page.textContent('main')).not.toContain('What changed');
    await page.goBack();
    await until('none waits', async () => {
      await network.mine(payer.group, 3);
      return (await rows()) === 0;
    });
    await until('no dot is left', async () => (await page.locator('.dot').count()) === 0);
  });

  it('draws a reorganisation, and says on the page of the block what replaced it', async () => {
    const chain = { from: 3, to: 0 };
    const left = await explorer.get<readonly [{ hash: string }]>('/chains/3/0/blocks/1');
    await shown.open('/');
    await shown.live();
    await page.click('.loom .choices button:has-text("30 min")');
    await page.waitForSelector(pillOf(left[0].hash));
    const branch = branchOf(chain, 2, 5n);
    for (const { raw: block } of branch) await network.client.request(chain.from, 'command.block.submit', { block });
    await page.waitForSelector(`.orphan[data-block="${left[0].hash}"]`);
    expect(await page.locator(pillOf(left[0].hash)).count()).toBe(0);
    await page.keyboard.press('t');
    await page.click('.loom tbody a[href="chain/3/0"]');
    await page.waitForSelector(`tr:has(a[href$="${branch[0]!.header.hash}"]) .tag.left[href="block/${left[0].hash}"]`);
    await shown.open(`/block/${left[0].hash}`);
    expect(await page.textContent('.subject .state')).toBe('Orphaned');
    await page.click('.banner a');
    await page.waitForURL(`**/block/${branch[0]!.header.hash}`);
  });

  it('lists the blocks of a chain as they come, down to the first', async () => {
    const heights = async () => (await page.locator('main tbody td:first-child .number').allTextContents()).map(Number);
    await shown.open('/');
    await page.keyboard.press('/');
    await page.keyboard.type('2/1');
    await page.waitForSelector('#findings li');
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:has-text("Chain 2 → 1")');
    await shown.live();
    await page.waitForSelector('main tbody td:first-child');
    const before = await heights();
    expect(before).toEqual(Array.from({ length: before[0]! + 1 }, (_, i) => before[0]! - i));
    const { blockHash } = await network.mine(2, 1);
    await page.waitForSelector(`main tbody tr:first-child a[href$="block/${blockHash}"]`);
    await page.waitForSelector(`.lane-row.own .pill[data-to="block/${blockHash}"]`);
    expect(await heights()).toEqual([before[0]! + 1, ...before]);
    await page.fill('.jump input', '9,999');
    await page.keyboard.press('Enter');
    await page.waitForSelector('.jump :text("no block at 9999")');
    await page.fill('.jump input', '1');
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:has-text("Block 1")');
  });

  it('goes by keys from the picture to a block and back, where it was left', async () => {
    await shown.open('/');
    await page.click('.loom .choices button:has-text("30 min")');
    await page.waitForSelector('.picture .pill.chosen');
    await page.focus('.lanes');
    const before = await page.getAttribute('.pill.chosen', 'data-block');
    await page.keyboard.press('ArrowDown');
    await page.waitForFunction(`document.querySelector('.pill.chosen').dataset.block !== '${before}'`);
    const chosen = await page.getAttribute('.pill.chosen', 'data-block');
    await page.evaluate('scrollTo(0, 300)');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/block/${chosen}`);
    await page.waitForSelector('.subject');
    await page.reload();
    await page.waitForSelector('.subject');
    await page.click('.fan a');
    await page.waitForFunction(`location.pathname !== '/block/${chosen}'`);
    await page.goBack();
    await page.goBack();
    await page.waitForSelector('.picture .pill');
    await page.waitForFunction('scrollY === 300');
    await page.keyboard.press('t');
    await page.waitForSelector('.loom table');
    expect(await page.locator('.loom tbody tr').count()).toBe(16);
  });

  it('finds what is typed, and a text that is pasted at once', async () => {
    const [block] = await explorer.get<readonly [{ hash: string }]>('/chains/1/2/blocks/1');
    await shown.open('/');
    await page.keyboard.press('/');
    await page.keyboard.type('1/2 1');
    await page.waitForSelector('#findings li');
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/block/${block.hash}`);
    await page.fill('.search input', `https://other.example/transactions/${block.hash}\n`);
    await page.keyboard.press('Enter');
    await page.waitForSelector('h1:has-text("Block 1")');
  });

  it('shows hostile texts as text', async () => {
    const { txId } = await network.transfer(payer, [{ key: testKeyOfGroup(0), amount: coin }]);
    await network.mine(payer.group, 0);
    await shown.untilEqual();
    const hostile = '<img src=x onerror="window.hit=1">\u202egnp.exe';
    await page.route(`**/transactions/${txId}`, async (route) => {
      const answer = (await (await route.fetch()).json()) as { outputs: { message: string }[] };
      answer.outputs[0]!.message = Buffer.from(hostile).toString('hex');
      await route.fulfill({ json: answer });
    });
    await page.route('**/search?*', (route) =>
      route.fulfill({ json: [{ kind: 'token', id: unknown, label: `${hostile}${'x'.repeat(1_000)}` }] }),
    );
    await shown.open(`/tx/${txId}`);
    await page.waitForSelector('.entry bdi');
    expect(await page.textContent('.entry bdi')).toBe(hostile.replace('\u202e', '\ufffd'));
    await page.fill('.search input', 'gold');
    await page.waitForSelector('#findings li');
    expect((await page.textContent('#findings li .quiet'))!.length).toBeLessThanOrEqual(65);
    expect(await page.evaluate('[window.hit, document.images.length]')).toEqual([undefined, 0]);
    expect(await overflow(page)).toBe(0);
  });

  it('says what it looked for in vain, and finds a transaction that comes late', async () => {
    await shown.open(`/block/${unknown}`);
    expect(await page.textContent('h1')).toBe('Not found');
    expect(await page.locator('.last-searches').count()).toBe(0);
    await page.waitForSelector('.missing-list li:nth-child(5) a');
    for (let search = 0; search < 7; search++) {
      await page.fill('.search input', `nothing ${search}`);
      await page.keyboard.press('Enter');
      await page.waitForSelector(`.missing .full-id:text-is("nothing ${search}")`);
    }
    expect(await page.locator('.last-searches a').allTextContents()).toEqual(
      [5, 4, 3, 2].map((search) => `nothing ${search}`),
    );
    await shown.open('/nowhere');
    expect(await page.textContent('main')).toContain('There is no such page');
    const template = await network.signedTransfer(payer, [{ key: testKeyOfGroup(1), amount: coin }]);
    const txId = transactionId(decode(transactionTemplateCodec, template).unsigned);
    await shown.open(`/tx/${txId}`);
    expect(await page.textContent('h1')).toBe('Not found');
    await network.client.request(payer.group, 'command.mempool.submit', { template });
    await page.waitForSelector('.subject .state.warning');
    // The browser reports each answer 404 that the test provoked.
    shown.provokes(/404/);
  });

  it.each(themes)('breaks no rule of accessibility, and is nowhere wider than the window: %s', async (theme) => {
    const [block] = await explorer.get<readonly [{ hash: string }]>('/chains/0/2/blocks/1');
    const address = `/address/${payer.address}`;
    const unused = `/address/${addressTextOf({ kind: 'p2pkh', publicKeyHash: '07'.repeat(32) })}`;
    const pages = [
      '/',
      '/block',
      `/block/${block.hash}`,
      `/tx/${paid}`,
      '/pending',
      '/chain/0/2',
      '/stats',
      '/richlist',
      '/transactions',
    ];
    const others = [
      address,
      `${address}?direction=in`,
      `${address}?tab=csv`,
      unused,
      '/about',
      '/find?q=7',
      '/nowhere',
    ];
    for (const path of [...pages, ...others]) {
      page = await shown.view(theme);
      // The browser reports the answer 404 of what is not found.
      if (path === '/nowhere') shown.provokes(/404/);
      await shown.open(path);
      await page.waitForLoadState('load');
      await page.waitForSelector(path === '/' ? '.pill.chosen' : '.facts, .missing, .lane-bands, .card, .pages');
      for (const size of [screens.wide, screens.phone]) {
        await page.setViewportSize(size);
        expect([path, size.width, await violations(page)]).toEqual([path, size.width, []]);
      }
      for (const size of [screens.phone, screens.narrowest]) {
        await page.setViewportSize(size);
        expect([path, size.width, await overflow(page)]).toEqual([path, size.width, 0]);
      }
    }
  });

  /** Names of the scripts of the page from now on, and their bytes as they are sent. */
  const readScripts = (): (() => Promise<ReadonlyMap<string, number>>) => {
    const read: Promise<readonly [string, number]>[] = [];
    page.on('response', (answer) => {
      if (answer.request().resourceType() !== 'script') return;
      const name = new URL(answer.url()).pathname;
      read.push(answer.body().then((script) => [name, gzipSync(script, { level: 9 }).length] as const));
    });
    return async () => new Map(await Promise.all(read));
  };

  it('comes in less than 60 kB of scripts, which its HTML names: every page', async () => {
    const [block] = await explorer.get<readonly [{ hash: string }]>('/chains/0/2/blocks/1');
    const contract = addressTextOf({ kind: 'p2c', contractId: unknown });
    const paths = [
      `/block/${block.hash}`,
      '/block',
      `/tx/${paid}`,
      `/address/${payer.address}`,
      `/address/${contract}`,
    ];
    const others = [
      '/',
      '/transactions',
      '/pending',
      '/chain/0/2',
      '/stats',
      '/richlist',
      '/about',
      '/find?q=7',
      `/token/${unknown}`,
    ];
    for (const path of [...paths, ...others]) {
      page = await shown.view();
      // The browser reports each answer 404.
      shown.provokes(/404/);
      const scripts = readScripts();
      await shown.open(path);
      await page.waitForSelector('.facts, .missing, .card');
      const text = await (await fetch(`${explorer.url}${path}`, { headers: html })).text();
      const read = await scripts();
      const bytes = [...read.values()].reduce((sum, each) => sum + each, 0);
      process.stderr.write(`${path.slice(0, 12)}: ${bytes} bytes of scripts\n`);
      expect([path, bytes > 10_000, bytes < budget]).toEqual([path, true, true]);
      expect([path, [...read.keys()].filter((name) => !text.includes(`.${name}"`))]).toEqual([path, []]);
    }
  });

  it('holds the blocks that arrive while somebody points at the list, and shows them when asked to', async () => {
    await shown.open('/block');
    await shown.live();
    const first = page.locator('main tbody tr:first-child a[href^="block/"]').first();
    await page.hover('main tbody tr:nth-child(3)');
    const before = await first.getAttribute('href');
    for (let i = 0; i < 3; i++) await network.mine(2, 0);
    await page.waitForSelector('button:text-is("3 new blocks")');
    expect(await first.getAttribute('href')).toBe(before);
    await page.click('button:text-is("3 new blocks")');
    await until('they are there', async () => (await first.getAttribute('href')) !== before);
    expect(await page.locator('button:has-text("new block")').count()).toBe(0);
    await page.hover('h1');
    const { blockHash } = await network.mine(2, 0);
    await until('the next comes by itself', async () => (await first.getAttribute('href')) === `block/${blockHash}`);
  });

  it('moves nothing of what is read while blocks and payments arrive, on each live page', async () => {
    const busy = [
      '/',
      '/block',
      '/block?payments=true',
      '/transactions',
      '/pending',
      '/stats',
      '/richlist',
      '/chain/0/1',
      `/address/${payer.address}`,
      `/tx/${paid}`,
    ];
    for (const path of busy) {
      page = await shown.view();
      await shown.open(path);
      await shown.live();
      await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
      const shifted = await watchShifts(page);
      for (let round = 0; round < 10; round++) {
        await network.transfer(payer, [{ key: testKeyOfGroup(1), amount: coin }]);
        await network.mine(payer.group, 1);
        await network.mine(round % 4, (round + 1) % 4);
        await network.mine(payer.group, payer.group);
      }
      await shown.untilEqual();
      expect([path, (await shifted()) < 0.05]).toEqual([path, true]);
    }
  });

  it('lists all transactions without block rewards, page by page, by links that can be kept', async () => {
    const all = await explorer.get<readonly { hash: string }[]>('/transactions?payments=true&limit=100');
    expect(all.length).toBeGreaterThan(10);
    await page.route('**/transactions?payments=true&limit=50*', (route) =>
      route.continue({ url: route.request().url().replace('limit=50', 'limit=4') }),
    );
    await shown.open('/');
    await page.click('a:text-is("All transactions")');
    await page.waitForSelector('h1:text-is("Transactions")');
    await shown.live();
    const ids = () =>
      page
        .locator('main tbody td:nth-child(2) a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('title')));
    const hashes = (from: number, to: number) => all.slice(from, to).map(({ hash }) => hash);
    await until('the newest are there', async () => (await ids()).join() === hashes(0, 4).join());
    await shown.open('/transactions?page=2');
    await until('the next are there', async () => (await ids()).join() === hashes(4, 8).join());
    await shown.open('/transactions');
    await page.hover('main tbody tr:nth-child(2)');
    const { txId } = await network.transfer(payer, [{ key: testKeyOfGroup(1), amount: coin }]);
    await network.mine(payer.group, 1);
    await page.click('button:text-is("Show new transactions")');
    await until('the new one is there', async () => (await ids())[0] === txId);
  });

  it('says who mined blocks and what they moved, and hides those without payments', async () => {
    await network.transfer(payer, [{ key: testKeyOfGroup(2), amount: 7n * coin }]);
    const { blockHash } = await network.mine(payer.group, 2);
    await network.mine(3, 3);
    await shown.untilEqual();
    await shown.open('/block');
    await shown.live();
    const row = page.locator(`main tbody tr:has(a[href="block/${blockHash}"])`).first();
    await row.locator('.amount >> nth=1').waitFor();
    const [, reward, moved] = [
      0,
      ...(await row.locator('.amount').evaluateAll((all) => all.map(({ title }) => title))),
    ];
    expect(moved).toBe('7 COIN');
    expect(reward).toMatch(/^\d+\.\d+ COIN$/);
    const counts = async () => (await page.locator('main tbody td:nth-child(4)').allTextContents()).map(Number);
    await until('all are there', async () => (await counts()).includes(1));
    await page.click('label:has-text("Hide blocks without payments")');
    await page.waitForURL('**/block?payments=true');
    await until('the others are hidden', async () => (await counts()).length > 0 && !(await counts()).includes(1));
    await shown.open(`/chain/${payer.group}/2`);
    await page.waitForSelector(`main tbody tr:has(a[href="block/${blockHash}"]) .amount:has-text("7 COIN")`);
  });

  it('finds a pending transaction in the list by a tap, and opens it by a second one', async () => {
    const { txId } = await network.transfer(payer, [{ key: testKeyOfGroup(3), amount: coin }]);
    page = await shown.view('light', screens.phone, { hasTouch: true });
    await shown.open('/pending');
    const dot = page.locator(`.dot[data-hash="${txId}"] .hit`);
    await dot.tap();
    await page.waitForSelector(`tr.pointed a[href="tx/${txId}"]`);
    expect(page.url()).toBe(`${explorer.url}/pending`);
    await dot.tap();
    await page.waitForURL(`**/tx/${txId}`);
    await network.mine(payer.group, 3);
    await shown.untilEqual();
  });

  /** Pages about the whole network that show pending transactions, and how many they show. */
  const pendingLists = (to: number): readonly (readonly [path: string, shown: () => Promise<number>])[] => [
    ['/', () => page.locator('.picture .waiting circle').count()],
    [
      `/chain/${payer.group}/${to}`,
      async () => Number(await page.textContent('.fact:has-text("Pending") .fact-value')),
    ],
    ['/pending', () => page.locator('main tbody tr').count()],
  ];

  it('shows on each list of pending transactions that one was dropped, without a reload', async () => {
    for (const [path, pending] of pendingLists(3)) {
      await network.transfer(payer, [{ key: testKeyOfGroup(3), amount: coin }]);
      await shown.open(path);
      await shown.live();
      await until(`${path} shows it`, async () => (await pending()) === 1);
      await network.client.request(payer.group, 'command.mempool.clear', {});
      await until(`${path} shows none`, async () => (await pending()) === 0);
    }
  });

  it('shows on each list of pending transactions what a snapshot brings', async () => {
    for (const [path, pending] of pendingLists(2)) {
      await network.transfer(payer, [{ key: testKeyOfGroup(2), amount: coin }]);
      await shown.open(path);
      await shown.live();
      await until(`${path} shows it`, async () => (await pending()) === 1);
      await shown.restart(async () => {
        await page.waitForSelector('.link:not(.live)');
        await network.client.request(payer.group, 'command.mempool.clear', {});
      });
      explorer = shown.explorer;
      await shown.live();
      await until(`${path} shows none`, async () => (await pending()) === 0);
    }
    shown.provokes(/net::ERR_|503/);
  });

  it('shows at an address that a pending transaction was dropped, without a reload', async () => {
    const { txId } = await network.transfer(payer, [{ key: testKeyOfGroup(3), amount: coin }]);
    await shown.open(`/address/${payer.address}`);
    await shown.live();
    await page.waitForSelector(`tr:has(.tag.waits) a[href$="tx/${txId}"]`);
    await page.waitForSelector('.facts :text("1 pending")');
    await network.client.request(payer.group, 'command.mempool.clear', {});
    await until('it has left', async () => (await page.locator('tr:has(.tag.waits)').count()) === 0);
    expect(await page.locator('.facts :text("pending")').count()).toBe(0);
  });

  it('names its base and its files, which never change', async () => {
    const ask = (path: string, headers: Record<string, string> = html) => fetch(`${explorer.url}${path}`, { headers });
    const answer = await ask('/block/00');
    expect(answer.headers.get('content-security-policy')).toBe(policy);
    const text = await answer.text();
    expect(text).toContain('<base href="../" />');
    const script = /src="\.\/(assets\/[^"]+\.js)"/.exec(text)![1]!;
    const asset = await ask(`/${script}`, { 'accept-encoding': 'br' });
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(asset.headers.get('content-encoding')).toBe('br');
  });

  it('is found by the links of wallets, and says what is not found', async () => {
    const { hash: block } = (await explorer.get<{ blocks: readonly { hash: string }[] }>('/blocks?limit=1')).blocks[0]!;
    const { address } = payer;
    for (const [path, own, title] of [
      [`/transactions/${paid}`, `/tx/${paid}`, 'Transaction'],
      ['/transactions', '/transactions', 'Transactions'],
      ['/#/transactions', '/transactions', 'Transactions'],
      [`/#/transactions/${paid}`, `/tx/${paid}`, 'Transaction'],
      [`/addresses/${address}`, `/address/${address}`, 'Address'],
      [`/#/addresses/${address}`, `/address/${address}`, 'Address'],
      [`/address/${address}:0`, `/address/${address}`, 'Address'],
      [`/blocks/${block}`, `/block/${block}`, 'Block'],
      ['/tx/%zz', '/tx/%zz', 'Not found'],
      ['/tx/%E0%A4%A', '/tx/%E0%A4%A', 'Not found'],
      ['/addresses/garbage', '/address/garbage', 'Not found'],
    ] as const) {
      await page.goto('about:blank');
      shown.provokes(/400|404/);
      await shown.open(path);
      expect([path, await page.textContent('h1')]).toEqual([path, expect.stringContaining(title)]);
      expect(page.url()).toBe(`${explorer.url}${own}`);
    }
    await shown.open('/');
    await page.evaluate(`location.hash = '#/addresses/${address}'`);
    await page.waitForURL(`${explorer.url}/address/${address}`);
  });
});

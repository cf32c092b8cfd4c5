import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { type Page } from 'playwright-core';
import { until } from '@shardnode/testing/waiting';
import { apiClient, type ApiClient } from '../../kit/api-client.js';
import { describeInBrowser } from '../../kit/browser.js';
import { openBrowser } from '../../kit/chromium.js';
import { overflow, screens, ShownPage, themes, violations } from '../../kit/explorer/page-kit.js';
import { Vault, vaultSource } from '../../kit/explorer/vault.js';
import { contractIdOf } from '../../kit/faucet.js';
import { type Network, startNetwork } from '../../kit/network.js';
import { oneCoin } from '../../kit/transfers.js';

/** What `npm start` shows to the person who develops on it. */
describeInBrowser('the page of a contract', () => {
  let network: Network;
  let explorer: ApiClient;
  let shown: ShownPage;
  let page: Page;
  let vault: Vault;

  const open = async (path: string): Promise<void> => {
    await shown.open(path);
    await shown.live();
  };
  const openVault = async (): Promise<void> => {
    await open(`/address/${vault.address}`);
    await page.waitForSelector('h1:has-text("Vault")');
  };
  const textsOf = async (selector: string): Promise<string[]> =>
    (await page.locator(selector).allTextContents()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  const fieldOf = (name: string): Promise<string | null> =>
    page.textContent(`.contract-fields tr:has(.code-name:text-is("${name}")) td:last-child`);
  const eventNames = (): Promise<string[]> => textsOf('.event-name');

  beforeAll(async () => {
    network = await startNetwork({ DEV_WALLET: 'true', EXPLORER: 'on', EXPLORER_PORT: '0' });
    explorer = apiClient(() => network.ready.explorerUrl!);
    vault = await Vault.open(network.api, network.funded[1]!);
    await vault.run('deposit', 3n * oneCoin);
    await until('the explorer has the contract', async () => {
      const events = await explorer.get<unknown[]>(`/contract-events/contract-address/${vault.address}`);
      return events.length === 1;
    });
    shown = new ShownPage(await openBrowser(), network.ready.explorerUrl!);
  });
  beforeEach(async () => {
    page = await shown.view();
  });
  afterEach(() => expect(shown.complaints()).toEqual([]));
  afterAll(async () => {
    await shown?.browser.close();
    explorer?.close();
    await network?.remove();
  });

  it('shows what the contract is and has, by the names of its source', async () => {
    await openVault();
    expect(await textsOf('.life h3')).toEqual(['Created', 'Now']);
    await page.waitForSelector('.contract-fields tbody tr:nth-child(7)');
    expect(await textsOf('.contract-fields tbody td:first-child')).toEqual([
      ...['ownerfixed', 'limits.leastfixed', 'limits.most', 'boxfixed', 'note', 'total', 'isOpen'],
    ]);
    expect(await fieldOf('owner')).toBe('dev 1');
    expect(await fieldOf('note')).toBe('“savings”');
    expect(await fieldOf('total')).toBe('3,000,000,000,000,000,000');
    expect(await page.textContent('.facts')).toContain('4 COIN');
    expect(await textsOf('.functions .signature b')).toEqual([
      ...['totalWith', 'noteOf', 'deposit', 'add', 'rename', 'openBox', 'closeBox', 'upgrade', 'close'],
    ]);
  });

  it('shows events as they come, decoded, and those of one kind', async () => {
    await openVault();
    expect(await eventNames()).toEqual(['Deposited']);
    expect(await textsOf('.event-fields > div')).toEqual([
      'bydev 1',
      'amount3,000,000,000,000,000,000',
      'total3,000,000,000,000,000,000',
    ]);
    await vault.run('rename', 'holidays');
    await page.waitForSelector('.event-fields :text("holidays")');
    expect(await eventNames()).toEqual(['Renamed', 'Deposited']);
    await until('the field has changed', async () => (await fieldOf('note')) === '“holidays”');
    expect(await page.locator('.contract-fields tr.fresh').count()).toBe(1);
    await page.selectOption('.contract-events-filter', { label: 'Deposited' });
    await until('one is left', async () => (await eventNames()).join() === 'Deposited');
    await page.selectOption('.contract-events-filter', { label: 'All events' });
    await until('all are there', async () => (await eventNames()).length === 2);
  });

  it('shows its code as instructions, method by method', async () => {
    await openVault();
    await page.click('.folded summary');
    await page.click('.raw summary');
    await page.waitForSelector('.listing pre');
    expect(await textsOf('.listing .code-name')).toEqual(await textsOf('.functions .signature b'));
    expect(await page.textContent('.listing h3')).toMatch(
      /^Method 0 totalWith public · 2 arguments · 2 locals · returns 2 /,
    );
    const [first] = await page.locator('.listing pre').allTextContents();
    expect(first!.split('\n').slice(0, 2)).toEqual([' 0  MethodSelector 0xcaa4e460', ' 1  LoadLocal 0']);
    for (const size of [screens.phone, screens.wide]) {
      await page.setViewportSize(size);
      expect([size.width, await overflow(page)]).toEqual([size.width, 0]);
    }
    expect(await violations(page)).toEqual([]);
  });

  it('shows older events when they are asked for', async () => {
    await page.route('**/contract-events/**', (route) =>
      route.continue({ url: route.request().url().replace('limit=20', 'limit=1') }),
    );
    await openVault();
    await page.click('button:has-text("Older events")');
    await until('both are there', async () => (await eventNames()).join() === 'Renamed,Deposited');
  });

  it('calls functions: with arguments of their types, with what is none, and with what they refuse', async () => {
    await openVault();
    await page.click('.function summary:has-text("noteOf")');
    await page.waitForSelector('.function:has-text("noteOf") .call-result :text("holidays")');

    const total = page.locator('.function', { hasText: 'totalWith' });
    await total.locator('summary').click();
    const call = () => total.locator('button').click();
    await total.getByLabel('more').fill('1.5');
    await call();
    expect(await total.locator('.wrong').allTextContents()).toEqual([
      'Expected digits.',
      'Expected an address, or the name of an account.',
    ]);
    await total.getByLabel('more').fill('5');
    await total.getByLabel('by').fill('dev 1');
    await call();
    await total.locator('.call-result.good').waitFor();
    expect(await total.locator('.returns li').allTextContents()).toEqual([
      '3,000,000,000,000,000,005 U256',
      'true Bool',
    ]);
    expect(await total.locator('.debug-messages li').allTextContents()).toEqual(['asked for 5']);
    await total.getByLabel('more').fill(String(100n * oneCoin));
    await call();
    await total.locator('.call-result.bad').waitFor();
    expect(await total.locator('.call-result').textContent()).toContain(
      'The call failed: VaultError.TooMuch in Vault.totalWith',
    );
    // Private ones, and those that take assets of their caller, cannot be called.
    expect(await textsOf('p.function .tag')).toEqual(['takes assets', 'private', 'takes assets']);
  });

  it('tells the life of a contract that is created, closed, and created again, beside its parent', async () => {
    await vault.run('openBox', 'aa');
    await openVault();
    await page.waitForSelector('.sub-contracts a');
    await page.click('.sub-contracts a');
    await page.waitForSelector('h1:has-text("Box")');
    expect(await textsOf('.life h3')).toEqual(['Created', 'Now']);
    expect(await page.locator(`.life li:first-child a[title="${vault.address}"]`).count()).toBe(1);
    await vault.run('closeBox', 'aa');
    await page.waitForSelector('.subject .state:has-text("Destroyed")');
    expect(await textsOf('.life h3')).toEqual(['Created', 'Destroyed', 'Now']);
    expect(await page.locator('.contract-fields').count()).toBe(0);
    await vault.run('openBox', 'aa');
    await page.waitForSelector('.subject .state:has-text("Alive")');
    expect(await textsOf('.life h3')).toEqual(['Created', 'Destroyed', 'Created again', 'Now']);
    await until('its field is back', async () => (await fieldOf('size')) === '7');
  });

  it('sees the code of a contract change, and the contract end', async () => {
    await openVault();
    await page.waitForSelector('.contract-fields');
    await vault.run('upgrade', vault.otherCode);
    await page.waitForSelector('.life li.migrated');
    expect(await textsOf('.life h3')).toEqual(['Created', 'Migrated', 'Now']);
    await vault.run('close');
    await page.waitForSelector('.subject .state:has-text("Destroyed")');
    expect(await page.textContent('.facts')).toContain('it is destroyed');
    expect(await eventNames()).toEqual(['Renamed', 'Deposited']);
  });

  it('sends a test payment between named accounts, and shows it', async () => {
    await open('/');
    await page.waitForSelector('.development .amount');
    expect(await textsOf('.development .account')).toEqual(['dev 0', 'dev 1', 'dev 2', 'dev 3']);
    await page.click('button:has-text("Send a test payment")');
    await page.waitForURL('**/tx/*');
    await page.waitForSelector('.subject .state');
    const txId = page.url().slice(-64);
    const { outputs } = await explorer.get<{ outputs: { address: string }[] }>(`/transactions/${txId}`);
    expect(outputs.map(({ address }) => address).sort()).toEqual(
      [network.funded[0]!.address, network.funded[1]!.address].sort(),
    );
    await page.waitForSelector('.entry .account:text("dev 1")');
    // The page may be there before the index knows that it waits.
    shown.provokes(/404/);
  });

  it.each(themes)('breaks no rule of accessibility, and is nowhere wider than the window: %s', async (theme) => {
    const other = await Vault.open(network.api, network.funded[2]!);
    await other.run('deposit', oneCoin);
    page = await shown.view(theme);
    for (const path of ['/', `/address/${other.address}`, `/address/${vault.address}`]) {
      await open(path);
      await page.waitForSelector(path === '/' ? '.development .amount' : '.contract-events');
      if (path.endsWith(other.address)) {
        await page.click('.function summary:has-text("totalWith")');
        await page.click('.function:has-text("totalWith") button');
        await page.click('.function summary:has-text("noteOf")');
        await page.waitForSelector('.call-result');
      }
      expect([path, await violations(page)]).toEqual([path, []]);
      for (const size of [screens.phone, screens.narrowest]) {
        await page.setViewportSize(size);
        expect([path, size.width, await overflow(page)]).toEqual([path, size.width, 0]);
        expect([path, size.width, await violations(page)]).toEqual([path, size.width, []]);
      }
      await page.setViewportSize(screens.wide);
    }
  });

  it('says of an address without a contract that there is none', async () => {
    const unknown = `${vault.address.slice(0, -1)}${vault.address.endsWith('2') ? '3' : '2'}`;
    expect(contractIdOf(unknown)).toHaveLength(64);
    await open(`/address/${unknown}`);
    await page.waitForSelector('h1:has-text("Not found")');
  });

  it('finds accounts and contracts by their names, and has those of contracts after a restart', async () => {
    const { deployment } = network;
    const kept = await Vault.open(network.api, network.funded[3]!);
    const search = async (text: string): Promise<void> => {
      await page.fill('.search input', text);
      await page.keyboard.press('Enter');
    };
    const shownAfter = async (change: () => void): Promise<void> => {
      await page.close();
      await deployment.stop();
      change();
      const { explorerUrl } = await deployment.start();
      shown = new ShownPage(shown.browser, explorerUrl!);
      page = await shown.view();
      await open(`/address/${kept.address}`);
      await page.waitForSelector('.contract-fields');
    };
    await shownAfter(() => undefined);
    await page.waitForSelector('h1:has-text("Vault")');
    expect(await fieldOf('owner')).toBe('dev 3');
    await search('“dev 1”');
    await page.waitForURL(`**/address/${network.funded[1]!.address}`);
    await page.fill('.search input', 'vau');
    await page.waitForSelector('#findings li:has-text("Vault")');
    await shownAfter(() => rmSync(join(network.ready.dataDir, 'compiled-names.json')));
    await page.waitForSelector('.source-box:has-text("Compile its source again to see names")');
    expect(await textsOf('.contract-fields tbody td:first-child')).toEqual([
      ...['field 0fixed', 'field 1fixed', 'field 2fixed', 'field 3', 'field 4', 'field 5', 'field 6'],
    ]);
    const compile = async (source: string): Promise<void> => {
      await page.fill('.source-box textarea', source);
      await page.click('.source-box button:text-is("Compile")');
    };
    await compile('contract A() {}');
    await page.waitForSelector('.source-box [role="alert"]:has-text("error (1:1)")');
    expect(await violations(page)).toEqual([]);
    await compile('Contract A() { pub fn f() -> () { return } }');
    await page.waitForSelector('.source-box [role="alert"]:has-text("no contract in it has the code of this one")');
    await compile(vaultSource);
    await page.waitForSelector('h1:has-text("Vault")');
    expect(await page.locator('.source-box').count()).toBe(0);
    expect(await fieldOf('owner')).toBe('dev 3');
    // The browser reports the answer 400 that the test provoked.
    shown.provokes(/400/);
  });
});

describeInBrowser('the page of a development network that does not mine', () => {
  let network: Network;
  let shown: ShownPage;
  beforeAll(async () => {
    network = await startNetwork({ DEV_WALLET: 'true', EXPLORER: 'on', EXPLORER_PORT: '0', MINING: 'off' });
    shown = new ShownPage(await openBrowser(), network.ready.explorerUrl!);
  });
  afterEach(() => expect(shown.complaints()).toEqual([]));
  afterAll(async () => {
    await shown?.browser.close();
    await network?.remove();
  });

  it('says so, and mines the block that a pending transaction waits for', async () => {
    const page = await shown.view();
    await shown.open('/');
    await shown.live();
    await page.waitForSelector('.mining-off:has-text("Mining is off")');
    await page.click('button:has-text("Send a test payment")');
    await page.waitForSelector('.subject .state.warning');
    await page.goBack();
    const mine = page.locator('.mining-off button');
    await until('the chain of the payment is offered', async () => /chain 0 → [123]/.test((await mine.textContent())!));
    await mine.click();
    await until('its block is there', async () => (await page.locator('.picture .pill').count()) === 1);
    await page.goForward();
    await page.waitForSelector('.subject .state:text-is("Confirmed")');
  });
});

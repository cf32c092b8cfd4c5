import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { type Page } from 'playwright-core';
import { describeInBrowser } from '../../kit/browser.js';
import { openBrowser } from '../../kit/chromium.js';
import { ShownPage } from '../../kit/explorer/shown-page.js';
import { type Network, startNetwork } from '../../kit/network.js';
import { PrefixProxy } from '../../kit/prefix-proxy.js';

describeInBrowser('behind a proxy that takes off a prefix', () => {
  let network: Network;
  let explorerProxy: PrefixProxy;
  let gatewayProxy: PrefixProxy;
  let explorer: ShownPage;
  let gateway: ShownPage;
  let payer: string;
  const proxies = (): PrefixProxy[] => [explorerProxy, gatewayProxy];

  beforeAll(async () => {
    network = await startNetwork({ DEV_WALLET: 'true', EXPLORER: 'on', EXPLORER_PORT: '0' });
    explorerProxy = await PrefixProxy.start(network.ready.explorerUrl!);
    gatewayProxy = await PrefixProxy.start(network.deployment.baseUrl);
    explorer = new ShownPage(await openBrowser(), explorerProxy.url);
    gateway = new ShownPage(explorer.browser, gatewayProxy.url);
    payer = network.ready.accounts[0]!.address;
    const wallet = network.ready.wallet!;
    await network.api.post(`/wallets/${wallet.name}/transfer`, {
      destinations: [{ address: network.ready.accounts[1]!.address, amount: '1 COIN' }],
    });
  });
  // A request outside has no prefix: the page complains of it, too.
  afterEach(() => {
    expect(proxies().flatMap(({ escapes }) => escapes)).toEqual([]);
    expect([...explorer.complaints(), ...gateway.complaints()]).toEqual([]);
  });
  afterAll(async () => {
    await explorer?.browser.close();
    await Promise.all(proxies().map((proxy) => proxy?.stop()));
    await network?.remove();
  });

  const get = async <Form>(path: string): Promise<Form> =>
    (await (await fetch(`${explorerProxy.url}${path}`)).json()) as Form;

  /** Opens an operation at `/docs`, sends what its form says, and gives the status of the answer. */
  const tryOut = async (page: Page, id: string): Promise<string | null> => {
    await page.click(`${id} .summary button`);
    await page.click(`${id} .execute`);
    await page.waitForSelector(`${id} .live-responses-table tbody .response-col_status`);
    return page.textContent(`${id} .live-responses-table tbody .response-col_status`);
  };

  it('shows all pages of the explorer, live, by links, and by links of wallets', async () => {
    const { blocks } = await get<{ blocks: readonly { hash: string }[] }>('/blocks?limit=1');
    const [paid] = await get<readonly { hash: string }[]>(`/addresses/${payer}/transactions`);
    const page = await explorer.view();
    await explorer.open('/');
    await explorer.live();
    for (const path of [
      '/block',
      `/block/${blocks[0]!.hash}`,
      `/tx/${paid!.hash}`,
      `/address/${payer}`,
      '/chain/0/1',
      '/pending',
      '/stats',
      '/richlist',
      '/about',
      '/find?q=1',
      `/transactions/${paid!.hash}`,
      `/#/addresses/${payer}`,
    ]) {
      await explorer.open(path);
      await explorer.live();
      expect([path, await page.locator('.missing').count()]).toEqual([path, 0]);
    }
    await page.click('header .name');
    await page.waitForURL(`${explorerProxy.url}/`);
    await page.goto(`${explorerProxy.url}/nowhere/%zz`);
    expect(await page.textContent('h1')).toBe('Not found');
  });

  it('sends a CSV file', async () => {
    const page = await explorer.view();
    await explorer.open(`/address/${payer}?tab=csv`);
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('.csv .days :text("Download")')]);
    expect(await readFile(await download.path(), 'utf8')).toContain('TxHash');
  });

  it('sends requests from the documentation of both services', async () => {
    const explorerDocs = await explorer.view();
    await explorerDocs.goto(`${explorerProxy.url}/docs`);
    expect(await tryOut(explorerDocs, '#operations-Blocks-getBlocks')).toContain('200');
    expect(await tryOut(explorerDocs, '#operations-Addresses-postAddressesUsed')).toContain('200');
    const nodeDocs = await gateway.view();
    await nodeDocs.goto(`${gatewayProxy.url}/`);
    await nodeDocs.waitForURL(`${gatewayProxy.url}/docs/`);
    expect(await tryOut(nodeDocs, '#operations-Addresses-getAddressesAddressBalance')).toContain('200');
    expect(await tryOut(nodeDocs, '#operations-Transactions-postTransactionsBuild')).toContain('200');
    for (const guide of ['exchange', 'errors']) {
      await nodeDocs.goto(`${gatewayProxy.url}/docs/${guide}`);
      await nodeDocs.waitForSelector('#guide h1');
    }
  });
});

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Browser, type BrowserContext, type Page } from 'playwright-core';
import { describeInBrowser } from '../kit/browser.js';
import { openBrowser } from '../kit/chromium.js';
import { type Network, startNetwork } from '../kit/network.js';

const accessibilityRules = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const phone = { width: 390, height: 844 };
const screen = { width: 1440, height: 900 };
const views = [
  ['light', screen],
  ['dark', screen],
  ['light', phone],
  ['dark', phone],
] as const;

const build = '#operations-Transactions-postTransactionsBuild';
const balance = '#operations-Addresses-getAddressesAddressBalance';

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly responses: object }>>>>;
}

/** Rules of accessibility that the page breaks, and where. Code for the browser is text: our types know no browser. */
const violations = async (page: Page): Promise<unknown> => {
  await page.evaluate(accessibilityRules);
  return page.evaluate(
    'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]))',
  );
};

const overflow = (page: Page): Promise<number> =>
  page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth');

const shows = async (page: Page, operations: number): Promise<void> => {
  await page.waitForFunction(`document.querySelectorAll('.opblock').length === ${operations}`);
};

const openOperation = async (page: Page, id: string): Promise<void> => {
  await page.click(`${id} .summary button`);
  await page.waitForSelector(`${id} .samples`);
};

const unfoldErrors = async (page: Page, id: string): Promise<void> => {
  for (const summary of await page.locator(`${id} .error summary`).all()) await summary.click();
};

const execute = async (page: Page, id: string): Promise<void> => {
  await openOperation(page, id);
  await page.click(`${id} .execute`);
  await page.waitForSelector(`${id} .live-responses-table tbody .response-col_status`);
};

describeInBrowser('the page at /docs', () => {
  let network: Network;
  let browser: Browser;
  beforeAll(async () => {
    network = await startNetwork();
    browser = await openBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await network?.remove();
  });

  interface Visit {
    readonly page: Page;
    readonly context: BrowserContext;
    /** Errors on the console and of scripts, answers that are no success, requests to other origins. */
    readonly complaints: string[];
    /** Bytes that came over the wire, headers among them. */
    bytes(): number;
  }

  const visit = async (
    path: string,
    [colorScheme, viewport]: readonly ['light' | 'dark', typeof phone] = ['light', screen],
    base = network.deployment.baseUrl,
  ): Promise<Visit> => {
    const context = await browser.newContext({ colorScheme, viewport });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('response', (answer) => answer.status() >= 400 && complaints.push(`${answer.status()} ${answer.url()}`));
    page.on('request', (request) => {
      const isOurs = request.url().startsWith(`${base}/`);
      if (!isOurs) complaints.push(`asks ${request.url()}`);
    });
    const protocol = await context.newCDPSession(page);
    await protocol.send('Network.enable');
    let bytes = 0;
    protocol.on('Network.loadingFinished', ({ encodedDataLength }) => (bytes += encodedDataLength));
    await page.goto(`${base}${path}`);
    return { page, context, complaints, bytes: () => bytes };
  };

  it('comes in less than 600 kB, its description among them, from here alone', async () => {
    const { page, context, complaints, bytes } = await visit('/docs/');
    await page.waitForSelector('.summary button');
    await page.waitForLoadState('networkidle');
    expect(bytes()).toBeGreaterThan(300_000);
    expect(bytes()).toBeLessThan(600_000);
    expect(await page.title()).toBe('Shardnode API');
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each(views)('%s, %o: breaks no rule of accessibility, and nothing is wider than the page', async (...view) => {
    const { page, context, complaints } = await visit('/docs/', view);
    await page.waitForSelector('.summary button');
    const states: [string, () => Promise<unknown>][] = [
      ['at first', () => Promise.resolve()],
      ['with an operation open', () => openOperation(page, build)],
      ['with a schema', () => page.click(`${build} .responses button[data-name=model]`)],
      ['with errors unfolded', () => unfoldErrors(page, build)],
      ['with an answer', () => execute(page, balance)],
      ['with a search', () => page.fill('#search', 'unspent outputs')],
      ['with a search for nothing', () => page.fill('#search', 'xyzzy')],
    ];
    for (const [state, reach] of states) {
      await reach();
      expect([state, await violations(page), await overflow(page)]).toEqual([state, [], 0]);
    }
    expect(complaints).toEqual([]);
    await context.close();
  });

  it.each(['/docs/exchange', '/docs/errors'])('%s is readable on a screen and on a phone', async (path) => {
    for (const view of views) {
      const { page, context, complaints } = await visit(path, view);
      await page.waitForSelector('#guide h1');
      expect([await violations(page), await overflow(page), complaints]).toEqual([[], 0, []]);
      expect(await page.locator('#guide table').count()).toBeGreaterThan(0);
      await context.close();
    }
  });

  it('links to the explorer, and has its theme button', async () => {
    const { page, context } = await visit('/docs/');
    expect(await page.locator('.places [aria-current]').textContent()).toBe('Node API');
    const themes = () =>
      page.evaluate('[document.documentElement.dataset.theme, getComputedStyle(document.body).backgroundColor]');
    const before = await themes();
    await page.click('.theme');
    expect(await themes()).not.toEqual(before);
    await page.reload();
    expect(await themes()).not.toEqual(before);
    await context.close();
  });

  it('shows a page to a person who opens an address of the API by mistake', async () => {
    for (const path of ['/addresses/1DrDy', '/tx/%zz', '/nowhere/at/all']) {
      const { page, context, complaints } = await visit(path);
      expect(await page.textContent('h1')).toBe('Not found');
      expect([await violations(page), await overflow(page)]).toEqual([[], 0]);
      expect(complaints.filter((complaint) => !complaint.includes('404'))).toEqual([]);
      await page.click('main a:text-is("The operations of this API")');
      await page.waitForURL(`${network.deployment.baseUrl}/docs/`);
      await context.close();
    }
  });

  it('finds operations by words of their path and what they do', async () => {
    const { page, context } = await visit('/docs/');
    await page.waitForSelector('.summary button');
    const total = await page.locator('.opblock').count();
    expect(await page.locator('nav li a').count()).toBe(total);
    await page.fill('#search', 'ADDRESSES unspent');
    await shows(page, 1);
    expect(await page.locator('.opblock code').allTextContents()).toEqual(['/addresses/{address}/utxos']);
    expect(await page.locator('nav li a:visible').count()).toBe(1);
    expect(await page.locator('nav [role=status]').textContent()).toBe(`1 of ${total} operations`);
    await page.click('nav li a:visible');
    await page.waitForSelector('.opblock.is-open .samples');
    await page.fill('#search', '');
    await shows(page, total);
    await context.close();
  });

  it('groups operations by what they are for', async () => {
    const { page, context } = await visit('/docs/');
    await page.waitForSelector('.summary button');
    const groups = await page.locator('.group > h2').allTextContents();
    expect(groups.slice(0, 3)).toEqual(['Wallets', 'Infos', 'Addresses']);
    expect(await page.locator('.group > h2 + .renderedMarkdown').count()).toBe(groups.length);
    await context.close();
  });

  it('shows a request as curl and as TypeScript', async () => {
    const { page, context } = await visit('/docs/');
    await openOperation(page, build);
    const sample = page.locator(`${build} .samples .code`);
    const { baseUrl } = network.deployment;
    expect(await sample.textContent()).toContain(`curl -X POST '${baseUrl}/transactions/build' \\\n`);
    await page.click(`${build} .samples button:text-is("TypeScript")`);
    const text = await sample.textContent();
    expect(text).toContain(`await fetch('${baseUrl}/transactions/build', {\n  method: 'POST',`);
    expect(text).toContain("as components['schemas']['BuildTransactionResult']");
    await context.close();
  });

  it('folds errors under their statuses, each with an example and its codes', async () => {
    const { page, context } = await visit('/docs/');
    await openOperation(page, build);
    const errors = page.locator(`${build} .error`);
    const { paths } = await network.api.get<Described>('/docs/openapi.json');
    const [done, ...statuses] = Object.keys(paths['/transactions/build']!['post']!.responses);
    expect([done, await errors.locator('.status').allTextContents()]).toEqual(['200', statuses]);
    expect(statuses).toEqual(expect.arrayContaining(['400', '401', '413', '429', '500', '503']));
    expect(await errors.locator('dl').first().isVisible()).toBe(false);
    await errors.first().locator('summary').click();
    expect(await errors.first().locator('.code').textContent()).toContain('"detail": "Not enough balance: ');
    expect(await errors.first().locator('dt').allTextContents()).toContain('NotEnoughBalance');
    await context.close();
  });

  it('sends what its form says', async () => {
    const { page, context } = await visit('/docs/');
    await execute(page, balance);
    expect(await page.locator(`${balance} .live-responses-table tbody .response-col_status`).textContent()).toContain(
      '200',
    );
    expect(await page.locator(`${balance} .live-responses-table .code`).textContent()).toContain('"utxoNum": 1');
    await context.close();
  });

  it('takes a key where the API wants one, and shows it in no sample', async () => {
    const apiKey = 'k'.repeat(32);
    const locked = await startNetwork({ API_KEY: apiKey });
    const { page, context } = await visit('/docs/', ['light', screen], locked.deployment.baseUrl);
    await page.fill('.key input', apiKey);
    expect(await violations(page)).toEqual([]);
    await execute(page, balance);
    expect(await page.locator(`${balance} .live-responses-table tbody .response-col_status`).textContent()).toContain(
      '200',
    );
    const sample = await page.locator(`${balance} .samples .code`).textContent();
    expect(sample).toContain("-H 'X-API-KEY: YOUR-API-KEY'");
    await context.close();
    await locked.remove();
  });
});

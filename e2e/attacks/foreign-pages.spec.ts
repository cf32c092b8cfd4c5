import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { type Browser, type Page } from 'playwright-core';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { type Answer, type Method } from '../kit/api-client.js';
import { describeInBrowser } from '../kit/browser.js';
import { openBrowser } from '../kit/chromium.js';
import { describeEmbedded } from '../kit/deployment-under-test.js';
import { type Network, startNetwork } from '../kit/network.js';
import { balanceOf, confirmed, oneCoin } from '../kit/transfers.js';

type Headers = Readonly<Record<string, string>>;

interface Wish {
  readonly what: string;
  readonly method: Method;
  readonly path: string;
  readonly body?: unknown;
}

const evil = 'https://evil.example';
/** Of one who writes a page on this machine. */
const local = 'http://localhost:5173';
const thief = testKeyOfGroup(0).address;
const theft = { destinations: [{ address: thief, attoCoinAmount: oneCoin.toString() }] };

/** What a page wants of the node of its visitor, whose wallet `dev` is unlocked. */
const wishes: readonly Wish[] = [
  { what: 'coins', method: 'POST', path: '/wallets/dev/transfer', body: theft },
  { what: 'coins by an encoded path', method: 'POST', path: '/%77allets/dev/transfer', body: theft },
  { what: 'wallets', method: 'GET', path: '/wallets' },
  { what: 'blocks', method: 'POST', path: '/miners/cpu-mining/mine-one-block?fromGroup=0&toGroup=0' },
  { what: 'an empty mempool', method: 'DELETE', path: '/mempool/transactions' },
];

/** The headers that a browser sends by itself, and no script can change. */
const pages: readonly { readonly page: string; readonly headers: Headers }[] = [
  { page: 'of another site', headers: { origin: evil, 'sec-fetch-site': 'cross-site' } },
  { page: 'in an older browser', headers: { origin: evil } },
  { page: 'in a sandbox', headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } },
  { page: 'with an image', headers: { 'sec-fetch-site': 'cross-site' } },
  {
    page: 'whose name leads here by DNS',
    headers: { host: 'evil.example:22973', origin: 'http://evil.example:22973' },
  },
  { page: 'whose name leads here by DNS, when it reads', headers: { host: 'evil.example:22973' } },
  {
    page: 'of a network whose DNS gives the name of the service',
    headers: { host: 'gateway:22973', origin: 'http://gateway:22973', 'sec-fetch-site': 'same-origin' },
  },
];

/** The status of the answer to a request of these lines. */
const statusOfRaw = (port: number, lines: readonly string[]): Promise<number> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(`${lines.join('\r\n')}\r\n\r\n`));
    let text = '';
    socket.setTimeout(5_000, () => socket.destroy(new Error(`no answer, only: ${text}`)));
    socket.on('error', reject);
    socket.on('data', (data) => {
      text += data.toString();
      const status = /^HTTP\/1\.1 (\d{3}) /.exec(text)?.[1];
      if (status === undefined) return;
      socket.destroy();
      resolve(Number(status));
    });
  });

const portOf = (url: string): number => Number(new URL(url).port);

/** As a page does: `text/plain` needs no preflight. */
const send = ({ api }: Network, { method, path, body }: Wish, headers: Headers): Promise<Answer> =>
  api.send(method, path, {
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'text/plain;charset=UTF-8' }) },
    ...(body !== undefined && { rawBody: JSON.stringify(body) }),
  });

const upgrade = ({ ready }: Network, headers: readonly string[]): Promise<number> =>
  statusOfRaw(portOf(ready.wsUrl!), [
    'GET /events HTTP/1.1',
    ...headers,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  ]);

/** Answers to all wishes of a page, and the coins that it took. */
const rob = async (network: Network, headers: Headers): Promise<{ answers: string[]; taken: bigint }> => {
  const { api } = network;
  const before = await balanceOf(api, thief);
  const answers: string[] = [];
  for (const wish of wishes) {
    const { status, text } = await send(network, wish, headers);
    answers.push(`${wish.what}: ${status}`);
    if (status === 200 && wish.body === theft) await confirmed(api, (JSON.parse(text) as { txId: string }).txId);
  }
  const taken = (await balanceOf(api, thief)) - before;
  process.stderr.write(`${JSON.stringify(headers)}: ${taken / oneCoin} coins taken; ${answers.join(', ')}\n`);
  return { answers, taken };
};

const refusedAll = wishes.map(({ what }) => `${what}: 403`);
const wallets = wishes[2]!;
const version: Wish = { what: 'version', method: 'GET', path: '/infos/version' };

/** The answers of a service to a foreign page that asks for what monitoring reads. */
const monitored = (url: string): Promise<number[]> =>
  Promise.all(
    ['/metrics', '/health/live'].map(async (path) => (await fetch(url + path, { headers: { origin: evil } })).status),
  );

describeEmbedded('a web page in the browser of somebody who runs a network', () => {
  let network: Network;
  afterAll(() => network?.remove());

  describe('with the settings of npm start', () => {
    beforeAll(async () => {
      network = await startNetwork({ DEV_WALLET: 'true', EXPLORER: 'on', EXPLORER_PORT: '0' });
    });

    it.each(pages)('gets nothing, a page $page', async ({ headers }) => {
      expect(await rob(network, headers)).toEqual({ answers: refusedAll, taken: 0n });
    });

    it('gets an error in the form of all errors, with the setting that helps', async () => {
      const foreign = await send(network, wallets, { origin: evil });
      expect(foreign.headers).toMatchObject({ 'x-error-code': 'ForeignOrigin' });
      expect(foreign.headers).not.toHaveProperty('access-control-allow-origin');
      expect(JSON.parse(foreign.text)).toEqual({ detail: expect.stringContaining('CORS_ORIGINS') });
      const rebound = await send(network, wallets, { host: 'evil.example' });
      expect(rebound.headers).toMatchObject({ 'x-error-code': 'ForeignHost' });
      expect(JSON.parse(rebound.text)).toEqual({ detail: expect.stringContaining('HOST_NAMES') });
    });

    it('gets no push, no health and no metrics', async () => {
      const port = portOf(network.ready.wsUrl!);
      expect(await upgrade(network, [`Host: 127.0.0.1:${port}`, `Origin: ${evil}`])).toBe(403);
      expect(await upgrade(network, [`Host: evil.example:${port}`])).toBe(403);
      expect(await upgrade(network, [`Host: gateway:${port}`])).toBe(403);
      expect(await upgrade(network, [`Host: 127.0.0.1:${port}`, `Origin: ${local}`])).toBe(101);
      expect(await upgrade(network, [`Host: 127.0.0.1:${port}`])).toBe(101);
      for (const { url, name } of network.ready.services) {
        const metrics = (header: string): Promise<number> =>
          statusOfRaw(portOf(url), ['GET /metrics HTTP/1.1', header, 'Connection: close']);
        expect([await metrics('Host: evil.example'), await metrics('Host: 127.0.0.1')]).toEqual([403, 200]);
        expect(await metrics(`Host: ${name}`)).toBe(403);
      }
    });

    it('reads no metrics and no health of the explorer, whose data is for every page', async () => {
      const url = network.ready.explorerUrl!;
      expect(await monitored(url)).toEqual([403, 403]);
      expect((await fetch(`${url}/infos`, { headers: { origin: evil } })).status).toBe(200);
    });

    it('two hosts are no request', async () => {
      const hosts = ['Host: 127.0.0.1', 'Host: evil.example'];
      const lines = ['GET /infos/version HTTP/1.1', ...hosts, 'Connection: close'];
      expect(await statusOfRaw(portOf(network.ready.baseUrl), lines)).toBe(400);
      expect(await upgrade(network, hosts)).toBe(400);
    });

    it.each<{ who: string; headers: Headers }>([
      { who: 'a program', headers: {} },
      { who: 'the address bar', headers: { 'sec-fetch-site': 'none' } },
      { who: 'the name localhost', headers: { host: 'localhost:22973' } },
      { who: 'an IPv6 address', headers: { host: '[::1]:22973' } },
      { who: 'the own page', headers: { host: 'localhost:22973', origin: 'http://localhost:22973' } },
      { who: 'a page of this machine', headers: { origin: local, 'sec-fetch-site': 'cross-site' } },
      { who: 'a page of this machine by its address', headers: { origin: 'http://127.0.0.1:3000' } },
    ])('is served: $who', async ({ headers }) => {
      expect((await send(network, wallets, headers)).status).toBe(200);
    });
  });

  describe('with CORS_ORIGINS=*', () => {
    beforeAll(async () => {
      await network.deployment.restart({ CORS_ORIGINS: '*' });
    });

    it('reads the chain, and still gets nothing of the wallet, the miners and the mempool', async () => {
      const answer = await send(network, version, { origin: evil });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, '*']);
      expect(await rob(network, { origin: evil })).toEqual({ answers: refusedAll, taken: 0n });
      const preflight = { origin: evil, 'access-control-request-method': 'POST' };
      const asked = await network.api.send('OPTIONS', '/wallets/dev/transfer', { headers: preflight });
      expect(asked.status).toBe(403);
    });

    it('reads no metrics and no health', async () => {
      expect(await monitored(network.deployment.baseUrl)).toEqual([403, 403]);
    });
  });

  describe('with its origin and name in the settings', () => {
    beforeAll(async () => {
      await network.deployment.restart({ CORS_ORIGINS: evil, HOST_NAMES: 'node.example' });
    });

    it('is one that may do all of it', async () => {
      const preflight = { origin: evil, 'access-control-request-method': 'POST' };
      const asked = await network.api.send('OPTIONS', '/wallets/dev/transfer', { headers: preflight });
      expect([asked.status, asked.headers['access-control-allow-origin']]).toEqual([204, evil]);
      const answer = await send(network, wallets, { origin: evil, host: 'Node.example:80' });
      expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([200, evil]);
      expect((await send(network, wallets, { origin: local })).status).toBe(403);
    });

    describeInBrowser('a link on another site, in a real browser', () => {
      let browser: Browser;
      beforeAll(async () => {
        browser = await openBrowser();
      });
      afterAll(() => browser?.close());

      /** A page of another site (the name is not the address) with a link to this path, and the same in a frame. */
      const pageOf = (target: string): Server =>
        createServer((_request, response) => {
          response.setHeader('content-type', 'text/html');
          response.end(`<!doctype html><a href="${target}">node</a><iframe src="${target}"></iframe>`);
        });

      /** The page that a click on the link shows, its status, and that of the frame. */
      const follow = async (path: string): Promise<{ page: Page; status: number | undefined; framed: number }> => {
        const target = `${network.deployment.baseUrl}${path}`;
        const site = pageOf(target).listen(0, '127.0.0.1');
        await once(site, 'listening');
        const page = await (await browser.newContext()).newPage();
        try {
          const framed = page.waitForResponse(target, { timeout: 10_000 });
          await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
          const status = (await framed).status();
          const answered = page.waitForNavigation({ waitUntil: 'load' });
          await page.click('a');
          return { page, status: (await answered)?.status(), framed: status };
        } finally {
          site.close();
          site.closeAllConnections();
        }
      };

      it.each(['/docs', '/docs/'])(
        'leads to the documentation: %s, with everything on it, and not in a frame',
        async (path) => {
          const { page, status, framed } = await follow(path);
          expect([status, framed]).toEqual([200, 403]);
          await page.waitForSelector('.opblock .summary button');
          expect(await page.title()).toBe('Shardnode API');
          await page.context().close();
        },
      );

      it.each(['/wallets', '/infos/version', '/docs/openapi.json', '/metrics'])(
        'leads nowhere else: %s',
        async (path) => {
          const { page, status, framed } = await follow(path);
          expect([status, framed]).toEqual([403, 403]);
          await page.context().close();
        },
      );
    });
  });
});

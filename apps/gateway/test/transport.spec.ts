import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as rawRequest } from 'node:http';
import { ConfigurationError } from '@shardnode/core/configuration';
import { create } from '../src/index.js';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

describe('transport', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork();
  });
  afterAll(() => network.stop());

  it('answers compact JSON without a charset', async () => {
    const answer = await network.send('GET', '/infos/chain-params/?unknown=1');
    expect(answer.text).toBe('{"networkId":4,"numZerosAtLeastInHash":0,"groupNumPerBroker":4,"groups":4}');
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(answer.headers.get('x-request-id')).toMatch(/./);
  });

  it.each(['/nope', '/infos/nope', '//infos/version', '/INFOS/version', '/docs/none.js', '/wallets//addresses'])(
    'GET %s is a 404',
    async (path) => {
      const { status, body } = await network.send('GET', path);
      expect([status, Object.keys(body)]).toEqual([404, ['detail']]);
    },
  );

  it.each([
    ['DELETE', '/infos/node', 'GET'],
    ['PATCH', '/wallets', 'POST,GET,PUT'],
    ['OPTIONS', '/wallets', 'POST,GET,PUT'],
    ['POST', '/addresses/1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH/balance', 'GET'],
  ])('%s %s is a 405', async (method, path, allowed) => {
    const { status, body, headers } = await network.send(method, path);
    expect([status, Object.keys(body), headers.get('allow')]).toEqual([405, ['detail'], allowed]);
  });

  it('takes a body whatever its type says', async () => {
    for (const type of [
      'text/plain',
      'application/json; charset=iso-8859-1',
      'application/x-www-form-urlencoded',
      'none',
    ]) {
      const { status } = await network.send(
        'POST',
        '/multisig/address',
        { keys: ['0381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b0'], mrequired: 1 },
        { 'content-type': type },
      );
      expect(status).toBe(200);
    }
  });

  it('reads a body over the limit to its end, so that the client gets the answer', async () => {
    const answer = await new Promise<{ status?: number; text: string }>((resolve, reject) => {
      const request = rawRequest(`${network.base}/multisig/address`, { method: 'POST', agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk) => (text += String(chunk)));
        response.on('end', () => resolve({ status: response.statusCode, text }));
      });
      request.on('error', reject);
      request.end('x'.repeat(12 * 1024 * 1024));
    });
    expect(answer).toEqual({ status: 413, text: '{"detail":"The body is larger than 10485760 bytes"}' });
  });

  it('any origin may ask where CORS_ORIGINS is *, without credentials', async () => {
    const answer = await network.send('GET', '/infos/version', undefined, { origin: 'http://a.example' });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    const preflight = await network.send('OPTIONS', '/transactions/submit', undefined, {
      origin: 'http://a.example',
      'access-control-request-method': 'DELETE',
    });
    expect([preflight.status, preflight.headers.get('content-type')]).toEqual([204, null]);
    expect(preflight.headers.get('access-control-allow-methods')).toContain('DELETE');
  });

  it('tells about itself', async () => {
    expect((await network.send('GET', '/infos/version')).body.version).toMatch(/^v\d+\.\d+\.\d+$/);
    const { body } = await network.send('GET', '/infos/self-clique');
    expect(body).toEqual({
      cliqueId: expect.stringMatching(/^0[23][0-9a-f]{64}$/),
      nodes: [
        {
          address: '127.0.0.1',
          restPort: Number(new URL(network.base).port),
          wsPort: expect.any(Number),
          minerApiPort: expect.any(Number),
        },
      ],
      selfReady: true,
      synced: true,
    });
    expect((await network.send('GET', '/infos/node')).text).toContain('"externalAddress":null');
  });

  it('mines one block where it is asked to', async () => {
    const mined: unknown[] = [];
    network.groups['command.mining.mine-one'] = (request, group) => {
      mined.push([group, request]);
      return { blockHash: 'ab'.repeat(32) };
    };
    const { text } = await network.send('POST', '/miners/cpu-mining/mine-one-block?fromGroup=2&toGroup=1');
    expect([text, mined]).toEqual(['true', [[2, { from: 2, to: 1 }]]]);
  });

  it('tells at its address where to look', async () => {
    const { status, headers, body } = await network.send('GET', '/');
    expect([status, headers.get('location'), headers.get('content-type')]).toEqual([302, 'docs/', 'application/json']);
    expect(body).toEqual({ docs: '/docs/', openapi: '/docs/openapi.json', health: '/health/cluster' });
    for (const path of Object.values(body as object)) expect((await network.send('GET', path)).status).toBe(200);
  });

  it.each([
    '/',
    '/docs/',
    '/docs/page.css',
    '/infos/version',
    '/infos/version',
    '/infos/node',
    '/metrics',
    '/wallets/no',
  ])('HEAD %s has the status and the headers of GET, and no body', async (path) => {
    const wanted = ['content-type', 'location', 'cache-control', 'x-error-code', 'x-content-type-options'];
    // The length of a compressed answer is not that of its text.
    const plain = { 'accept-encoding': 'identity' };
    const [head, get] = [
      await network.send('HEAD', path, undefined, plain),
      await network.send('GET', path, undefined, plain),
    ];
    const shown = ({ status, headers }: typeof get) => [status, ...wanted.map((name) => headers.get(name))];
    expect([shown(head), head.text]).toEqual([shown(get), '']);
    if (get.status === 200 && path !== '/metrics') {
      expect(Number(head.headers.get('content-length'))).toBe(Buffer.byteLength(get.text));
    }
  });

  it('shows its page and its description', async () => {
    const redirect = await network.send('GET', '/docs');
    expect([redirect.status, redirect.headers.get('location')]).toEqual([308, 'docs/']);
    expect([redirect.headers.get('content-type'), redirect.body]).toEqual(['application/json', { location: 'docs/' }]);
    const page = await network.send('GET', '/docs/');
    expect(page.headers.get('content-type')).toContain('text/html');
    for (const [, file] of page.text.matchAll(/(?:src|href)="([^"]+)"/g)) {
      expect([file, (await network.send('GET', `/docs/${file}`)).status]).toEqual([file, 200]);
    }
    expect((await network.send('GET', '/docs/start.js')).text).toContain("fetch('openapi.json')");
    expect((await network.send('GET', '/docs/package.json')).status).toBe(404);
  });

  it.each([
    ['br, gzip', 'br'],
    ['gzip, deflate', 'gzip'],
    ['gzip, br;q=0', 'gzip'],
    ['identity', null],
  ])('compresses its page and its files for a client that accepts %s', async (accepted, encoding) => {
    const plain = { 'accept-encoding': 'identity' };
    for (const path of [
      '/docs/',
      '/docs/openapi.json',
      '/docs/swagger-ui-bundle.js',
      '/docs/errors',
      '/docs/errors.md',
    ]) {
      const answer = await network.send('GET', path, undefined, { 'accept-encoding': accepted });
      const { headers } = answer;
      expect([path, headers.get('content-encoding'), headers.get('vary')]).toEqual([path, encoding, 'accept-encoding']);
      expect(answer.text).toBe((await network.send('GET', path, undefined, plain)).text);
    }
  });

  it('answers 304 for what a browser has, and lets it keep what is asked for by version', async () => {
    const file = '/docs/swagger-ui-bundle.js';
    const first = (await network.send('GET', file)).headers;
    expect(first.get('cache-control')).toBe('no-cache');
    const again = await network.send('GET', file, undefined, { 'if-none-match': first.get('etag')! });
    expect([again.status, again.text]).toEqual([304, '']);
    const [versioned] = /swagger-ui-bundle\.js\?v=\w+/.exec((await network.send('GET', '/docs/')).text)!;
    const { headers } = await network.send('GET', `/docs/${versioned}`);
    expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await network.send('GET', `${file}?v=0000`)).headers.get('cache-control')).toBe('no-cache');
  });
});

describe('api key', () => {
  const apiKey = '0123456789abcdef0123456789abcdef';
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ apiKey, corsOrigins: ['https://ours.example'] });
  });
  afterAll(() => network.stop());
  const get = (path: string, key?: string) =>
    network.send('GET', path, undefined, key === undefined ? {} : { 'x-api-key': key });

  it('is wanted on every endpoint', async () => {
    network.wallet.list = () => ({ wallets: [] });
    expect((await get('/infos/version', apiKey)).status).toBe(200);
    expect((await get('/wallets', apiKey)).text).toBe('[]');
    for (const path of ['/infos/version', '/wallets', '/blockflow/chain-info?fromGroup=77']) {
      expect([(await get(path)).status, (await get(path)).text]).toEqual([
        401,
        '{"detail":"The header X-API-KEY is missing: send the key of this API in it."}',
      ]);
    }
    expect((await get('/infos/version', 'x'.repeat(32))).text).toBe(
      '{"detail":"The key in the header X-API-KEY is not that of this API."}',
    );
    for (const short of ['x'.repeat(31), '']) expect((await get('/infos/version', short)).status).toBe(400);
    const body = await network.send('POST', '/wallets', '{');
    expect(body.status).toBe(401);
    expect((await network.send('HEAD', '/infos/version')).status).toBe(401);
  });

  it('is not wanted for the description, metrics and preflights; unknown paths are 404', async () => {
    const { body } = await get('/docs/openapi.json');
    expect(body.components.securitySchemes).toEqual({ apiKey: { type: 'apiKey', in: 'header', name: 'X-API-KEY' } });
    expect((await get('/metrics')).status).toBe(200);
    expect((await get('/nope')).status).toBe(404);
    const preflight = (origin: string) =>
      network.send('OPTIONS', '/wallets', undefined, { origin, 'access-control-request-method': 'POST' });
    expect((await preflight('https://ours.example')).status).toBe(204);
    expect((await preflight('https://other.example')).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('that nobody asked for is refused', async () => {
    const open = await startFakeNetwork();
    const { status, text } = await open.send('GET', '/infos/version', undefined, { 'x-api-key': apiKey });
    expect([status, text]).toEqual([
      401,
      '{"detail":"The header X-API-KEY was sent, but this API has no key: leave it out."}',
    ]);
    await open.stop();
  });

  it('must be set where others can reach the interface', async () => {
    const start = startFakeNetwork({ http: { host: '0.0.0.0', port: 0 } });
    await expect(start).rejects.toThrow(ConfigurationError);
    await expect(start).rejects.toThrow(/set API_KEY \(for example API_KEY=[0-9a-f]{64}\)/);
    expect(typeof create).toBe('function');
  });
});

describe('a person who opens an address of the API', () => {
  let network: Awaited<ReturnType<typeof startFakeNetwork>>;
  beforeAll(async () => {
    network = await startFakeNetwork({ explorerUrl: 'https://explorer.example' });
  });
  afterAll(() => network.stop());

  const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
  const send = (path: string, headers: Record<string, string>) => network.send('GET', path, undefined, headers);

  it.each(['/nowhere', '/addresses/1DrDy', '/transactions/00', '/infos/nowhere'])(
    'gets a page for %s, a program JSON',
    async (path) => {
      const page = await send(path, { accept });
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
      expect(page.text).toContain('There is no path');
      expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      const json = await send(path, { accept: '*/*' });
      expect([json.status, json.headers.get('content-type')]).toEqual([404, 'application/json']);
      for (const { headers } of [page, json]) expect(headers.get('vary')).toContain('accept, sec-fetch-dest');
    },
  );

  it('is led to the thing in the explorer', async () => {
    const { text } = await send('/transactions/' + 'ab'.repeat(32), { accept });
    expect(text).toContain(`href="https://explorer.example/tx/${'ab'.repeat(32)}"`);
    expect(text).toContain('<base href="../docs/" />');
  });

  it('gets the data of an operation, and its errors', async () => {
    expect((await send('/infos/version', { accept })).headers.get('content-type')).toBe('application/json');
    const wrong = await send('/addresses/1DrDy/balance', { accept });
    expect([wrong.status, wrong.headers.get('content-type')]).toEqual([400, 'application/json']);
  });
});

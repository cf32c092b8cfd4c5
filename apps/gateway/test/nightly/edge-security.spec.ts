import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { request as rawRequest } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { ConfigurationError } from '@shardnode/core/configuration';
import { ServiceError } from '@shardnode/core/errors';
import { requestWeights } from '../../src/rate-limit/request-weights.js';
import { startFakeNetwork, type FakeNetwork } from '../fakes/fake-network.js';

const portOf = (base: string): number => Number(new URL(base).port);

interface RawConnection {
  readonly socket: Socket;
  /** Everything received so far. */
  text(): string;
  /** Ends when the other side has closed. */
  readonly closed: Promise<void>;
}

const open = (base: string, localAddress = '127.0.0.1'): Promise<RawConnection> =>
  new Promise((resolve, reject) => {
    let text = '';
    const socket = connect({ port: portOf(base), host: '127.0.0.1', localAddress });
    socket.setEncoding('utf8').on('data', (part: string) => (text += part));
    const closed = new Promise<void>((end) => socket.once('close', () => end()));
    socket.once('connect', () => resolve({ socket, text: () => text, closed }));
    socket.once('error', reject);
    socket.on('error', () => undefined);
  });

const list = (length: number, item: string): string => `[${Array.from({ length }, () => item).join(',')}]`;

describe('limits of the edge', () => {
  let network: FakeNetwork;
  afterEach(() => network.stop());

  const connections = { requestTimeoutMs: 600, headersTimeoutMs: 300, keepAliveTimeoutMs: 2_000 };
  const startImpatient = async (): Promise<void> => {
    network = await startFakeNetwork({ http: { host: '127.0.0.1', port: 0, connections } });
  };
  const answered408 = async (connection: RawConnection): Promise<void> => {
    await connection.closed;
    expect(connection.text()).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(connection.text()).toContain('X-Error-Code: RequestTimeout');
    expect(connection.text()).toMatch(/\r\n\r\n\{"detail":"The request did not arrive in time"\}$/);
  };

  it('closes connections whose headers come too slowly', async () => {
    await startImpatient();
    const slow = await Promise.all(Array.from({ length: 20 }, () => open(network.base)));
    const dripping = setInterval(() => slow.forEach(({ socket }) => socket.write('X-A: b\r\n')), 50);
    for (const { socket } of slow) socket.write('GET /infos/version HTTP/1.1\r\nHost: localhost\r\n');
    await Promise.all(slow.map(answered408));
    clearInterval(dripping);
    expect((await network.send('GET', '/infos/version')).status).toBe(200);
  });

  it('closes connections whose bodies come too slowly', async () => {
    await startImpatient();
    const slow = await Promise.all(Array.from({ length: 20 }, () => open(network.base)));
    const dripping = setInterval(() => slow.forEach(({ socket }) => socket.write(' ')), 50);
    const head = 'POST /multisig/address HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n';
    for (const { socket } of slow) socket.write(head);
    await Promise.all(slow.map(answered408));
    clearInterval(dripping);
    expect((await network.send('GET', '/infos/version')).status).toBe(200);
  });

  it.each([
    ['headers over 16 KiB', `GET / HTTP/1.1\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`, '431', 'HeadersTooLarge'],
    ['something else than HTTP', '\u0016\u0003\u0001 hello\r\n\r\n', '400', 'MalformedRequest'],
    ['two lengths', 'POST / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', '400', 'MalformedRequest'],
  ])('answers %s in the form of all errors', async (_name, text, status, code) => {
    network = await startFakeNetwork();
    const connection = await open(network.base);
    connection.socket.write(text);
    await connection.closed;
    expect(connection.text()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(connection.text()).toContain(`X-Error-Code: ${code}`);
    expect(connection.text()).toMatch(/\r\nX-Request-Id: [^\r]+\r\n/);
    expect(connection.text()).toMatch(/\r\n\r\n\{"detail":"[^"]+"\}$/);
  });

  it('one address gets half of the connections, a trusted proxy all', async () => {
    const limited = { host: '127.0.0.1', port: 0, connections: { connections: 20 } };
    network = await startFakeNetwork({ http: limited });
    const own = await Promise.all(Array.from({ length: 15 }, () => open(network.base)));
    await Promise.all(own.slice(10).map(({ closed }) => closed));
    expect(own.slice(0, 10).every(({ socket }) => !socket.destroyed)).toBe(true);
    const other = await open(network.base, '127.0.0.2');
    other.socket.write('GET /infos/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await other.closed;
    expect(other.text()).toMatch(/^HTTP\/1\.1 200 /);
    own.forEach(({ socket }) => socket.destroy());
    const proxied = await network.addGateway({ http: { ...limited, trustedProxies: ['127.0.0.1'] } });
    const many = await Promise.all(Array.from({ length: 20 }, () => open(proxied.base)));
    await pause(50);
    expect(many.filter(({ socket }) => socket.destroyed)).toEqual([]);
    many.forEach(({ socket }) => socket.destroy());
  });

  it('bodies that are being read have a bound together, and it is free again when they are gone', async () => {
    const bodyBudget = { inAll: 3_000_000, ofOne: 2_000_000 };
    network = await startFakeNetwork({ http: { host: '127.0.0.1', port: 0, bodyBudget } });
    const begin = async (address: string, bytes: number): Promise<RawConnection> => {
      const connection = await open(network.base, address);
      connection.socket.write('POST /multisig/address HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n');
      await new Promise<void>((resolve) => connection.socket.write('x'.repeat(bytes), () => resolve()));
      return connection;
    };
    const held = [await begin('127.0.0.1', 1_900_000), await begin('127.0.0.2', 900_000)];
    // What was written has arrived when both take part in refusing others.
    const statusOf = async (bytes: number): Promise<number> =>
      (await network.send('POST', '/multisig/address', 'x'.repeat(bytes))).status;
    let own = 0;
    for (let attempt = 0; attempt < 50 && own !== 429; attempt++, await pause(20)) own = await statusOf(150_000);
    expect(own).toBe(429);
    const late = await begin('127.0.0.3', 400_000);
    const rest = 'x'.repeat(4_600_000);
    late.socket.write(rest);
    for (let attempt = 0; attempt < 100 && late.text() === ''; attempt++) await pause(20);
    expect(late.text()).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 1\r\n[^]*\{"detail":"[^"]+"\}$/);
    [...held, late].forEach(({ socket }) => socket.destroy());
    let after = 0;
    for (let attempt = 0; attempt < 50 && after !== 400; attempt++, await pause(20)) after = await statusOf(1_500_000);
    expect(after).toBe(400);
  });

  it.each([
    ['announced as too large', 'POST /multisig/address HTTP/1.1', 413],
    ['of a path that cannot be read', 'POST /%zz HTTP/1.1', 400],
    [
      'of somebody over the limit',
      'GET /infos/version HTTP/1.1\r\nHost: localhost\r\n\r\nPOST /multisig/address HTTP/1.1',
      429,
    ],
  ])('does not read to its end what is refused: a body %s', async (_name, start, status) => {
    network = await startFakeNetwork({ rateLimit: status === 429 ? 1 : 0 });
    const { socket, text, closed } = await open(network.base);
    let isClosed = false;
    void closed.then(() => (isClosed = true));
    const megabyte = Buffer.alloc(1024 * 1024, 0x20);
    socket.write(`${start}\r\nHost: localhost\r\nContent-Length: ${100 * megabyte.length}\r\n\r\n`);
    let taken = 0;
    for (let sent = 0; sent < 100 && !isClosed; sent++) {
      const written = new Promise<number>((resolve) => socket.write(megabyte, (error) => resolve(error ? 0 : 1)));
      taken += await Promise.race([closed.then(() => 0), written]);
    }
    await closed;
    expect(text()).toContain(`HTTP/1.1 ${status} `);
    expect(text()).toMatch(/\{"detail":"[^"]+"\}$/);
    // Some of it, for a client that reads when it has sent all; and what the buffers of the machine hold on the way.
    expect(taken).toBeLessThan(60);
    expect((await network.send('GET', '/health/live')).status).toBe(200);
  });

  it('goes on with the connection of a small body that is refused', async () => {
    network = await startFakeNetwork({ rateLimit: 1 });
    const { socket, text, closed } = await open(network.base);
    const request = (method: string, path: string): string =>
      `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\n\r\n{ }`;
    socket.write(request('POST', '/multisig/address') + request('POST', '/multisig/address'));
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
    await closed;
    expect([...text().matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => status)).toEqual(['400', '429', '200']);
  });

  it.each([
    ['a list of a million', `{"keys":${list(1_000_000, '1')},"mrequired":1}`, 'values'],
    ['a million objects', list(1_000_000, '{}'), 'values'],
    ['nesting of 100,000', '['.repeat(100_000) + ']'.repeat(100_000), 'nested'],
    ['nesting that does not end', '{"a":'.repeat(100_000), 'nested'],
    ['a number of a million digits', `{"keys":[],"mrequired":${'9'.repeat(1_000_000)}}`, 'mrequired'],
    ['a text of a million quotes', `{"keys":["${'\\"'.repeat(1_000_000)}"],"mrequired":1}`, 'keys'],
  ])('refuses %s and says why', async (_name, body, why) => {
    network = await startFakeNetwork();
    const { status, body: answer } = await network.send('POST', '/multisig/address', body);
    expect([status, answer.detail.length < 1_000]).toEqual([400, true]);
    expect(answer.detail).toContain(why);
  });
});

describe('what answers tell browsers', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ corsOrigins: ['https://ours.example'] });
    network.wallet.list = () => ({ wallets: [] });
  });
  afterAll(() => network.stop());

  it.each([
    ['GET', '/infos/version', 200],
    ['GET', '/wallets', 200],
    ['GET', '/docs/', 200],
    ['GET', '/nope', 404],
    ['GET', '/infos/%zz', 400],
    ['POST', '/multisig/address', 400],
    ['DELETE', '/infos/version', 405],
    ['GET', '/metrics', 200],
  ])('%s %s: its type is not to be guessed, the server not told', async (method, path, status) => {
    const answer = await network.send(method, path);
    expect([answer.status, answer.headers.get('x-content-type-options')]).toEqual([status, 'nosniff']);
    expect([answer.headers.get('server'), answer.headers.get('x-powered-by')]).toEqual([null, null]);
  });

  it('nobody keeps answers about wallets', async () => {
    for (const path of ['/wallets', '/wallets/none']) {
      expect((await network.send('GET', path)).headers.get('cache-control')).toBe('no-store');
    }
    expect((await network.send('GET', '/infos/version')).headers.get('cache-control')).toBeNull();
  });

  it('the page of the documentation runs its own scripts only, in no frame', async () => {
    const { headers } = await network.send('GET', '/docs/');
    expect(headers.get('content-security-policy')).toMatch(
      /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
    );
    expect([headers.get('x-frame-options'), headers.get('referrer-policy')]).toEqual(['DENY', 'no-referrer']);
    expect((await network.send('GET', '/docs/')).text).not.toMatch(/<script>|\son\w+=/);
  });

  it.each([
    ['https://ours.example', 204, 'https://ours.example'],
    ['https://ours.example.evil.example', 403, null],
    ['http://ours.example', 403, null],
    ['null', 403, null],
  ])('a page of %s gets %i before it asks', async (origin, status, allowed) => {
    const headers = { origin, 'access-control-request-method': 'DELETE' };
    const answer = await network.send('OPTIONS', '/wallets/x', undefined, headers);
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, allowed]);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });
});

describe('requests of web pages', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ corsOrigins: ['https://ours.example'], apiKey: 'k'.repeat(32) });
  });
  afterAll(() => network.stop());

  it.each([
    ['GET', '/infos/version'],
    ['POST', '/wallets/w/transfer'],
    ['PUT', '/wallets'],
    ['DELETE', '/mempool/transactions'],
    ['HEAD', '/infos/version'],
    ['OPTIONS', '/infos/version'],
    ['PATCH', '/nope'],
    ['GET', '/metrics'],
    ['GET', '/health/ready'],
    ['GET', '/docs/'],
  ])('%s %s: a foreign one is refused before route, key and body', async (method, path) => {
    for (const [headers, code] of [
      [{ origin: 'https://evil.example' }, 'ForeignOrigin'],
      [{ 'sec-fetch-site': 'cross-site' }, 'ForeignOrigin'],
    ] as const) {
      const answer = await network.send(method, path, method === 'POST' ? '{' : undefined, headers);
      expect([answer.status, answer.headers.get('x-error-code')]).toEqual([403, code]);
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
      expect(answer.headers.get('content-type')).toBe('application/json');
      if (method !== 'HEAD') expect(answer.body).toEqual({ detail: expect.stringContaining('CORS_ORIGINS') });
    }
  });

  it('a listed one is asked for the key, as programs are', async () => {
    const all: Record<string, string>[] = [{}, { origin: 'https://ours.example' }, { 'sec-fetch-site': 'same-origin' }];
    for (const headers of all) {
      expect((await network.send('GET', '/infos/version', undefined, headers)).status).toBe(401);
    }
  });
});

describe('links of other sites', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ corsOrigins: [] });
    network.wallet.list = () => ({ wallets: [] });
  });
  afterAll(() => network.stop());

  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
  /** As a browser does; `fetch` sends a mode of its own. */
  const statusOf = (method: string, path: string, headers: Record<string, string>): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const request = rawRequest(`${network.base}${path}`, { method, headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      request.on('error', reject).end();
    });

  it.each([
    ['/docs', 308],
    ['/docs/', 200],
    ['/docs/exchange', 200],
    ['/docs/errors', 200],
    ['/docs/openapi.json', 403],
    ['/docs/start.js', 403],
    ['/docs/nope', 403],
    ['/', 403],
    ['/wallets', 403],
    ['/infos/version', 403],
    ['/health/cluster', 403],
    ['/metrics', 403],
  ])('%s: %i', async (path, status) => {
    expect(await statusOf('GET', path, link)).toBe(status);
    expect(await statusOf('GET', path, { ...link, 'sec-fetch-dest': 'iframe' })).toBe(403);
    expect(await statusOf('GET', path, { ...link, 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' })).toBe(403);
    expect(await statusOf('GET', path, { ...link, origin: 'https://other.example' })).toBe(403);
    for (const method of ['POST', 'HEAD', 'OPTIONS']) expect(await statusOf(method, path, link)).toBe(403);
  });
});

describe('what answers do not tell', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ accessLog: true });
  });
  afterAll(() => network.stop());

  const leak =
    /\bat .+:\d+|node_modules|\.(?:js|ts)\b|\/(?:home|usr|work|tmp|root)\/|\b[A-Z]\w+(?:Error|Exception)\b|FST_|ERR_|zod|fastify/i;

  it.each<[string, string, unknown]>([
    ['GET', '/nope', undefined],
    ['GET', '/infos/%ff', undefined],
    ['GET', `/wallets/${'a'.repeat(9_000)}`, undefined],
    ['GET', '/wallets/..%2F..%2Fetc%2Fpasswd', undefined],
    ['GET', '/wallets/%00', undefined],
    ['POST', '/wallets', '{"password": "sec'],
    ['POST', '/multisig/address', '\u0000'],
    ['POST', '/multisig/address', '[1,2'],
    ['POST', '/multisig/address', 'x'.repeat(10_485_761)],
    ['POST', '/transactions/submit', { unsignedTx: 'zz', signature: '00' }],
    ['POST', '/transactions/submit', { unsignedTx: '00'.repeat(40), signature: '00'.repeat(64) }],
    ['GET', '/blockflow/blocks/zz', undefined],
  ])('%s %s: no stack, class or path', async (method, path, body) => {
    const { status, text, headers } = await network.send(method, path, body);
    expect([status >= 400 && status < 500, leak.exec(text)?.[0]]).toEqual([true, undefined]);
    expect(leak.exec([...headers.values()].join('\n'))?.[0]).toBeUndefined();
  });

  it('names of wallets are no paths', async () => {
    const asked: string[] = [];
    network.wallet.get = ({ walletName }) => {
      asked.push(walletName);
      throw new ServiceError('not-found', 'WalletNotFound', `${walletName} not found`, { resource: walletName });
    };
    for (const name of ['..%2F..%2Fsecret', '%2Fetc%2Fpasswd', 'a%00b', 'a%5Cb', '.', '%C3%BC', "x'%3B--"]) {
      const { status, body } = await network.send('GET', `/wallets/${name}`);
      expect([name, status, typeof body.detail]).toEqual([name, 404, 'string']);
    }
    expect((await network.send('GET', '/wallets/fine-name_1')).status).toBe(404);
    // As data to the wallet-service, whose rule for names says that there is none.
    expect(asked).toEqual(expect.arrayContaining(['../../secret', '/etc/passwd', 'fine-name_1']));
  });

  it('the key of the interface is in no line of the log', async () => {
    const apiKey = 'k'.repeat(16) + '0123456789abcdef';
    const keyed = await startFakeNetwork({ apiKey, rateLimit: 10, rateLimitKey: 10 });
    for (const key of [apiKey, apiKey.replace('k', 'l'), apiKey.slice(0, 31)]) {
      for (let count = 0; count < 8; count++)
        await keyed.send('GET', '/infos/version', undefined, { 'x-api-key': key });
    }
    await keyed.stop();
    expect(keyed.log.length).toBeGreaterThan(10);
    expect(keyed.log.join('\n')).not.toContain(apiKey.slice(16));
  });

  it('faults of ours', async () => {
    network.groups['read.address.balance'] = () => {
      throw new TypeError(`broken at ${import.meta.url}`);
    };
    const path = '/addresses/1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH/balance';
    const { status, text } = await network.send('GET', path);
    expect([status, text]).toEqual([500, '{"detail":"Internal server error"}']);
  });
});

describe('switches of the edge', () => {
  let network: FakeNetwork | undefined;
  afterEach(async () => {
    await network?.stop();
    network = undefined;
  });

  it('wallets can be left out, with their description', async () => {
    network = await startFakeNetwork({ walletEnabled: false });
    const asked: string[] = [];
    network.wallet.list = () => {
      asked.push('list');
      return { wallets: [] };
    };
    const full = await network.addGateway();
    const pathsOf = async (base: FakeNetwork | typeof full): Promise<string[]> =>
      Object.keys((await base.send('GET', '/docs/openapi.json')).body.paths as object);
    const walletPaths = (await pathsOf(full)).filter((path) => path.startsWith('/wallets'));
    expect(walletPaths.length).toBeGreaterThan(10);
    expect((await pathsOf(network)).filter((path) => path.startsWith('/wallets'))).toEqual([]);
    for (const path of walletPaths) {
      for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
        expect([method, path, (await network.send(method, path.replace('{wallet_name}', 'x'))).status]).toEqual([
          method,
          path,
          404,
        ]);
    }
    expect(asked).toEqual([]);
    expect((await full.send('GET', '/wallets')).status).toBe(200);
  });

  it('a proxy that is no address stops the start', async () => {
    const http = { host: '127.0.0.1', port: 0, trustedProxies: ['proxy.example'] };
    await expect(startFakeNetwork({ http })).rejects.toThrow(ConfigurationError);
  });

  it('every weight is one of an endpoint', async () => {
    network = await startFakeNetwork();
    const { paths } = (await network.send('GET', '/docs/openapi.json')).body;
    const known = Object.entries(paths as Record<string, object>).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(Object.keys(requestWeights).filter((name) => !known.includes(name))).toEqual([]);
  });
});

import { afterEach, describe, expect, it } from '@jest/globals';
import { MemoryCache, type Cache } from '@shardnode/core/cache';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { startFakeNetwork, type FakeGateway, type FakeNetwork } from '../fakes/fake-network.js';

const apiKey = '0123456789abcdef0123456789abcdef';
/** 20 seconds into a minute. */
const start = 1_700_000_000_000;

const behindProxy = { host: '127.0.0.1', port: 0, trustedProxies: ['127.0.0.0/8'] };

/** A shared cache that does not answer. */
const silentCache: Cache = {
  get: async () => undefined,
  set: async () => undefined,
  delete: async () => undefined,
  count: async () => undefined,
  observe: () => () => undefined,
  close: async () => undefined,
};

const statuses = async (gateway: FakeGateway, count: number, headers: Record<string, string> = {}) => {
  const answers: number[] = [];
  for (let index = 0; index < count; index++)
    answers.push((await gateway.send('GET', '/infos/version', undefined, headers)).status);
  return answers;
};

describe('limit of requests', () => {
  let network: FakeNetwork | undefined;
  afterEach(async () => {
    await network?.stop();
    network = undefined;
  });

  it('is none unless one is set', async () => {
    network = await startFakeNetwork();
    expect(new Set(await statuses(network, 100))).toEqual(new Set([200]));
  });

  it('answers 429 in the documented form until the minute is over', async () => {
    const clock = createStoppedClock(start);
    network = await startFakeNetwork({ rateLimit: 3 }, { clock });
    expect(await statuses(network, 5)).toEqual([200, 200, 200, 429, 429]);
    const refused = await network.send('GET', '/infos/version', undefined, { origin: 'http://a.example' });
    expect(refused.text).toBe(
      '{"detail":"This client has sent more than 3 requests in a minute: wait as long as Retry-After says."}',
    );
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'content-type': 'application/json',
      'retry-after': '40',
      'x-error-code': 'TooManyRequests',
      'x-request-id': expect.stringMatching(/./),
      'access-control-allow-origin': '*',
    });
    clock.advance(39_999);
    const last = await network.send('GET', '/infos/version');
    expect([last.status, last.headers.get('retry-after')]).toEqual([429, '1']);
    clock.advance(1);
    expect(await statuses(network, 4)).toEqual([200, 200, 200, 429]);
  });

  it('counts every path and method but those of who watches over the gateway, and preflights', async () => {
    network = await startFakeNetwork({ rateLimit: 2 }, { clock: createStoppedClock(start) });
    expect((await network.send('GET', '/nope')).status).toBe(404);
    expect((await network.send('POST', '/multisig/address', '{')).status).toBe(400);
    for (const [method, path] of [
      ['GET', '/nope'],
      ['GET', '/docs/'],
      ['PUT', '/wallets'],
      ['POST', '/multisig/address'],
      ['DELETE', '/infos/version'],
    ] as const) {
      const { status, text } = await network.send(method, path, method === 'POST' ? 'x'.repeat(100_000) : undefined);
      expect([path, status, text]).toEqual([
        path,
        429,
        '{"detail":"This client has sent more than 2 requests in a minute: wait as long as Retry-After says."}',
      ]);
    }
    for (const path of ['/health/live', '/health/ready', '/metrics', '/health/live/'])
      expect([path, (await network.send('GET', path)).status]).toEqual([path, 200]);
    const preflight = { origin: 'http://a.example', 'access-control-request-method': 'POST' };
    expect((await network.send('OPTIONS', '/transactions/build', undefined, preflight)).status).toBe(204);
    const description = (
      await network.addGateway({ rateLimit: 9 }).then((gateway) => gateway.send('GET', '/docs/openapi.json'))
    ).body;
    expect(description.paths['/infos/version'].get.responses['429']).toBeDefined();
  });

  it('is one limit of two gateways that share a cache', async () => {
    const clock = createStoppedClock(start);
    const cache = new MemoryCache({ maxBytes: 1_000_000, clock });
    network = await startFakeNetwork({ rateLimit: 4 }, { cache, clock });
    const other = await network.addGateway({ rateLimit: 4, profile: 'reference' }, { cache, clock });
    expect(await statuses(network, 2)).toEqual([200, 200]);
    expect(await statuses(other, 3)).toEqual([200, 200, 429]);
    expect(await statuses(network, 1)).toEqual([429]);
  });

  it('is kept by each gateway alone while the shared cache does not answer', async () => {
    const clock = createStoppedClock(start);
    network = await startFakeNetwork({ rateLimit: 3 }, { cache: silentCache, clock });
    expect(await statuses(network, 4)).toEqual([200, 200, 200, 429]);
    clock.advance(60_000);
    expect(await statuses(network, 4)).toEqual([200, 200, 200, 429]);
  });

  it('goes on where it was when the shared cache falls silent', async () => {
    const clock = createStoppedClock(start);
    const memory = new MemoryCache({ maxBytes: 1_000_000, clock });
    let isSilent = false;
    const cache: Cache = {
      ...silentCache,
      count: async (key, window) => (isSilent ? undefined : memory.count(key, window)),
    };
    network = await startFakeNetwork({ rateLimit: 3 }, { cache, clock });
    expect(await statuses(network, 2)).toEqual([200, 200]);
    isSilent = true;
    expect(await statuses(network, 2)).toEqual([200, 429]);
  });

  it('counts the address, and the key of whatever address besides', async () => {
    const configuration = { rateLimit: 6, rateLimitKey: 4, apiKey, http: behindProxy };
    network = await startFakeNetwork(configuration, { clock: createStoppedClock(start) });
    const from = (address: string) => ({ 'x-api-key': apiKey, 'x-forwarded-for': address });
    expect(await statuses(network, 3, from('192.0.2.1'))).toEqual([200, 200, 200]);
    expect(await statuses(network, 2, from('192.0.2.2'))).toEqual([200, 429]);
    // Without the key the addresses have what is left of their own.
    expect(await statuses(network, 5, { 'x-forwarded-for': '192.0.2.2' })).toEqual([401, 401, 401, 401, 429]);
  });

  it.each([
    ['only the address', { rateLimit: 2 }, [200, 200, 429]],
    ['only the key', { rateLimitKey: 2 }, [200, 200, 429]],
    ['the smaller of both', { rateLimit: 50, rateLimitKey: 1 }, [200, 429, 429]],
  ])('%s can be limited', async (_name, limits, answers) => {
    network = await startFakeNetwork({ ...limits, apiKey }, { clock: createStoppedClock(start) });
    expect(await statuses(network, 3, { 'x-api-key': apiKey })).toEqual(answers);
  });

  it('believes a forwarded address of a trusted proxy only', async () => {
    network = await startFakeNetwork({ rateLimit: 1 }, { clock: createStoppedClock(start) });
    const from = (address: string) => ({ 'x-forwarded-for': address });
    expect(await statuses(network, 1, from('192.0.2.1'))).toEqual([200]);
    expect(await statuses(network, 1, from('192.0.2.2'))).toEqual([429]);
    const trusting = await network.addGateway(
      { rateLimit: 1, http: behindProxy },
      { clock: createStoppedClock(start) },
    );
    for (const address of ['192.0.2.1', '192.0.2.2', '2001:db8::1']) {
      expect(await statuses(trusting, 2, from(address))).toEqual([200, 429]);
    }
    // What the client itself wrote into the header stands before what the proxy wrote.
    expect(await statuses(trusting, 1, from('198.51.100.1, 192.0.2.1'))).toEqual([429]);
  });

  it('lets no client send the requests of a minute in a second', async () => {
    const clock = createStoppedClock(start);
    network = await startFakeNetwork({ rateLimit: 4_000 }, { clock });
    const answers = await statuses(network, 201);
    expect([answers.indexOf(429), answers.at(-1)]).toEqual([200, 429]);
    const refused = await network.send('GET', '/infos/version');
    expect([refused.text, refused.headers.get('retry-after')]).toEqual([
      '{"detail":"This client has sent more than 200 requests in a second: wait as long as Retry-After says."}',
      '1',
    ]);
    clock.advance(1_000);
    expect(await statuses(network, 1)).toEqual([200]);
  });

  it('counts expensive requests and large bodies as several', async () => {
    network = await startFakeNetwork({ rateLimit: 20 }, { clock: createStoppedClock(start) });
    const interval = '/blockflow/blocks?fromTs=1600000000000&toTs=1600000000001';
    expect((await network.send('GET', '/blockflow/blocks?fromTs=5&toTs=1')).status).toBe(400);
    expect(await statuses(network, 9)).toEqual(Array.from({ length: 9 }, () => 200));
    expect((await network.send('GET', interval)).status).toBe(429);
    const other = await network.addGateway({ rateLimit: 20 }, { clock: createStoppedClock(start) });
    const large = 'x'.repeat(5 * 1024 * 1024);
    // It counts as more requests than a minute has: the first may go on, and takes the whole minute.
    expect((await other.send('POST', '/multisig/address', large)).status).toBe(400);
    expect((await other.send('GET', '/infos/version')).status).toBe(429);
  });

  it('a wrong key counts as the address', async () => {
    network = await startFakeNetwork({ rateLimit: 2, apiKey }, { clock: createStoppedClock(start) });
    const wrong = await Promise.all(
      Array.from({ length: 10 }, (_, index) => statuses(network!, 1, { 'x-api-key': `${index}`.repeat(32) })),
    );
    expect(wrong.flat().filter((status) => status === 401)).toHaveLength(2);
    expect(wrong.flat().filter((status) => status === 429)).toHaveLength(8);
  });

  it('many requests at once: none too many gets through', async () => {
    const clock = createStoppedClock(start);
    const cache = new MemoryCache({ maxBytes: 1_000_000, clock });
    network = await startFakeNetwork({ rateLimit: 50 }, { cache, clock });
    const other = await network.addGateway({ rateLimit: 50 }, { cache, clock });
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => statuses(index % 2 ? network! : other, 1)),
    );
    expect(answers.flat().filter((status) => status === 200)).toHaveLength(50);
    expect(network.log.join('')).not.toContain(apiKey);
  });
});

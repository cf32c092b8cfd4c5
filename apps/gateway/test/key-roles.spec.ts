import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigurationError, secretReader } from '@shardnode/core/configuration';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { permits, type Role, roles } from '../src/access/roles.js';
import { readGatewaySettings } from '../src/settings/configuration.js';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

const keys: Readonly<Record<Role, string>> = {
  read: 'r'.repeat(32),
  wallets: 'w'.repeat(32),
  operate: 'o'.repeat(32),
};
const configured = { apiKey: keys.operate, apiKeyWallets: keys.wallets, apiKeyRead: keys.read };

interface Described {
  readonly name: string;
  readonly method: string;
  /** With a value for each parameter. */
  readonly path: string;
  readonly operation: Readonly<Record<string, unknown>>;
}

const describedBy = async (network: FakeNetwork): Promise<readonly Described[]> => {
  const { body } = await network.send('GET', '/docs/openapi.json');
  const paths = body.paths as Record<string, Record<string, Described['operation']>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path: path.replaceAll(/\{\w+\}/g, 'x'),
      operation,
    })),
  );
};

/** Of every operation that is not for readers, the least role that may call it. */
const moreThanRead: readonly (readonly [RegExp, Role])[] = [
  [/^\w+ \/wallets(\/|$)/, 'wallets'],
  [/^POST \/(transactions|multisig)\/submit$/, 'wallets'],
  [/^(POST|PUT|DELETE) \/(miners|mempool)\//, 'operate'],
  [/^POST \/infos\//, 'operate'],
  [/^PUT \/utils\/check-hash-indexing$/, 'operate'],
];

describe('keys of roles', () => {
  let network: FakeNetwork;
  let operations: readonly Described[];
  beforeAll(async () => {
    network = await startFakeNetwork({ ...configured, corsOrigins: [] });
    operations = await describedBy(network);
  });
  afterAll(() => network.stop());

  it('every operation has the role of the table', () => {
    expect(operations.length).toBeGreaterThan(70);
    const wrong = operations.filter(({ name, operation }) => {
      const [, role] = moreThanRead.find(([form]) => form.test(name)) ?? [undefined, 'read'];
      return operation['x-role'] !== role;
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
    // What only reads is never for operators alone.
    expect(operations.filter(({ method, operation }) => operation['x-role'] === 'operate' && method === 'GET')).toEqual(
      [],
    );
  });

  it('the description names the role, and the refusal where there is one', () => {
    for (const { name, operation } of operations) {
      const role = operation['x-role'] as Role;
      expect([name, String(operation.description)]).toEqual([
        name,
        expect.stringContaining(`Needs a key of the role \`${role}\`.`),
      ]);
      const responses = operation.responses as Record<string, { 'x-error-codes': string[] }>;
      const isRefused = responses[403]!['x-error-codes'].includes('KeyNotPermitted');
      expect([name, isRefused]).toEqual([name, role !== 'read']);
    }
  });

  it.each(roles)('the key for %s calls the operations of its role, and no other', async (role) => {
    const wrong: string[] = [];
    for (const { name, method, path, operation } of operations) {
      // A body that cannot be read: with the right key it is refused as such, where a body is taken.
      const answer = await network.send(method, path, method === 'GET' ? undefined : '{', { 'x-api-key': keys[role] });
      const isRefused = answer.status === 403 && answer.headers.get('x-error-code') === 'KeyNotPermitted';
      if (isRefused === permits(role, operation['x-role'] as Role)) wrong.push(`${name}: ${answer.status}`);
      if (answer.status === 401) wrong.push(`${name}: 401`);
    }
    expect(wrong).toEqual([]);
  });

  it('without a key, with a wrong one and with two nothing is called', async () => {
    for (const { method, path } of operations) {
      const body = method === 'GET' ? undefined : '{';
      expect((await network.send(method, path, body)).headers.get('x-error-code')).toBe('MissingApiKey');
    }
    const sent = (key: string) => network.send('GET', '/infos/version', undefined, { 'x-api-key': key });
    expect((await sent('x'.repeat(32))).headers.get('x-error-code')).toBe('WrongApiKey');
    expect((await sent(`${keys.read}, ${keys.operate}`)).headers.get('x-error-code')).toBe('WrongApiKey');
  });

  it('no other spelling of a path and no HEAD gets around it', async () => {
    for (const [method, path] of [
      ['GET', '/wallets/'],
      ['HEAD', '/wallets'],
      ['GET', '/%77allets'],
      ['GET', '/wallets?x=1'],
      ['POST', '/wallets/x/transfer/'],
      ['DELETE', '/mempool/transactions/'],
    ] as const) {
      const answer = await network.send(method, path, undefined, { 'x-api-key': keys.read });
      expect([method, path, answer.status]).toEqual([method, path, 403]);
    }
  });

  it('the body of a refused request is not read', async () => {
    const { status } = await network.send('POST', '/transactions/submit', 'x'.repeat(11_000_000), {
      'x-api-key': keys.read,
    });
    expect(status).toBe(403);
  });

  it('any page may call what every key may, where CORS_ORIGINS is *: nothing else, and no preflight for it', async () => {
    const open = await network.addGateway({ ...configured, corsOrigins: ['*'] });
    for (const { name, method, path, operation } of operations) {
      const isOpen = operation['x-role'] === 'read';
      const origin = 'https://any.example';
      const answer = await open.send(method, path, method === 'GET' ? undefined : '{', { origin });
      expect([name, answer.headers.get('x-error-code')]).toEqual([name, isOpen ? 'MissingApiKey' : 'ForeignOrigin']);
      expect([name, answer.headers.get('access-control-allow-origin')]).toEqual([name, isOpen ? '*' : null]);
      const preflight = { origin, 'access-control-request-method': method };
      const announced = await open.send('OPTIONS', path, undefined, preflight);
      expect([name, announced.status]).toEqual([name, isOpen ? 204 : 403]);
    }
    const codeOf = async (path: string): Promise<string | null> =>
      (await open.send('GET', path, undefined, { origin: 'null' })).headers.get('x-error-code');
    for (const path of ['/docs/openapi.json', '/nope']) expect(await codeOf(path)).not.toBe('ForeignOrigin');
    for (const path of ['/health/live', '/metrics'])
      expect([path, await codeOf(path)]).toEqual([path, 'ForeignOrigin']);
  });

  it('is in no line of the log', () => {
    for (const key of Object.values(keys)) expect(network.log.join('\n')).not.toContain(key);
  });
});

it('a gateway with the one key knows no roles: it is for every operation', async () => {
  const network = await startFakeNetwork({ apiKey: keys.operate });
  network.wallet.list = () => ({ wallets: [] });
  expect((await network.send('GET', '/wallets', undefined, { 'x-api-key': keys.operate })).status).toBe(200);
  for (const key of [keys.read, keys.wallets]) {
    expect((await network.send('GET', '/infos/version', undefined, { 'x-api-key': key })).status).toBe(401);
  }
  await network.stop();
});

it('each key has its own count of requests', async () => {
  const network = await startFakeNetwork(
    { ...configured, rateLimitKey: 3 },
    { clock: createStoppedClock(1_700_000_000_000) },
  );
  const statuses = async (key: string): Promise<number[]> => {
    const all: number[] = [];
    for (let i = 0; i < 4; i++)
      all.push((await network.send('GET', '/infos/version', undefined, { 'x-api-key': key })).status);
    return all;
  };
  expect(await statuses(keys.read)).toEqual([200, 200, 200, 429]);
  expect(await statuses(keys.wallets)).toEqual([200, 200, 200, 429]);
  expect(await statuses(keys.operate)).toEqual([200, 200, 200, 429]);
  await network.stop();
});

describe('the settings of keys', () => {
  const [API_KEY, API_KEY_WALLETS, API_KEY_READ] = [keys.operate, keys.wallets, keys.read];
  let folder = '';
  beforeAll(() => void (folder = mkdtempSync(join(tmpdir(), 'keys-'))));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('may be any of the three, with the one for everything', () => {
    expect(readGatewaySettings({ API_KEY, API_KEY_WALLETS, API_KEY_READ })).toMatchObject({
      API_KEY,
      API_KEY_WALLETS,
      API_KEY_READ,
    });
    expect(readGatewaySettings({ API_KEY, API_KEY_READ, HOST: '0.0.0.0' })).toMatchObject({ API_KEY_READ });
  });

  it.each<[Record<string, string>, string]>([
    [{ API_KEY_READ }, 'API_KEY_READ cannot be the only key: set API_KEY too, for the other operations.'],
    [
      { API_KEY_READ, API_KEY_WALLETS },
      'API_KEY_READ and API_KEY_WALLETS cannot be the only key: set API_KEY too, for the other operations.',
    ],
    [{ API_KEY, API_KEY_READ: API_KEY }, 'API_KEY_READ and API_KEY are the same key: give each role a key of its own.'],
    [
      { API_KEY, API_KEY_WALLETS, API_KEY_READ: API_KEY_WALLETS },
      'API_KEY_READ and API_KEY_WALLETS are the same key: give each role a key of its own.',
    ],
    [
      { API_KEY, API_KEY_READ: 'short' },
      'API_KEY_READ must be a secret text of at least 32 characters, which it is not.',
    ],
  ])('%j: the start is refused', (environment, problem) => {
    const read = (): unknown => readGatewaySettings(environment);
    expect(read).toThrow(ConfigurationError);
    expect(read).toThrow(problem);
  });

  it('on an interface that others reach, a key for reading is not enough', () => {
    expect(() => readGatewaySettings({ HOST: '0.0.0.0', API_KEY_READ })).toThrow('so set API_KEY');
  });

  it('of a gateway in this process too', async () => {
    await expect(startFakeNetwork({ apiKeyRead: keys.read })).rejects.toThrow('API_KEY_READ cannot be the only key');
    await expect(startFakeNetwork({ apiKey: keys.read, apiKeyRead: () => keys.read })).rejects.toThrow('same key');
  });

  it('a key for reading is replaced in its file while the gateway runs', async () => {
    const file = join(folder, 'read');
    writeFileSync(file, `${keys.read}\n`);
    const settings = readGatewaySettings({ API_KEY, API_KEY_READ_FILE: file });
    const apiKeyRead = secretReader(settings, 'API_KEY_READ');
    const clock = createStoppedClock();
    const network = await startFakeNetwork({ apiKey: API_KEY, apiKeyRead, apiKeyOverlapMs: 2_000 }, { clock });
    const status = async (key: string): Promise<number> =>
      (await network.send('GET', '/infos/version', undefined, { 'x-api-key': key })).status;
    const [former, fresh] = [keys.read, 'n'.repeat(32)];
    writeFileSync(file, `${fresh}\n`);
    const both = async (): Promise<unknown> => [await status(former), await status(fresh)];
    expect(await both()).toEqual([200, 401]);
    clock.advance(1_000);
    expect(await both()).toEqual([200, 200]);
    clock.advance(2_000);
    expect(await both()).toEqual([401, 200]);
    expect(await status(API_KEY)).toBe(200);
    await network.stop();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { type CallReply, type GroupClient, serviceError } from '@shardnode/messages';
import { addressOf } from '@shardnode/protocol/address';
import { decode, encode } from '@shardnode/protocol/encoding';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import { type DevelopmentTools } from '../src/index.js';
import { type Explorer, openExplorer } from './support/open-explorer.js';

const groups = 4;
const group = 3;
const contractId = `${'ab'.repeat(31)}03`;
const contract = addressOf({ kind: 'p2c', contractId });
const unknown = addressOf({ kind: 'p2c', contractId: `${'cd'.repeat(31)}03` });
const outOfGroups = addressOf({ kind: 'p2c', contractId: 'ff'.repeat(32) });
const txId = 'ef'.repeat(32);
const codeHash = '12'.repeat(32);
const source = {
  contract: 'Shape',
  fields: [{ name: 'xs[0]', type: 'U256', isMutable: true }],
  functions: [
    { name: 'grow', isPublic: true, usePreapprovedAssets: false, params: [{ name: 'by', type: 'I256' }], returns: [] },
    { name: 'odd', isPublic: false, usePreapprovedAssets: true },
  ],
  events: [{ name: 'Grown', fields: [] }, { name: 'Odd' }],
};
const failure = { failedCode: codeHash, failedMethod: 0, assertionCode: '3' };
const succeeded: CallReply = {
  type: 'CallContractSucceeded',
  codeHash,
  returns: encode(valsCodec, [{ type: 'U256', value: 7n }]),
  gasUsed: 1_035,
  contracts: [],
  inputContracts: [],
  outputs: [],
  outputsTxId: txId,
  events: [],
  debugMessages: [{ contractId, message: 'grows' }],
};

const operations = [
  ['POST', '/development/test-payment', {}],
  ['GET', '/development/mining', undefined],
  ['POST', '/development/mine-one-block', { chainFrom: 1, chainTo: 2 }],
  ['GET', `/development/contracts/${contract}/source`, undefined],
  ['POST', `/development/contracts/${contract}/call`, { methodIndex: 0 }],
  ['POST', '/development/compile', { code: 'Contract A() {}' }],
] as const;

describe('the operations of a development network', () => {
  let explorer: Explorer;
  let payments = 0;
  const mined: unknown[] = [];
  const calls: unknown[] = [];
  const tools: DevelopmentTools = {
    accounts: [{ name: 'dev 0', address: contract, group: 0 }],
    sendTestPayment: () => {
      payments += 1;
      return Promise.resolve(txId);
    },
    miningMode: async () => 'off',
    mineOneBlock: async (chain) => {
      mined.push(chain);
      return codeHash;
    },
    contractOf: async (hash) => (hash === codeHash ? source : undefined),
    codesNamed: async (text) =>
      'shape'.startsWith(text.toLowerCase()) ? [{ contract: 'Shape', codeHashes: [codeHash] }] : [],
    compileSource: async (code) => (code.startsWith('Contract') ? undefined : '-- error (1:1): Syntax error\n'),
    failureNames: async (facts) =>
      facts['failedCode'] === codeHash ? { failedFunction: 'Shape.grow', assertionName: 'ShapeError.TooFar' } : {},
  };
  let reply: CallReply = succeeded;
  let hash = codeHash;
  const groupNodes = {
    groups,
    request: (to: number, name: string, payload: never) => {
      if (JSON.stringify(payload).includes('cd'.repeat(31)) || (payload as { address?: string }).address === unknown)
        return Promise.reject(serviceError('ContractNotFound', 'no such contract'));
      calls.push([to, name, payload]);
      const answers = {
        'read.contract.state': { codeHash: hash },
        'read.contract.call': { results: [reply] },
      };
      return Promise.resolve(answers[name as keyof typeof answers]);
    },
  } as unknown as GroupClient;
  beforeAll(async () => {
    explorer = await openExplorer(groups, undefined, {}, groupNodes, tools);
  });
  afterAll(() => explorer.close());

  const send = async (method: string, path: string, body?: unknown, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${explorer.api.port}${path}`, {
      method,
      headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
  };
  const call = (args: unknown, address = contract, methodIndex: unknown = 1) =>
    send('POST', `/development/contracts/${address}/call`, { methodIndex, args });

  it('send a payment', async () => {
    expect(await send('POST', '/development/test-payment', {})).toMatchObject({ status: 200, body: { txId } });
    expect(payments).toBe(1);
  });

  it('say when blocks are mined, and mine one', async () => {
    expect(await send('GET', '/development/mining')).toMatchObject({ status: 200, body: { mode: 'off' } });
    const mine = (body: unknown) => send('POST', '/development/mine-one-block', body);
    expect(await mine({ chainFrom: 1, chainTo: 2 })).toMatchObject({ status: 200, body: { blockHash: codeHash } });
    for (const [body, detail] of [
      [{ chainFrom: 1, chainTo: 4 }, /expected 0 to 3/],
      [{ chainFrom: -1, chainTo: 0 }, /whole number from 0/],
      [{ chainFrom: 1 }, /Invalid value for: body/],
    ] as const)
      expect(await mine(body)).toMatchObject({ status: 400, body: { detail: expect.stringMatching(detail) } });
    expect(mined).toEqual([{ from: 1, to: 2 }]);
  });

  it('tell the names in the source of a contract by its code, if there are some', async () => {
    const path = `/development/contracts/${contract}/source`;
    expect(await send('GET', path)).toMatchObject({ status: 200, body: { source } });
    hash = '34'.repeat(32);
    expect(await send('GET', path)).toMatchObject({ status: 200, body: { source: null } });
    hash = codeHash;
    for (const none of [unknown, outOfGroups])
      expect(await send('GET', `/development/contracts/${none}/source`)).toMatchObject({
        status: 404,
        body: { resource: none },
      });
  });

  it('compile a source, and say what is wrong with it', async () => {
    const compile = (code: unknown) => send('POST', '/development/compile', { code });
    expect(await compile('Contract A() {}')).toMatchObject({ status: 200, body: { compiled: true } });
    expect(await compile('contract A() {}')).toMatchObject({
      status: 400,
      body: { detail: '-- error (1:1): Syntax error\n' },
    });
    for (const code of [undefined, 7])
      expect(await compile(code)).toMatchObject({
        status: 400,
        body: { detail: expect.stringMatching(/^Invalid value for: body/) },
      });
  });

  it('name accounts and contracts for the search', async () => {
    const { database } = explorer;
    await database.script(`SET search_path = ${database.schema};
      INSERT INTO addresses (address) VALUES ('${contract}'), ('${unknown}');
      INSERT INTO contracts (contract_id, creation_tx_id, creation_order)
        SELECT address_id, 1, 0 FROM addresses WHERE address IN ('${contract}', '${unknown}')`);
    const search = async (text: string) => (await send('GET', `/search?q=${encodeURIComponent(text)}`)).body;
    const account = { kind: 'address', id: contract, label: 'dev 0' };
    const named = { kind: 'contract', id: contract, label: 'Shape' };
    for (const [text, found] of [
      ['dev 0', [account]],
      ['“DEV  0”', [account]],
      ['dev', [account]],
      ['dev 1', []],
      ['Shape', [named]],
      ['sha', [named]],
      ['Shapes', []],
      ['s', []],
    ] as const)
      expect([text, await search(text)]).toEqual([text, found]);
    hash = '34'.repeat(32);
    expect(await search('Shape')).toEqual([]);
    hash = codeHash;
  });

  it('call a method in the group of the contract', async () => {
    const { status, body } = await call([
      { type: 'I256', value: '-5' },
      { type: 'Array', value: [{ type: 'Bool', value: true }] },
    ]);
    expect([status, body]).toEqual([
      200,
      {
        type: 'CallContractSucceeded',
        returns: [{ type: 'U256', value: '7' }],
        gasUsed: 1_035,
        debugMessages: ['grows'],
      },
    ]);
    const [to, name, payload] = calls.at(-1) as [number, string, { calls: [{ args: Uint8Array }] }];
    expect([to, name]).toEqual([group, 'read.contract.call']);
    expect(payload.calls[0]).toMatchObject({ contractId, methodIndex: 1, inputAssets: [], existingContracts: [] });
    const values: readonly Val[] = [
      { type: 'I256', value: -5n },
      { type: 'Bool', value: true },
    ];
    expect(decode(valsCodec, payload.calls[0].args)).toEqual(values);
  });

  it('say why a call fails, with the names of its source', async () => {
    reply = { type: 'CallContractFailed', error: 'no', facts: failure };
    expect((await call([])).body).toEqual({
      type: 'CallContractFailed',
      error: 'no',
      failedFunction: 'Shape.grow',
      assertionName: 'ShapeError.TooFar',
    });
    reply = { type: 'CallContractFailed', error: 'needs 1 {COIN}' };
    expect((await call([])).body).toEqual({ type: 'CallContractFailed', error: 'needs 1 COIN' });
    reply = succeeded;
    expect(await call([], unknown)).toMatchObject({ status: 404, body: { resource: unknown } });
  });

  it.each([
    [[{ type: 'U256', value: '-1' }], contract, 0, /body/],
    [[{ type: 'Word', value: '1' }], contract, 0, /body/],
    [Array(257).fill({ type: 'Bool', value: true }), contract, 0, /at most 256/],
    [[], contract, 'x', /body/],
    [[], '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH', 0, /contract_address/],
  ])('refuse what is no call: %#', async (args, address, methodIndex, detail) => {
    const { status, body } = await call(args, address, methodIndex);
    expect([status, body['detail']]).toEqual([400, expect.stringMatching(detail)]);
  });

  it.each<{ page: string; headers: Readonly<Record<string, string>> }>([
    { page: 'of another site', headers: { origin: 'https://evil.example' } },
    { page: 'in a sandbox', headers: { origin: 'null', 'sec-fetch-site': 'cross-site' } },
    { page: 'with an image', headers: { 'sec-fetch-site': 'cross-site' } },
    { page: 'of another server of this machine', headers: { origin: 'http://127.0.0.1:5173' } },
  ])('answer no page $page, nor its preflight', async ({ headers }) => {
    const before = [payments, calls.length, mined.length];
    for (const [method, path, body] of operations) {
      const answer = await send(method, path, body, { ...headers, 'content-type': 'text/plain' });
      expect([path, answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([path, 403, null]);
      const preflight = await send('OPTIONS', path, undefined, { ...headers, 'access-control-request-method': method });
      expect([path, preflight.status]).toEqual([path, 403]);
    }
    expect([payments, calls.length, mined.length]).toEqual(before);
    expect((await send('GET', '/blocks', undefined, headers)).status).toBe(200);
  });

  it('answer its own page', async () => {
    const origin = `http://127.0.0.1:${explorer.api.port}`;
    for (const [method, path, body] of operations)
      expect([path, (await send(method, path, body, { origin })).status]).toEqual([path, 200]);
  });

  it('are described', async () => {
    const document = (await send('GET', '/docs/openapi.json')).body;
    expect(await new Validator().validate(structuredClone(document))).toMatchObject({ valid: true });
    expect(document['tags']).toContainEqual(expect.objectContaining({ name: 'Development' }));
    const paths = Object.keys(document['paths'] as object).filter((path) => path.startsWith('/development'));
    expect(paths).toHaveLength(operations.length);
  });
});

describe('an explorer of any other network', () => {
  let explorer: Explorer;
  beforeAll(async () => {
    explorer = await openExplorer(groups);
  });
  afterAll(() => explorer.close());

  it.each(operations)('has no %s %s', async (method, path, body) => {
    const answer = await fetch(`http://127.0.0.1:${explorer.api.port}${path}`, {
      method,
      ...(body && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
    expect([answer.status, await answer.json()]).toEqual([404, { resource: path, detail: `${path} not found` }]);
  });

  it('describes none, and tells its page of none', async () => {
    const get = (path: string, accept: string) =>
      fetch(`http://127.0.0.1:${explorer.api.port}${path}`, { headers: { accept } });
    const document = (await (await get('/docs/openapi.json', '*/*')).json()) as { tags: { name: string }[] };
    expect(document.tags.map(({ name }) => name)).not.toContain('Development');
    expect(JSON.stringify(document)).not.toContain('/development');
    expect(await (await get('/', 'text/html')).text()).not.toContain('development');
  });
});

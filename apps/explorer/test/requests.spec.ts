import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentValues } from '@shardnode/http';
import { developmentKeys } from '@shardnode/testing/keys';
import { readVectors } from '@shardnode/testing/vectors';
import { interfaceName } from '../src/blocks/interfaces.js';
import { type Explorer, openExplorer } from './support/open-explorer.js';

let explorer: Explorer;
let address: string;
beforeAll(async () => {
  explorer = await openExplorer(4);
  address = (await developmentKeys())[0]!.address;
});
afterAll(() => explorer.close());

const send = (path: string, init: RequestInit = {}) => fetch(`http://127.0.0.1:${explorer.api.port}${path}`, init);
const post = (path: string, body: string) => send(path, { method: 'POST', body });
const hash = 'ab'.repeat(32);

describe('an empty index', () => {
  it.each([
    ['/blocks', { total: 0, blocks: [] }],
    [`/blocks/${hash}/transactions`, []],
    ['/chains/0/1/blocks/7', []],
    ['/chains/0/1/blocks', []],
    ['/chains/0/900719/blocks/42', []],
    ['/chains/900719/0/blocks', []],
    ['/chains/0/0/blocks?highest=2147483647', []],
    ['/transactions', []],
    ['/tokens', []],
    ['/tokens/holders/coin', []],
    [`/tokens/holders/token/${hash}`, []],
    [`/tokens/${hash}/transactions`, []],
    [`/tokens/${hash}/addresses`, []],
    ['/mempool/transactions', []],
    ['/infos/heights', []],
    ['/infos/average-block-times', []],
    [`/contract-events/transaction-id/${hash}`, []],
  ])('answers %s', async (path, body) => {
    const answer = await send(path);
    expect([answer.status, await answer.json()]).toEqual([200, body]);
  });

  it('answers zeros for an unknown address', async () => {
    const zeros = { balance: '0', lockedBalance: '0' };
    expect(await (await send(`/addresses/${address}`)).json()).toEqual({ ...zeros, txNumber: 0 });
    expect(await (await send(`/addresses/${address}/tokens/${hash}/balance`)).json()).toEqual({
      tokenId: hash,
      ...zeros,
    });
    expect(await (await send(`/addresses/${address}/utxo-summary`)).json()).toEqual({
      utxoNumber: 0,
      countedNumber: 0,
      sizes: [],
      outputs: [],
    });
    expect(await (await send(`/addresses/${address}/overview`)).json()).toEqual({
      info: { ...zeros, txNumber: 0 },
      utxos: { utxoNumber: 0, countedNumber: 0, sizes: [], outputs: [] },
      tokens: [],
      pending: [],
      transactions: [],
    });
    expect(await (await send(`/contract-events/input-address/${address}`)).json()).toEqual([]);
    expect(await (await post('/addresses/used', JSON.stringify([address]))).json()).toEqual([false]);
  });

  it('answers that nothing is synchronised', async () => {
    const { chains, ...sync } = (await (await send('/infos/sync')).json()) as { readonly chains: unknown[] };
    expect(sync).toEqual({
      synced: false,
      phase: 'initial',
      lagMs: 0,
      finalizedTimestamp: 0,
      unresolvedInputs: 0,
      conflictInputs: 0,
      verify: null,
    });
    const chain = { chainFrom: 0, chainTo: 0, height: -1, nodeHeight: null, timestamp: 0, state: 'following' };
    expect([chains.length, chains[0]]).toEqual([16, chain]);
  });

  it('answers a plain number of transactions', async () => {
    const answer = await send('/infos/total-transactions');
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual(['text/plain', '0']);
  });
});

describe('a mistake of the client', () => {
  const page = 'Invalid value for: query parameter page';
  const limit = 'Invalid value for: query parameter limit';
  it.each([
    ['/blocks?page=0', `${page} (expected value to be greater than or equal to 1, but got 0)`],
    ['/blocks?limit=101', `${limit} (expected value to be less than or equal to 100, but got 101)`],
    ['/blocks?limit=-1', `${limit} (expected value to be greater than or equal to 0, but got -1)`],
    ['/blocks?page=', `${page} (expected a whole number of 32 bits: )`],
    ['/blocks?page=99999999999', `${page} (expected a whole number of 32 bits: 99999999999)`],
    ['/blocks?page=1&page=2', page],
    ['/blocks?page=2147483647&limit=100', 'Page too deep, use cursor'],
    ['/blocks?cursor=!', 'Invalid value for: query parameter cursor (expected a cursor of this list: !)'],
    ['/blocks/xyz', 'Invalid value for: path parameter block_hash (expected 64 hexadecimal digits: xyz)'],
    ['/tokens?interface-id=01', /^Invalid value for: query parameter interface-id \(expected fungible, .*: 01\)$/],
    ['/addresses/A/timeranged-transactions', 'Invalid value for: query parameter fromTs'],
    [
      '/addresses/A/timeranged-transactions?fromTs=2&toTs=2',
      'Invalid value for: query parameter fromTs (`fromTs` must be before `toTs`)',
    ],
    ['/charts/hashrates', 'Invalid value for: query parameter fromTs'],
    ['/charts/hashrates?fromTs=1&toTs=2', 'Invalid value for: query parameter interval-type'],
    [
      '/charts/transactions-count?fromTs=0&toTs=9223372036854775807&interval-type=weekly',
      'Time span cannot be greater than 366 days',
    ],
    [
      '/charts/transactions-count?fromTs=2&toTs=1&interval-type=daily',
      'Invalid value for: query parameter fromTs (`fromTs` must be before `toTs`)',
    ],
    ['/addresses/A/amount-history?fromTs=1&toTs=2', 'Invalid value for: query parameter interval-type'],
    [
      '/addresses/A/amount-history?fromTs=0&toTs=604800001&interval-type=hourly',
      'Time span cannot be greater than 7 days',
    ],
    [
      '/addresses/A/amount-history?fromTs=0&toTs=1&interval-type=%22yearly%22',
      'Invalid value for: query parameter interval-type (expected value to be one of (daily, hourly, weekly), but got: "\\"yearly\\"")',
    ],
    [
      '/addresses/A/export-transactions/csv?fromTs=0&toTs=9223372036854775807',
      'Time span cannot be greater than 366 days',
    ],
    ['/addresses/A/export-transactions/csv?fromTs=1&fromTs=1&toTs=2', 'Invalid value for: query parameter fromTs'],
    ['/infos/supply?page=0', /^Invalid value for: query parameter page/],
    ['/contracts/A/parent', /^Invalid value for: path parameter contract_address/],
  ])('%s is 400', async (path, detail) => {
    const answer = await send(path.replace('/A/', `/${address}/`));
    const body = (await answer.json()) as { readonly detail: string };
    expect([answer.status, Object.keys(body)]).toEqual([400, ['detail']]);
    if (typeof detail === 'string') expect(body.detail).toBe(detail);
    else expect(body.detail).toMatch(detail);
  });

  it.each([
    ['a list that is too long', JSON.stringify(Array(81).fill(hash)), '80, but got 81)'],
    ['an object', '{"a":1}', 'expected a list of ids of tokens)'],
    ['an unreadable element', '["x"]', 'expected 64 hexadecimal digits: x)'],
    ['nothing', '', 'is missing)'],
    ['no JSON', '[', 'is not valid JSON'],
  ])('a body with %s is 400', async (_name, body, end) => {
    const answer = await post('/tokens', body);
    const { detail } = (await answer.json()) as { readonly detail: string };
    expect([answer.status, detail]).toEqual([400, expect.stringMatching(/^Invalid value for: body \(/)]);
    expect(detail).toContain(end);
  });

  it('a body above 64 KiB is 413', async () => {
    expect((await post('/tokens', `["${'a'.repeat(65_536)}"]`)).status).toBe(413);
  });
});

describe('paths', () => {
  it.each(['/nothing', '/addresses/', '/blocks/x/y/z'])('%s is 404 with its name', async (path) => {
    const answer = await send(path);
    expect([answer.status, await answer.json()]).toEqual([404, { resource: path, detail: `${path} not found` }]);
  });

  it('names what is not there', async () => {
    const resource = hash.toUpperCase();
    for (const path of [`/blocks/${resource}`, `/transactions/${resource}`]) {
      const answer = await send(path);
      expect([answer.status, await answer.json()]).toEqual([404, { resource: hash, detail: `${hash} not found` }]);
    }
  });

  it('a trailing slash is ignored, HEAD is answered, other methods are 405', async () => {
    expect((await send('/blocks/')).status).toBe(200);
    expect((await send('/blocks', { method: 'HEAD' })).status).toBe(200);
    const refused = await send('/blocks', { method: 'DELETE' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET']);
  });

  it('pages of every origin may read, the cursor too', async () => {
    const origin = 'https://elsewhere.example';
    const answer = await send('/blocks', { headers: { origin } });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-expose-headers')).toContain('X-Next-Cursor');
    const preflight = await send('/tokens', {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-any' },
    });
    const { headers } = preflight;
    expect([preflight.status, headers.get('access-control-max-age')]).toEqual([204, '1800']);
    expect(headers.get('access-control-allow-methods')).toContain('POST');
    expect(headers.get('access-control-allow-headers')).toBe('*');
  });
});

describe('answers', () => {
  it('have a tag by which they are asked for again', async () => {
    const answer = await send('/blocks');
    const etag = answer.headers.get('etag')!;
    expect(answer.headers.get('cache-control')).toBe('public, max-age=1');
    const again = await send('/blocks', { headers: { 'if-none-match': etag } });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await send('/blocks', { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200);
    expect((await send('/health/live')).headers.get('etag')).toBeNull();
  });

  it('are compressed when they are long', async () => {
    const body = JSON.stringify(Array(80).fill(address));
    const encodingOf = async (accepted: string, list: string): Promise<string | null> => {
      const init = { method: 'POST', body: list, headers: { 'accept-encoding': accepted } };
      const answer = await send('/addresses/used', init);
      expect(await answer.json()).toHaveLength((JSON.parse(list) as string[]).length);
      return answer.headers.get('content-encoding');
    };
    // 80 answers have less than 1 KiB.
    expect(await encodingOf('gzip', body)).toBeNull();
    const document = await send('/docs/openapi.json', { headers: { 'accept-encoding': 'gzip' } });
    expect(document.headers.get('content-encoding')).toBe('gzip');
  });
});

interface ExplorerExamples {
  readonly decodeUnsignedTx?: { readonly request: object; readonly responseWhenInputUnknown: unknown };
  readonly interfaceIds?: {
    readonly entries: readonly { readonly interfaceId: string; readonly stdInterfaceId: string }[];
    readonly queryValues: { readonly accepted: readonly string[]; readonly rejected: readonly string[] };
  };
}
const { decodeUnsignedTx, interfaceIds } = readVectors<ExplorerExamples>('explorer-examples.json');

describe('decoding an unsigned transaction', () => {
  const decode = (body: object) => post('/transactions/decode-unsigned-tx', JSON.stringify(body));

  it('shows nothing of an unknown output', async () => {
    const { unsignedTx, txId } = developmentValues.payment;
    const answer = await decode({ unsignedTx: unsignedTx.toUpperCase() });
    const { unsignedTx: decoded, ...chain } = (await answer.json()) as {
      unsignedTx: { hash: string; inputs: object[] };
    };
    expect([chain, decoded.hash]).toEqual([{ fromGroup: 1, toGroup: 0 }, txId]);
    expect(Object.keys(decoded.inputs[0]!)).toEqual(['outputRef', 'unlockScript', 'contractInput']);
  });

  it.each([
    ['00', 'Too few bytes: expected 1, got 0'],
    [`${developmentValues.payment.unsignedTx}00`, /^Too many bytes: expected \d+, got \d+$/],
    ['0', /^Invalid value for: body \(/],
  ])('refuses %s', async (unsignedTx, detail) => {
    const answer = await decode({ unsignedTx });
    const body = (await answer.json()) as { readonly detail: string };
    expect(answer.status).toBe(400);
    if (typeof detail === 'string') expect(body.detail).toBe(detail);
    else expect(body.detail).toMatch(detail);
  });

  (decodeUnsignedTx ? it : it.skip)('answers as the vector', async () => {
    const { request, responseWhenInputUnknown } = decodeUnsignedTx!;
    expect(await (await decode(request)).json()).toEqual(responseWhenInputUnknown);
  });
});

describe('interfaces of tokens', () => {
  it.each([
    ['0001', 'fungible'],
    ['00010203', 'fungible'],
    ['0002', 'non-fungible-collection'],
    ['000201', 'non-fungible-collection-with-royalty'],
    ['0003', 'non-fungible'],
    ['', 'non-standard'],
    ['beef', 'beef'],
    [null, null],
  ])('%s is %s', (id, name) => {
    expect(interfaceName(id)).toBe(name);
  });

  it.each(['fungible', 'non-fungible', 'non-standard', '', '0001', '000101', 'abcd', '0123456789abcdef'])(
    '%j is a filter',
    async (value) => expect((await send(`/tokens?interface-id=${value}`)).status).toBe(200),
  );

  it.each(['000', '00010', '0001010', 'zz01', '0123456789abcdef01', '01'])('%j is none', async (value) =>
    expect((await send(`/tokens?interface-id=${value}`)).status).toBe(400),
  );

  (interfaceIds ? it : it.skip)('are those of the vectors', async () => {
    const { entries, queryValues } = interfaceIds!;
    for (const { interfaceId, stdInterfaceId } of entries) expect(interfaceName(interfaceId)).toBe(stdInterfaceId);
    const statusOf = async (value: string): Promise<number> => (await send(`/tokens?interface-id=${value}`)).status;
    for (const value of queryValues.accepted) expect([value, await statusOf(value)]).toEqual([value, 200]);
    for (const value of queryValues.rejected) expect([value, await statusOf(value)]).toEqual([value, 400]);
  });
});

describe('a browser that opens an address', () => {
  const accept = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
  const page = { status: 200, type: 'text/html; charset=utf-8' };
  const answerTo = async (path: string, headers: Record<string, string>) => {
    const answer = await send(path, { headers });
    return { status: answer.status, type: answer.headers.get('content-type'), vary: answer.headers.get('vary') };
  };
  /** As it is sent: `fetch` mends some paths. */
  const answerToRaw = async (path: string, headers: Record<string, string>) => {
    const asked = request({ port: explorer.api.port, host: '127.0.0.1', path, headers }).end();
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, type: answer.headers['content-type'], body: await text(answer) };
  };

  it.each([
    [`/transactions/${hash}`, 404],
    [`/blocks/${hash}`, 404],
    ['/blocks', 200],
    ['/blocks/00', 400],
    ['/blocks/00/nowhere', 404],
    [`/addresses/1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH`, 200],
    [`/addresses/1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH:0`, 400],
    ['/addresses/used', 400],
    ['/addresses/used/transactions', 400],
    [`/tokens/${hash}`, 404],
    ['/search?q=dev', 200],
    ['/nowhere/at/all', 404],
  ])('gets a page for %s, programs JSON', async (path, status) => {
    const asked: readonly Record<string, string>[] = [{ accept }, { 'sec-fetch-dest': 'document' }];
    for (const headers of asked) {
      const { vary, ...answer } = await answerTo(path, headers);
      expect(answer).toEqual(page);
      expect(vary).toContain('accept, sec-fetch-dest');
    }
    for (const names of ['', '*/*', 'application/json, text/html;q=0.9']) {
      const { vary, ...answer } = await answerTo(path, names === '' ? {} : { accept: names });
      expect(answer).toEqual({ status, type: 'application/json' });
      expect(vary).toContain('accept, sec-fetch-dest');
    }
  });

  it.each(['/tx/%zz', '/address/%', '/tx/%E0%A4%A', '/addresses/%zz', '/%'])('gets a page for %s', async (path) => {
    expect(await answerToRaw(path, { accept })).toMatchObject(page);
    const { status, body } = await answerToRaw(path, {});
    expect([status, JSON.parse(body)]).toEqual([400, { detail: expect.stringContaining('not percent-encoded') }]);
  });

  it('gets the data of what has no page', async () => {
    for (const path of ['/infos/sync', `/addresses/${address}/transactions`])
      expect(await answerTo(path, { accept })).toMatchObject({ status: 200, type: 'application/json' });
    const csv = `/addresses/${address}/export-transactions/csv?fromTs=0&toTs=1`;
    expect((await answerTo(csv, { accept })).type).toContain('text/csv');
    expect(await answerTo('/infos/heights?page=x', { accept })).toMatchObject({ type: 'application/json' });
    expect(await answerTo('/assets/nowhere.js', { accept })).toMatchObject({ status: 404, type: 'application/json' });
  });
});

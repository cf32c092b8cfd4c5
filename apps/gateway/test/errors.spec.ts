import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { ServiceError, type ErrorData } from '@shardnode/core/errors';
import { errorHeaders } from '@shardnode/core/http-server';
import { errorCodes, rowOfCode, statusOfCode, type ErrorCode } from '@shardnode/http';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { readVectors } from '@shardnode/testing/vectors';
import { startFakeNetwork, type Answer, type FakeNetwork } from './fakes/fake-network.js';

const address = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';
const publicKey = `02${'ab'.repeat(32)}`;
const txId = 'ab'.repeat(32);
const apiKey = '0123456789abcdef0123456789abcdef';
const unsignedTx = '000400000000204e000000000000000000000000000000000000';

/** What the headers of an error say, by their names in the table; only those that are there. */
const saidBy = ({ headers }: Answer): Record<string, string> =>
  Object.fromEntries(
    Object.entries(errorHeaders).flatMap(([key, { name }]) => {
      const value = headers.get(name);
      return value === null ? [] : [[key, value]];
    }),
  );

describe('errors of services', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork();
  });
  afterAll(() => network.stop());

  /** The answer of an endpoint whose service fails so. */
  const failing = (
    code: string,
    detail: string,
    data: ErrorData,
    [method, path, body]: readonly [string, string, object?],
  ): Promise<Answer> => {
    const fail = (): never => {
      throw new ServiceError(rowOfCode(code)?.kind ?? 'refused', code, detail, data);
    };
    network.groups['read.building.transfer'] = fail;
    network.groups['read.address.balance'] = fail;
    network.wallet.transfer = fail;
    network.wallet.balances = fail;
    return network.send(method, path, body);
  };

  const destinations = [{ address, attoCoinAmount: '1000000000000000000' }];
  const build = ['POST', '/transactions/build', { fromPublicKey: publicKey, destinations }] as const;
  const transfer = ['POST', '/wallets/hot_1/transfer', { destinations }] as const;

  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter((code) => rowOfCode(code)?.status === undefined);
  it.each(codes)('%s has its status, the documented body and its code', async (code) => {
    const answer = await failing(code, 'what is wrong', {}, ['GET', `/addresses/${address}/balance`]);
    expect([answer.status, answer.text]).toEqual([statusOfCode(code), '{"detail":"what is wrong"}']);
    expect(saidBy(answer).code).toBe(code);
  });

  it('each verdict of the validation that the vectors have is in the table', () => {
    const { transactions } = readVectors<{ transactions: { expected: string }[] }>('tx-validation.json');
    const verdicts = [...new Set(transactions.map(({ expected }) => expected.replace(/\(.*/, '')))];
    expect(verdicts.length).toBeGreaterThan(20);
    expect(verdicts.filter((verdict) => verdict !== 'ok' && rowOfCode(verdict) === undefined)).toEqual([]);
  });

  it.each<[ErrorCode, string, ErrorData, readonly [string, string, object?], Record<string, string>]>([
    [
      'WalletLocked',
      'Wallet is locked',
      {},
      ['GET', '/wallets/hot_1/balances'],
      { next: 'POST /wallets/hot_1/unlock' },
    ],
    [
      'WalletNotFound',
      'a b not found',
      { resource: 'a b' },
      ['GET', '/wallets/a%20b/balances'],
      { next: 'GET /wallets', field: 'wallet_name' },
    ],
    ['TooManyInputs', 'Too many', {}, build, { next: 'POST /transactions/sweep-address/build' }],
    ['TooManyInputs', 'Too many', {}, transfer, { next: 'POST /wallets/hot_1/sweep-active-address' }],
    ['EstimatedGasTooLarge', 'Too much', {}, transfer, {}],
    [
      'EstimatedGasTooLarge',
      'Too much',
      { inputsThatFit: 100 },
      transfer,
      { next: 'POST /wallets/hot_1/sweep-active-address' },
    ],
    [
      'NotEnoughBalance',
      'Not enough balance: got 1, expected 2',
      { spendableAt: 1_700_000_000_000 },
      transfer,
      { next: 'GET /wallets/hot_1/balances', spendableAt: '1700000000000' },
    ],
    [
      'NotEnoughBalance',
      'Not enough balance: got 1, expected 2',
      { address },
      build,
      { next: `GET /addresses/${address}/balance` },
    ],
    ['NotEnoughBalance', 'Not enough balance: got 1, expected 2', {}, build, {}],
    ['GasPriceTooSmall', 'Gas price', {}, build, { field: 'gasPrice' }],
    ['AmountBelowDust', 'Not enough', {}, build, { field: 'destinations' }],
    [
      'NonExistInput',
      'Failed',
      { txId: 'cd', conflictingTxId: txId },
      build,
      { conflictingTxId: txId, next: `GET /transactions/status?txId=${txId}` },
    ],
    ['NonExistInput', 'Failed', { txId: 'cd' }, build, {}],
    [
      'DeadlineExceeded',
      'is slow',
      { txId },
      transfer,
      { next: `GET /transactions/status?txId=${txId}`, retryAfterSeconds: '1' },
    ],
    [
      'NotSynced',
      'The clique is not synced',
      { group: 1 },
      build,
      { next: 'GET /infos/self-clique', retryAfterSeconds: '1' },
    ],
    ['MempoolFull', 'full', { group: 1, retryAfterSeconds: 3 }, transfer, { retryAfterSeconds: '3' }],
  ])('%s: %s %j', async (code, detail, data, request, said) => {
    const answer = await failing(code, detail, data, request);
    const { resource } = data;
    expect(answer.text).toBe(JSON.stringify({ ...(resource === undefined ? {} : { resource }), detail }));
    expect(saidBy(answer)).toEqual({ code, ...said });
  });

  it('a field that only services know is told by the name that the request has for it', async () => {
    const answer = await failing('InvalidTargetBlock', 'x', { field: 'lockupScript' }, build);
    expect(saidBy(answer)).toEqual({ code: 'InvalidTargetBlock', field: 'targetBlockHash' });
  });

  it('a code of a newer service is handed on', async () => {
    const answer = await failing('OfAnotherVersion', 'x', {}, build);
    expect([answer.status, saidBy(answer)]).toEqual([400, { code: 'OfAnotherVersion' }]);
  });

  it('what cannot be in a header does not break the answer', async () => {
    const answer = await failing('DoubleSpending', 'x', { conflictingTxId: 'a\r\nset-cookie: x\u20ac' }, build);
    expect([answer.status, answer.headers.get('set-cookie')]).toEqual([400, null]);
    expect(saidBy(answer).conflictingTxId).toBe('a??set-cookie: x?');
  });
});

describe('errors of the interface', () => {
  let network: FakeNetwork;
  let limited: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ apiKey });
    // Its minute does not end between two requests.
    limited = await startFakeNetwork({ rateLimit: 1 }, { clock: createStoppedClock() });
    await limited.send('GET', '/infos/version');
  });
  afterAll(async () => {
    await network.stop();
    await limited.stop();
  });

  const keyed = (method: string, path: string, body?: unknown): Promise<Answer> =>
    network.send(method, path, body, { 'x-api-key': apiKey });

  it.each<[string, string, unknown, number, Record<string, string>]>([
    ['GET', '/nowhere', undefined, 404, { code: 'RouteNotFound', next: 'GET /docs/openapi.json' }],
    ['GET', '/wallets//addresses', undefined, 404, { code: 'RouteNotFound', next: 'GET /docs/openapi.json' }],
    ['DELETE', '/transactions/build', undefined, 405, { code: 'MethodNotAllowed' }],
    ['HEAD', '/nowhere', undefined, 404, { code: 'RouteNotFound', next: 'GET /docs/openapi.json' }],
    ['HEAD', '/transactions/build', undefined, 405, { code: 'MethodNotAllowed' }],
    ['GET', '/%', undefined, 400, { code: 'MalformedPath' }],
    ['POST', '/transactions/submit', '{', 400, { code: 'InvalidBody' }],
    ['POST', '/transactions/submit', '{}', 400, { code: 'InvalidRequest', field: 'unsignedTx' }],
    ['POST', '/transactions/submit', 'x'.repeat(10_485_761), 413, { code: 'BodyTooLarge' }],
    [
      'POST',
      '/transactions/submit',
      { unsignedTx: 'xyz', signature: '11'.repeat(64) },
      400,
      { code: 'InvalidHex', field: 'unsignedTx' },
    ],
    [
      'POST',
      '/transactions/submit',
      { unsignedTx, signature: '11'.repeat(64) },
      400,
      { code: 'InvalidTransaction', field: 'unsignedTx' },
    ],
    ['GET', '/blockflow/blocks?fromTs=10&toTs=0', undefined, 400, { code: 'InvalidInterval', field: 'fromTs' }],
    [
      'GET',
      '/blockflow/blocks-with-events?fromTs=1700000000000&toTs=1700001800',
      undefined,
      400,
      { code: 'InvalidInterval', field: 'toTs' },
    ],
    ['GET', '/infos/current-hashrate?timespan=1800001', undefined, 400, { code: 'InvalidInterval', field: 'timespan' }],
    [
      'GET',
      '/events/contract/uqa8vVAySDGA5nbt6c5WXYXXuBWPghtDx6C8aE3VFXDZ?start=0&limit=101',
      undefined,
      400,
      { code: 'InvalidInterval', field: 'limit' },
    ],
    [
      'GET',
      '/blockflow/chain-info?fromGroup=0&toGroup=9',
      undefined,
      400,
      { code: 'InvalidRequest', field: 'toGroup' },
    ],
    [
      'POST',
      '/transactions/build',
      { fromPublicKey: publicKey, destinations: [{ address: 'x', attoCoinAmount: '1' }] },
      400,
      { code: 'InvalidRequest', field: 'destinations[0].address' },
    ],
    [
      'POST',
      '/multisig/address',
      { keys: [publicKey], mrequired: 2 },
      400,
      { code: 'InvalidMultisig', field: 'mrequired' },
    ],
  ])('%s %s', async (method, path, body, status, said) => {
    const answer = await keyed(method, path, body);
    expect([answer.status, saidBy(answer)]).toEqual([status, said]);
    if (method !== 'HEAD') expect(Object.keys(answer.body)).toEqual(['detail']);
  });

  it('the key is a field, too', async () => {
    expect(saidBy(await network.send('GET', '/infos/version'))).toEqual({ code: 'MissingApiKey', field: 'X-API-KEY' });
    const wrong = await network.send('GET', '/infos/version', undefined, { 'x-api-key': 'f'.repeat(32) });
    expect(saidBy(wrong)).toEqual({ code: 'WrongApiKey', field: 'X-API-KEY' });
  });

  it('a limit has a code and a time', async () => {
    const answer = await limited.send('GET', '/infos/version');
    expect([answer.status, saidBy(answer)]).toEqual([
      429,
      { code: 'TooManyRequests', retryAfterSeconds: expect.stringMatching(/^\d+$/) },
    ]);
  });

  it('what is no request has a code', async () => {
    const text = await new Promise<string>((resolve, reject) => {
      let received = '';
      const socket = connect(Number(new URL(network.base).port), '127.0.0.1', () => socket.write('no request\r\n\r\n'));
      socket.on('data', (bytes) => (received += bytes.toString()));
      socket.on('end', () => resolve(received)).on('error', reject);
    });
    expect(text).toMatch(/^HTTP\/1\.1 400 /);
    expect(text).toMatch(/^x-error-code: MalformedRequest\r$/im);
  });

  it('pages of other origins may read the headers', async () => {
    const answer = await network.send('GET', '/nowhere', undefined, { origin: 'http://a.example' });
    const exposed = answer.headers.get('access-control-expose-headers')?.split(', ');
    expect(exposed).toEqual(expect.arrayContaining(Object.values(errorHeaders).map(({ name }) => name)));
  });
});

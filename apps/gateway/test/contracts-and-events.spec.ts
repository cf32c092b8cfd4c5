import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { parseAddress } from '@shardnode/protocol/address';
import { encode, hexToBytes } from '@shardnode/protocol/encoding';
import { valsCodec } from '@shardnode/protocol/script';
import { ServiceError } from '@shardnode/core/errors';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

const assetAddress = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';
/** Its id is 11...1100: group 0. */
const contract = 'uqa8vVAySDGA5nbt6c5WXYXXuBWPghtDx6C8aE3VFXDZ';
/** Its id ends in no group. */
const nowhere = 'uomjgUz6D4tLejTkQtbNJMY8apAjTm1bgQf7em1wDV7S';
const hash = 'ab'.repeat(32);

describe('while there are no contracts', () => {
  let network: FakeNetwork;
  let reference: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork();
    reference = await startFakeNetwork({ profile: 'reference' });
    Object.assign(network.groups, {
      'read.events.contract': ({ start }) => ({ events: [], nextStart: start }),
      'read.events.count': () => ({ count: 0 }),
      'read.events.transaction': () => ({ events: [] }),
      'read.events.block': () => ({ events: [] }),
    } satisfies typeof network.groups);
  });
  afterAll(async () => {
    await network.stop();
    await reference.stop();
  });
  const get = (path: string) => network.send('GET', path);

  it.each([
    [`/events/contract/${contract}?start=0`, { events: [], nextStart: 0 }],
    [`/events/contract/${nowhere}?start=7&limit=100&group=3`, { events: [], nextStart: 7 }],
    [`/events/contract/${contract}?start=2147483547&limit=1`, { events: [], nextStart: 2_147_483_547 }],
    [`/events/tx-id/${hash}`, { events: [] }],
    [`/events/tx-id/${hash}?group=2`, { events: [] }],
    [`/events/block-hash/${hash}`, { events: [] }],
  ])('%s is empty', async (path, body) => {
    expect((await get(path)).body).toEqual(body);
  });

  const range = (rule: string, given: string): string =>
    `Invalid value (expected value to pass validation: ${rule}, but got: CounterRange(${given}))`;
  it.each([
    ['start=-1', 'start must be from 0 to 2147483547, but is -1', range('`start` must not be negative', '-1,None')],
    ['start=0&limit=0', 'limit must be from 1 to 100, but is 0', range('`limit` must be larger than 0', '0,Some(0)')],
    [
      'start=0&limit=-1',
      'limit must be from 1 to 100, but is -1',
      range('`limit` must be larger than 0', '0,Some(-1)'),
    ],
    [
      'start=10&limit=101',
      'limit must be from 1 to 100, but is 101',
      range('`limit` must not be larger than 100', '10,Some(101)'),
    ],
    [
      'start=2147483548',
      'start must be from 0 to 2147483547, but is 2147483548',
      range('`start` must be smaller than 2147483547', '2147483548,None'),
    ],
  ])('a range of %s is refused, in the words of the profile', async (query, detail, documented) => {
    const path = `/events/contract/${contract}?${query}`;
    const answer = await get(path);
    expect([answer.status, answer.body]).toEqual([400, { detail }]);
    expect((await reference.send('GET', path)).body).toEqual({ detail: documented });
  });

  it.each([
    [`/events/contract/${contract}`, 'query parameter start'],
    [`/events/contract/${contract}?start=x`, 'query parameter start'],
    [`/events/contract/${contract}?start=0&group=4`, 'query parameter group'],
    [
      `/events/contract/${assetAddress}?start=0`,
      'path parameter contractAddress (Expect contract address, but was asset',
    ],
    [`/events/contract/xyz?start=0`, 'path parameter contractAddress'],
    [`/events/tx-id/xyz`, 'path parameter txId'],
    [`/events/block-hash/xyz`, 'path parameter blockHash'],
    [`/contracts/${assetAddress}/state`, 'path parameter address (Expect contract address, but was asset'],
    [`/contracts/xyz/state`, 'path parameter address'],
    [`/contracts/${contract}/state?group=9`, 'query parameter group'],
    [`/contracts/${contract}/state?group=1`, `Group mismatch: provided group is 1; group for ${contract} is 0`],
  ])('%s is refused by name', async (path, text) => {
    const answer = await get(path);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain(text);
  });

  it('nothing has been counted', async () => {
    for (const [address, why] of [
      [contract, ''],
      [nowhere, ': the last byte of its id is no group, expected 0 to 3'],
    ]) {
      const resource = `Current events count for contract ${address}`;
      const answer = await get(`/events/contract/${address}/current-count`);
      expect([answer.status, answer.body]).toEqual([
        404,
        { resource, detail: `No events of the contract ${address} are recorded${why}.` },
      ]);
    }
  });

  it('a request of another group has the group of the contract in a header, too', async () => {
    const state = await get(`/contracts/${contract}/state?group=1`);
    const call = { group: 1, address: contract, methodIndex: 0 };
    const called = await network.send('POST', '/contracts/call-contract', call);
    expect([state.status, called.status, called.body.type]).toEqual([400, 200, 'CallContractFailed']);
    for (const { headers } of [state, called]) expect(headers.get('x-contract-group')).toBe('0');
  });

  it.each([
    [contract, ' in group 0, which the last byte of its id names'],
    [nowhere, ': the last byte of its id is no group, expected 0 to 3'],
    ['tgx7VNFoP9DJiFMFgXXtafQZkUvyEdDHT9ryamHJYrjq', ' in group 0, which the last byte of its id names'],
  ])('%s has no state%s', async (address, why) => {
    const answer = await get(`/contracts/${address}/state?group=0`);
    expect(answer.status).toBe(404);
    expect(answer.body.detail).toBe(`There is no contract with the address ${address}${why}.`);
    expect(answer.headers.get('x-error-code')).toBe('ContractNotFound');
  });
});

describe('contracts', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork();
  });
  afterAll(() => network.stop());

  it('own what their output holds', async () => {
    const tokens = [{ id: hash, amount: '7' }];
    network.groups['read.contract.asset'] = () => ({
      reference: { hint: 826_989_740, key: hash },
      amount: '1000000000000000000',
      tokens,
    });
    expect((await network.send('GET', `/addresses/${contract}/group`)).body).toEqual({ group: 0 });
    expect((await network.send('GET', `/addresses/${contract}/balance`)).body).toEqual({
      balance: '1000000000000000000',
      balanceHint: '1 COIN',
      lockedBalance: '0',
      lockedBalanceHint: '0 COIN',
      tokenBalances: tokens,
      utxoNum: 1,
    });
    expect((await network.send('GET', `/addresses/${contract}/utxos`)).body).toEqual({
      utxos: [{ ref: { hint: 826_989_740, key: hash }, amount: '1000000000000000000', tokens }],
    });
  });

  it('have a state: code and hashes, fields of every type, and what they own', async () => {
    const initialStateHash = 'cd'.repeat(32);
    const asset = { amount: '1000000000000000001', tokens: [{ id: hash, amount: '7' }] };
    network.groups['read.contract.stored'] = ({ contractId }) => ({
      contractId,
      code: hexToBytes('0001080100000001020d02'),
      codeHash: hash,
      initialStateHash,
      immutableFields: encode(valsCodec, [
        { type: 'Bool', value: true },
        { type: 'I256', value: -5n },
        { type: 'Address', value: parseAddress(assetAddress)! },
      ]),
      mutableFields: encode(valsCodec, [
        { type: 'U256', value: 2n ** 256n - 1n },
        { type: 'ByteVec', value: hexToBytes('00ff') },
      ]),
      ...asset,
    });
    for (const query of ['', '?group=0']) {
      const { body } = await network.send('GET', `/contracts/${contract}/state${query}`);
      expect(body).toEqual({
        address: contract,
        bytecode: '0001080100000001020d02',
        codeHash: hash,
        initialStateHash,
        immFields: [
          { type: 'Bool', value: true },
          { type: 'I256', value: '-5' },
          { type: 'Address', value: assetAddress },
        ],
        mutFields: [
          { type: 'U256', value: (2n ** 256n - 1n).toString() },
          { type: 'ByteVec', value: '00ff' },
        ],
        asset: { attoCoinAmount: asset.amount, tokens: asset.tokens },
      });
    }
  });

  it('are tested without the lists of fields of a deployment', async () => {
    const bytecode = '0001080100000001020d02';
    const detailOf = async (code: string): Promise<string> =>
      (await network.send('POST', '/contracts/test-contract', { bytecode: code })).body.detail;
    expect(await detailOf(`${bytecode}0000`)).toBe(
      `Invalid value for: body (bytecode: expected a serialized contract, but its bytes do not decode: Too many bytes: expected 11, got 13; leave out the two lists of fields, which only a deployment has, and give them in their own fields, received "${bytecode}0000")`,
    );
    expect(await detailOf(`${bytecode}00`)).toMatch(/Too many bytes: expected 11, got 12, received/);
  });

  it('are refused with much code together before any of it is decoded', async () => {
    let tests = 0;
    network.groups['read.contract.test'] = () => {
      tests++;
      throw new ServiceError('refused', 'ContractTestFailed', 'asked');
    };
    const there = { address: contract, codeHash: hash, asset: { attoCoinAmount: '5' } };
    const test = async (bytecode: string, count: number): Promise<string> => {
      const existingContracts = Array.from({ length: count }, () => ({ ...there, bytecode }));
      const { body } = await network.send('POST', '/contracts/test-contract', {
        bytecode: '0001080100000001020d02',
        existingContracts,
      });
      return body.detail;
    };
    // Not hexadecimal: decoding it would say so.
    expect(await test('z'.repeat(131_072), 9)).toMatch(
      /existingContracts: have 1179648 digits of bytecode together, at most 1048576 are allowed: leave out contracts that the method does not call/,
    );
    expect(tests).toBe(0);
    expect(await test('0001080100000001020d02', 256)).toBe('asked');
  });

  it('a call that fails says why, in profile reference in the words that existing clients match', async () => {
    const missing = `${'ab'.repeat(31)}00`;
    const blockHash = 'cd'.repeat(32);
    const failures = [
      ['ContractNotFound', { contractId: missing }, `Failed in IO: KeyNotFound: Key ${missing} not found`],
      ['BlockNotFound', { blockHash }, `Failed in IO: KeyNotFound: Key ${blockHash} not found`],
      ['NoState', { blockHash }, `Invalid block hash Some(BlockHash(hex"${blockHash}"))`],
      [
        'InvalidMethodIndex',
        { methodIndex: 7, methods: 3 },
        'VM execution error: Invalid method index 7, method length: 3',
      ],
      [
        'InvalidArguments',
        { given: 2, expected: 1 },
        'The number of parameters is different from the number specified by the target method',
      ],
      ['ContractTestFailed', { messages: '> a\n', why: 'OutOfGas' }, '> a\nVM execution error: OutOfGas'],
      ['RunTooLong', {}, 'our own text 6'],
    ] as const;
    network.groups['read.contract.call'] = ({ calls }) => ({
      results: calls.map(({ methodIndex }) => {
        const [code, facts] = failures[methodIndex]!;
        return { type: 'CallContractFailed', error: `our own text ${methodIndex}`, code, facts };
      }),
    });
    const call = (methodIndex: number) => ({ group: 0, address: contract, methodIndex });
    const calls = [...failures.map((_, index) => call(index)), { ...call(0), group: 7 }];
    const errorsOf = async (gateway: Pick<FakeNetwork, 'send'>): Promise<string[]> => {
      const { body } = await gateway.send('POST', '/contracts/multicall-contract', { calls });
      return body.results.map(({ error }: { error: string }) => error);
    };
    expect(await errorsOf(network)).toEqual([
      ...failures.map((_, index) => `our own text ${index}`),
      'There is no group 7: expected 0 to 3',
    ]);
    const reference = await network.addGateway({ profile: 'reference' });
    expect(await errorsOf(reference)).toEqual([...failures.map(([, , text]) => text), 'Invalid group 7']);
  });

  it('are called by group, at most 20 at once, and answered in the order of the calls', async () => {
    const asked: [number, number][] = [];
    network.groups['read.contract.call'] = ({ calls }, group) => {
      asked.push([group, calls.length]);
      return {
        results: calls.map(({ methodIndex }) => ({ type: 'CallContractFailed', error: `method ${methodIndex}` })),
      };
    };
    const inGroup = { 0: contract, 2: '26BAMpZRXuqhpRdsXqJz63UcFFUhBjRvgSXAXVNu9ZVX7' };
    const call = (group: 0 | 2, methodIndex: number) => ({ group, address: inGroup[group], methodIndex });
    const calls = [call(2, 0), call(0, 1), { ...call(0, 2), group: 7 }, call(2, 3), { ...call(0, 4), group: 2 }];
    const { body } = await network.send('POST', '/contracts/multicall-contract', { calls });
    expect(body.results.map(({ error }: { error: string }) => error)).toEqual([
      'method 0',
      'method 1',
      'There is no group 7: expected 0 to 3',
      'method 3',
      `Group mismatch: provided group is 2; group for ${contract} is 0`,
    ]);
    expect(asked.sort()).toEqual([
      [0, 1],
      [2, 2],
    ]);
    const tooMany = await network.send('POST', '/contracts/multicall-contract', {
      calls: Array.from({ length: 21 }, () => call(0, 0)),
    });
    expect([tooMany.status, tooMany.body]).toEqual([
      400,
      { detail: 'A request makes at most 20 calls, got 21: make several requests' },
    ]);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { addressOf } from '@shardnode/protocol/address';
import { genesisBlock, type Block } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

const zeroContract = 'tgx7VNFoP9DJiFMFgXXtafQZkUvyEdDHT9ryamHJYrjq';
const otherContract = 'uomjgUz6D4tLejTkQtbNJMY8apAjTm1bgQf7em1wDV7S';
const address = '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF';
const unknownHash = 'aa'.repeat(32);

describe('blocks over HTTP', () => {
  const genesis = genesisBlock(developmentNetwork, { from: 2, to: 1 });
  const { hash } = genesis.header;
  const known: readonly Block[] = [genesis];
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork();
    const find = (wanted: string, group: number): Block => {
      const block = known.find(({ header }) => header.hash === wanted && header.chainIndex.from === group);
      if (!block) throw new ServiceError('not-found', 'BlockNotFound', 'not here');
      return block;
    };
    network.groups['read.chain.block'] = (request, group) => ({
      block: find(request.hash, group).raw,
      height: 0,
      isCanonical: true,
    });
    network.groups['read.chain.header'] = (request, group) => ({
      header: find(request.hash, group).header.raw,
      height: 0,
      isCanonical: true,
    });
    network.groups['read.chain.is-canonical'] = (request, group) => {
      find(request.hash, group);
      return { isCanonical: true };
    };
  });
  afterAll(() => network.stop());

  it('by hash come from the group of their chain, in the documented form', async () => {
    const { status, body } = await network.send('GET', `/blockflow/blocks/${hash.toUpperCase()}`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual([
      'hash',
      'timestamp',
      'chainFrom',
      'chainTo',
      'height',
      'deps',
      'transactions',
      'nonce',
      'version',
      'depStateHash',
      'txsHash',
      'target',
      'ghostUncles',
    ]);
    expect(body).toMatchObject({
      hash,
      timestamp: 1231006505000,
      chainFrom: 2,
      chainTo: 1,
      height: 0,
      ghostUncles: [],
    });
    expect([body.deps.length, body.nonce.length, body.target.length]).toEqual([7, 48, 8]);
    const withEvents = await network.send('GET', `/blockflow/blocks-with-events/${hash}`);
    expect(withEvents.body).toEqual({ block: body, events: [] });
    const header = await network.send('GET', `/blockflow/headers/${hash}`);
    const { timestamp, chainFrom, chainTo, height, deps } = body;
    expect(header.body).toEqual({ hash, timestamp, chainFrom, chainTo, height, deps });
    expect((await network.send('GET', `/blockflow/is-block-in-main-chain?blockHash=${hash}`)).text).toBe('true');
  });

  it.each([
    '/blockflow/blocks/',
    '/blockflow/blocks-with-events/',
    '/blockflow/headers/',
    '/blockflow/is-block-in-main-chain?blockHash=',
    '/blockflow/main-chain-block-by-ghost-uncle/',
  ])('%s of an unknown block is a 404', async (path) => {
    const { status, body } = await network.send('GET', `${path}${unknownHash}`);
    expect([status, body]).toEqual([
      404,
      {
        resource: `Block ${unknownHash}`,
        detail: `There is no block with the hash ${unknownHash} here.`,
      },
    ]);
  });

  it('no block has an uncle', async () => {
    const { status, body } = await network.send('GET', `/blockflow/main-chain-block-by-ghost-uncle/${hash}`);
    expect(status).toBe(400);
    expect(body.detail).toBe(`The block ${hash} is of the main chain: it is no uncle of another block.`);
  });

  it('of an interval come as 16 lists, merged from all groups', async () => {
    const asked: unknown[] = [];
    network.groups['read.chain.blocks'] = (request, group) => {
      asked.push(request);
      return {
        chains: [3, 2, 1, 0].map((to) => ({
          from: group,
          to,
          blocks: group === 2 && to === 1 ? [{ block: genesis.raw, height: 0 }] : [],
        })),
      };
    };
    const { body } = await network.send('GET', '/blockflow/blocks?fromTs=1600000000000&toTs=1600001800000');
    expect(body.blocks.map((blocks: unknown[]) => blocks.length)).toEqual([
      0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0,
    ]);
    expect(body.blocks[9][0].hash).toBe(hash);
    const withEvents = await network.send(
      'GET',
      '/blockflow/blocks-with-events?fromTs=1600000000000&toTs=1600001800000',
    );
    expect(withEvents.body.blocksAndEvents[9]).toEqual([{ block: body.blocks[9][0], events: [] }]);
    const interval = { fromTs: 1_600_000_000_000, toTs: 1_600_001_800_000, maxBytes: 32_768 };
    expect(asked).toEqual([...Array(4).fill(interval), ...Array(4).fill({ ...interval, withEvents: true })]);
    const before = Date.now();
    await network.send('GET', `/blockflow/blocks?fromTs=${before - 1000}`);
    expect((asked.at(-1) as { toTs: number }).toTs).toBeGreaterThanOrEqual(before);
  });

  it('of a chain are followed by height', async () => {
    network.groups['read.chain.info'] = ({ from, to }, group) => ({ currentHeight: 100 * group + 10 * from + to });
    network.groups['read.chain.hashes'] = ({ height }) => ({ hashes: height === 0 ? [hash, unknownHash] : [] });
    expect((await network.send('GET', '/blockflow/chain-info?fromGroup=3&toGroup=2')).text).toBe(
      '{"currentHeight":332}',
    );
    const hashes = (height: number) => network.send('GET', `/blockflow/hashes?fromGroup=2&toGroup=1&height=${height}`);
    expect((await hashes(0)).body).toEqual({ headers: [hash, unknownHash] });
    expect((await hashes(-1)).text).toBe('{"headers":[]}');
  });

  it('keep their limits: a timestamp above 2^53 is a text', async () => {
    const late = {
      lockTime: '4385002872679507624',
      hint: 1,
      key: unknownHash,
      amount: '1',
      tokens: [],
      additionalData: '',
    };
    network.groups['read.address.utxos'] = () => ({ utxos: [late, { ...late, lockTime: '5' }] });
    const { text } = await network.send('GET', `/addresses/${address}/utxos`);
    expect(text).toContain('"lockTime":"4385002872679507624"');
    expect(text).toContain('"lockTime":5');
  });
});

describe('addresses over HTTP', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ brand: { coinName: 'Shell', coinSymbol: 'SHL' } });
  });
  afterAll(() => network.stop());
  const get = (path: string) => network.send('GET', `/addresses/${path}`);

  it('know their group', async () => {
    expect((await get(`${address}/group`)).text).toBe('{"group":1}');
    expect((await get(`${zeroContract}/group`)).text).toBe('{"group":0}');
    const unknown = await get(`${otherContract}/group`);
    const detail = `There is no contract with the address ${otherContract}: the last byte of its id is no group, expected 0 to 3.`;
    const resource = `Contract ${otherContract}`;
    expect([unknown.status, unknown.text]).toEqual([404, JSON.stringify({ resource, detail })]);
  });

  it.each(['balance', 'utxos'])('have no %s when they are of contracts that are not there', async (what) => {
    const inGroup2 = addressOf({ kind: 'p2c', contractId: `${unknownHash.slice(2)}02` });
    const unknown = await get(`${inGroup2}/${what}`);
    const resource = `Contract ${inGroup2}`;
    const missing = `There is no contract with the address ${inGroup2} in group 2, which the last byte of its id names.`;
    expect([unknown.status, unknown.body]).toEqual([404, { resource, detail: missing }]);
    const inNoGroup = await get(`${otherContract}/${what}`);
    expect([inNoGroup.status, inNoGroup.headers.get('x-error-field')]).toEqual([400, 'address']);
    const detail = `The last byte of the id of contract ${otherContract} is no group: expected 0 to 3`;
    expect(inNoGroup.body).toEqual({ detail });
  });

  it('have a balance, with hints of the brand and tokens where there are any', async () => {
    const token = { id: unknownHash, amount: '7' };
    const asked: unknown[] = [];
    network.groups['read.address.balance'] = (request, group) => {
      asked.push([group, request.mempool]);
      return {
        balance: '1500000000000000000',
        lockedBalance: '1',
        tokenBalances: request.mempool ? [token] : [],
        lockedTokenBalances: [],
        utxoNum: 6_000,
      };
    };
    expect((await get(`${address}/balance`)).text).toBe(
      `{"balance":"1500000000000000000","balanceHint":"1.5 SHL","lockedBalance":"1","lockedBalanceHint":"1E-18 SHL","tokenBalances":[{"id":"${unknownHash}","amount":"7"}],"utxoNum":6000}`,
    );
    expect((await get(`${address}/balance?mempool=False`)).body.tokenBalances).toBeUndefined();
    expect(asked).toEqual([
      [1, true],
      [1, false],
    ]);
  });

  it('of contracts: only the one of id zero is there', async () => {
    expect((await get(`${zeroContract}/balance`)).body).toEqual({
      balance: '1',
      balanceHint: '1E-18 SHL',
      lockedBalance: '0',
      lockedBalanceHint: '0 SHL',
      utxoNum: 1,
    });
    expect((await get(`${zeroContract}/utxos`)).body).toEqual({
      utxos: [{ ref: { hint: 0, key: '0'.repeat(64) }, amount: '1' }],
    });
  });

  it('list their outputs, all or by page', async () => {
    const pages: unknown[] = [];
    network.groups['read.address.utxos'] = ({ offset = 0, limit = 30_000 }) => {
      pages.push([offset, limit]);
      return {
        utxos: Array.from({ length: Math.min(limit, 30_000 - offset) }, (_, index) => ({
          hint: offset + index,
          key: unknownHash,
          amount: '5',
          tokens: [],
          lockTime: '0',
          additionalData: '',
        })),
      };
    };
    const all = await get(`${address}/utxos`);
    expect([all.body.utxos.length, all.body.warning]).toEqual([30_000, undefined]);
    expect(all.body.utxos[29_999]).toEqual({
      ref: { hint: 29_999, key: unknownHash },
      amount: '5',
      lockTime: 0,
      additionalData: '',
    });
    const page = await get(`${address}/utxos?offset=10&limit=2`);
    expect(page.body.utxos.map(({ ref }: { ref: { hint: number } }) => ref.hint)).toEqual([10, 11]);
    expect(page.body.warning).toBe('Result might not contains all utxos');
    expect((await get(`${address}/utxos?offset=29999&limit=2`)).body.warning).toBeUndefined();
    expect(pages).toEqual([
      [0, 30_000],
      [10, 2],
      [29_999, 2],
    ]);
  });

  it("carry the coin's name in fields and texts", async () => {
    network.groups['read.building.transfer'] = () => {
      throw new ServiceError('refused', 'X', 'Not enough {COIN} for {COIN}, {Coin}, due to InvalidCoinBalance: 00');
    };
    const build = (destination: object) =>
      network.send('POST', '/transactions/build', {
        fromPublicKey: '0381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b0',
        destinations: [{ address, ...destination }],
      });
    expect((await build({ attoShellAmount: '1 SHL' })).body.detail).toBe(
      'Not enough SHL for SHL, Shell, due to InvalidShellBalance: 00',
    );
    expect((await build({})).body.detail).toContain('missing keys in dictionary: attoShellAmount');
    expect((await build({ attoCoinAmount: '1' })).body.detail).toContain('send it as attoShellAmount');
    expect((await build({ attoShellAmount: '1 COIN' })).body.detail).toContain('"<decimal> SHL"');
    const description = await network.send('GET', '/docs/openapi.json');
    expect(description.text).toContain('attoShellAmount');
    expect(description.text).not.toMatch(/attoCoin|COIN/);
  });
});

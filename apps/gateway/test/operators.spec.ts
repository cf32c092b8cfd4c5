import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { scriptHex } from '@shardnode/http';
import { parseAddress } from '@shardnode/protocol/address';
import { decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { transactionTemplateCodec, unsignedTransactionCodec } from '@shardnode/protocol/transaction';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

/** A transfer of the first genesis allocation from group 0 to group 1 on the development network. */
const unsigned = decode(
  unsignedTransactionCodec,
  hexToBytes(
    '00040080004e20c1174876e8000137a444479fa782e8b88d4f95e28b3b2417e5bc30d33a5ae8486d4a8885b82b224259c1e6000381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b002c40de0b6b3a7640000003388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c00000000000000000000c6d3c20de6fb3cb00f000000bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a00000000000000000000',
  ),
);
const txId = '3bc965b60d4c9daf20a6c0ad0dfffd1ae1cf1ec95cc623222b95f2a5e73c6af8';
const signature =
  '0e6f0e113692e59a6aebdae933ad515699fc9d8e1141e45757bc142f9fc111db1d56cb526fe46895e558fc1514df57628aa6ee6a7d64bd5bae1888d19f10e817';
const template = encode(transactionTemplateCodec, {
  unsigned,
  inputSignatures: [hexToBytes(signature)],
  scriptSignatures: [],
});
/** One of each group. */
const addresses = [
  '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH',
  '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF',
  '15jjExDyS8q3Wqk9v29PCQ21jDqubDrD8WQdgn6VW2oi4',
  '17cBiTcWhung3WDLuc9ja5Y7BMus5Q7CD9wYBxS1r1P2R',
];
const scripts = addresses.map((address) => scriptHex(parseAddress(address)!));

describe('endpoints of operators', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork();
  });
  afterAll(() => network.stop());
  afterEach(() => {
    for (const name of Object.keys(network.groups)) {
      if (name !== 'read.node.status') delete network.groups[name as keyof typeof network.groups];
    }
  });

  /** The groups that were asked, and what. */
  const asked: [number, unknown][] = [];
  const note =
    <Reply>(reply: Reply) =>
    (request: unknown, group: number): Reply => {
      asked.push([group, request]);
      return reply;
    };
  const askedGroups = () => asked.splice(0).sort(([a], [b]) => a - b);
  const empty = { status: 200, text: '' };

  describe('the mempool', () => {
    const path = '/mempool/transactions';

    it('is listed by chain, page by page, in the order of each group', async () => {
      const waiting = [
        [
          { from: 0, to: 2, template },
          { from: 0, to: 1, template },
          { from: 0, to: 2, template },
        ],
        [],
        [{ from: 2, to: 0, template }],
        [],
      ];
      network.groups['read.mempool.list'] = ({ offset = 0 }, group) => ({
        transactions: waiting[group]!.slice(offset, offset + 2),
        total: waiting[group]!.length,
      });
      const { status, body } = await network.send('GET', path);
      expect(status).toBe(200);
      const chains = body as { fromGroup: number; toGroup: number; transactions: object[] }[];
      expect(chains.map(({ fromGroup, toGroup, transactions }) => [fromGroup, toGroup, transactions.length])).toEqual([
        [0, 1, 1],
        [0, 2, 2],
        [2, 0, 1],
      ]);
      expect(chains[0]!.transactions[0]).toMatchObject({
        unsigned: { txId, gasAmount: 20_000, gasPrice: '100000000000', fixedOutputs: [{ lockTime: 0 }, {}] },
        inputSignatures: [signature],
        scriptSignatures: [],
      });
    });

    it('is empty, and ends when what was counted has left meanwhile', async () => {
      network.groups['read.mempool.list'] = ({ offset = 0 }, group) => ({
        transactions: group === 3 && offset === 0 ? [{ from: 3, to: 3, template }] : [],
        total: group === 3 ? 5 : 0,
      });
      expect((await network.send('GET', path)).body).toMatchObject([{ fromGroup: 3, toGroup: 3, transactions: [{}] }]);
      network.groups['read.mempool.list'] = () => ({ transactions: [], total: 0 });
      expect((await network.send('GET', path)).text).toBe('[]');
    });

    it('is validated and cleared in all groups', async () => {
      network.groups['command.mempool.validate'] = note({ removed: 1 });
      network.groups['command.mempool.clear'] = note({ removed: 1 });
      const everywhere = [0, 1, 2, 3].map((group) => [group, {}]);
      expect(await network.send('PUT', `${path}/validate`)).toMatchObject(empty);
      expect(askedGroups()).toEqual(everywhere);
      expect(await network.send('DELETE', path)).toMatchObject(empty);
      expect(askedGroups()).toEqual(everywhere);
    });

    it('a transaction is announced by the group that has it; one that nobody has is not found', async () => {
      network.groups['command.mempool.rebroadcast'] = (request, group) => {
        if (group === 2 && request.txId === txId) return {};
        throw new ServiceError('not-found', 'TransactionNotFound', 'not here');
      };
      expect(await network.send('PUT', `${path}/rebroadcast?txId=${txId}`)).toMatchObject(empty);
      const unknown = 'aa'.repeat(32);
      const resource = `TxId: ${unknown}`;
      const detail = `Transaction ${unknown} does not wait in the mempool. Its status tells whether it is mined.`;
      const missing = await network.send('PUT', `${path}/rebroadcast?txId=${unknown}`);
      expect([missing.status, missing.body]).toEqual([404, { resource, detail }]);
      for (const query of ['', '?txId=zz']) {
        const { status, body } = await network.send('PUT', `${path}/rebroadcast${query}`);
        expect([status, body.detail]).toEqual([400, expect.stringContaining('query parameter txId')]);
      }
    });
  });

  describe('miners', () => {
    it('start and stop in all groups; another action is refused', async () => {
      network.groups['command.mining.start'] = note({});
      network.groups['command.mining.stop'] = note({});
      for (const action of ['start-mining', 'stop-mining']) {
        const answer = await network.send('POST', `/miners/cpu-mining?action=${action}`);
        expect([answer.status, answer.text, askedGroups().length]).toEqual([200, 'true', 4]);
      }
      const wrong = await network.send('POST', '/miners/cpu-mining?action=dig');
      expect([wrong.status, wrong.body.detail]).toEqual([400, expect.stringContaining('Invalid miner action: dig')]);
      expect((await network.send('POST', '/miners/cpu-mining')).status).toBe(400);
      expect(asked).toEqual([]);
    });

    it('addresses are told, and set in all groups', async () => {
      network.groups['read.mining.addresses'] = () => ({ lockupScripts: scripts });
      network.groups['command.mining.set-addresses'] = note({});
      expect((await network.send('GET', '/miners/addresses')).body).toEqual({ addresses });
      expect(await network.send('PUT', '/miners/addresses', { addresses })).toMatchObject(empty);
      expect(askedGroups()).toEqual([0, 1, 2, 3].map((group) => [group, { lockupScripts: scripts }]));
      network.groups['read.mining.addresses'] = () => ({ lockupScripts: [] });
      const none = await network.send('GET', '/miners/addresses');
      expect([none.status, none.body]).toEqual([
        500,
        { detail: 'No miner addresses are set: nobody would be paid for blocks. Set one for each group.' },
      ]);
    });

    it.each([
      [
        'too few',
        addresses.slice(0, 1),
        '1 addresses are given, but one for each of the 4 groups is needed, in order.',
      ],
      ['none', [], '0 addresses are given, but one for each of the 4 groups is needed, in order.'],
      [
        'one of another group',
        [addresses[0], addresses[2], addresses[1], addresses[3]],
        'addresses[1] is of group 2: an address of group 1 is needed there.',
      ],
    ])('addresses are refused before anybody is asked: %s', async (_name, wrong, detail) => {
      network.groups['command.mining.set-addresses'] = note({});
      const answer = await network.send('PUT', '/miners/addresses', { addresses: wrong });
      expect([answer.status, answer.body, answer.headers.get('x-error-code')]).toEqual([
        400,
        { detail },
        'InvalidMinerAddresses',
      ]);
      expect(asked).toEqual([]);
    });

    it.each([['x'], ['tgx7VNFoP9DJiFMFgXXtafQZkUvyEdDHT9ryamHJYrjq']])(
      'an address that is none, or a contract, is named: %s',
      async (address) => {
        const answer = await network.send('PUT', '/miners/addresses', { addresses: [address, ...addresses.slice(1)] });
        expect([answer.status, answer.body.detail]).toEqual([400, expect.stringContaining('addresses[0]')]);
      },
    );

    it('a group that is away is a 503 that names it', async () => {
      network.groups['command.mining.set-addresses'] = () => ({});
      await network.stopGroup(2);
      const answer = await network.send('PUT', '/miners/addresses', { addresses });
      await network.startGroup(2);
      expect([answer.status, answer.body.detail]).toEqual([503, expect.stringMatching(/group(-node)? ?-?2/)]);
    });
  });

  it('the height index is checked by all groups', async () => {
    network.groups['command.chain.check-index'] = note({ started: true });
    expect(await network.send('PUT', '/utils/check-hash-indexing')).toMatchObject(empty);
    expect(askedGroups()).toHaveLength(4);
  });
});

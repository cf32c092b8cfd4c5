import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { brandedField, brandedFields, namesOfProfile } from '@shardnode/http';
import { type FakeNetwork, startFakeNetwork } from './fakes/fake-network.js';

const txId = 'ab'.repeat(32);
const fromPublicKey = '0381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b0';
const receiver = '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF';
/** Its id ends in group 0. */
const contract = 'uqa8vVAySDGA5nbt6c5WXYXXuBWPghtDx6C8aE3VFXDZ';
const code = '0001080100000001020d02';
const unsignedTx =
  '00040080004e20c1174876e8000137a444479fa782e8b88d4f95e28b3b2417e5bc30d33a5ae8486d4a8885b82b224259c1e6000381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b002c40de0b6b3a7640000003388bf9e9f790f1b598910e40c96d3def81465a66b30477b6650ec9ba28b590c00000000000000000000c6d3c20de6fb3cb00f000000bee85f379545a2ed9f6cceb331288842f378cf0f04012ad4ac8824aae7d6f80a00000000000000000000';

/** As services write texts, and as clients of this brand read them. */
const neutral = 'TxScriptExeFailed(got: 0.5 {coin}, you need to transfer more {COIN}) after InvalidCoinBalance';
const branded = 'TxScriptExeFailed(got: 0.5 shl, you need to transfer more SHL) after InvalidShellBalance';

describe('texts of other services are those of the brand', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork({ brand: { coinName: 'Shell', coinSymbol: 'SHL' } });
  });
  afterAll(() => network.stop());

  const refuses = (kind: 'refused' | 'invalid-request') => (): never => {
    throw new ServiceError(kind, 'TxScriptExeFailed', neutral);
  };
  const call = { group: 0, address: contract, methodIndex: 0 };
  const signature = '00'.repeat(64);

  it.each([
    [
      'read.building.transfer',
      '/transactions/build',
      { fromPublicKey, destinations: [{ address: receiver, attoShellAmount: '1 SHL' }] },
    ],
    ['read.building.execute-script', '/contracts/unsigned-tx/execute-script', { fromPublicKey, bytecode: code }],
    ['read.building.deploy-contract', '/contracts/unsigned-tx/deploy-contract', { fromPublicKey, bytecode: code }],
    ['command.mempool.submit', '/transactions/submit', { unsignedTx, signature }],
    ['read.contract.test', '/contracts/test-contract', { bytecode: code }],
    ['read.contract.call', '/contracts/call-contract', call],
    ['read.contract.call', '/contracts/multicall-contract', { calls: [call] }],
  ] as const)('refusals by %s at %s', async (request, path, body) => {
    for (const kind of ['refused', 'invalid-request'] as const) {
      network.groups[request] = refuses(kind);
      const answer = await network.send('POST', path, body);
      expect([answer.status, answer.body]).toEqual([400, { detail: branded }]);
    }
  });

  it('calls that fail', async () => {
    network.groups['read.contract.call'] = ({ calls }) => ({
      results: calls.map(() => ({ type: 'CallContractFailed', error: neutral })),
    });
    const failed = { type: 'CallContractFailed', error: branded };
    expect((await network.send('POST', '/contracts/call-contract', call)).body).toEqual(failed);
    const several = await network.send('POST', '/contracts/multicall-contract', { calls: [call, call] });
    expect(several.body).toEqual({ results: [failed, failed] });
  });

  it.each(['', '&fromGroup=0&toGroup=0'])('why a transaction was dropped%s', async (chain) => {
    network.groups['read.transaction.status'] = () => ({
      type: 'TxNotFound',
      reason: { code: 'TxScriptExeFailed', detail: neutral },
    });
    const { body } = await network.send('GET', `/transactions/status?txId=${txId}${chain}`);
    expect(body).toMatchObject({ type: 'TxNotFound', reason: { code: 'TxScriptExeFailed', detail: branded } });
  });
});

describe('names of existing client libraries', () => {
  const theirs = namesOfProfile.reference;
  const [amount, initial, most] = brandedFields.map((name) => brandedField(name, theirs));
  const advice = (sent: string, own: string): string =>
    `received as ${sent}, its name in existing client libraries: send it as ${own}, or start the node with API_PROFILE=reference (npm start -- --reference), the profile for those libraries`;
  const deployment = { fromPublicKey, bytecode: code, [initial!]: '2' };
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork();
  });
  afterAll(() => network.stop());

  it.each<[string, object, field: string, detail: string]>([
    [
      '/transactions/build',
      {
        fromPublicKey,
        destinations: [
          { address: receiver, amount: '1' },
          { address: receiver, [amount!]: '1' },
        ],
      },
      'destinations[1].attoCoinAmount',
      advice(amount!, 'attoCoinAmount'),
    ],
    // Optional ones would be left out in silence.
    [
      '/contracts/unsigned-tx/execute-script',
      { fromPublicKey, bytecode: code, [amount!]: '5' },
      'attoCoinAmount',
      advice(amount!, 'attoCoinAmount'),
    ],
    [
      '/contracts/unsigned-tx/deploy-contract',
      deployment,
      'initialAttoCoinAmount',
      advice(initial!, 'initialAttoCoinAmount'),
    ],
    [
      '/transactions/sweep-address/build',
      { fromPublicKey, toAddress: receiver, [most!]: '5' },
      'maxAttoCoinPerUTXO',
      advice(most!, 'maxAttoCoinPerUTXO'),
    ],
    [
      '/contracts/test-contract',
      { bytecode: code, initialAsset: { [amount!]: '5' } },
      'initialAsset.attoCoinAmount',
      advice(amount!, 'attoCoinAmount'),
    ],
    [
      '/wallets/shop/transfer',
      { destinations: [{ address: receiver, [amount!]: '1' }] },
      'destinations[0].attoCoinAmount',
      advice(amount!, 'attoCoinAmount'),
    ],
  ])('%s says what came and what to send, or which profile to start', async (path, body, field, detail) => {
    const { status, body: answer, headers } = await network.send('POST', path, body);
    expect([status, answer]).toEqual([400, { detail: `Invalid value for: body (${field}: ${detail})` }]);
    expect([headers.get('x-error-code'), headers.get('x-error-field')]).toEqual(['InvalidRequest', field]);
  });

  it.each([{ coinName: 'Shell', coinSymbol: 'SHL' }, theirs])(
    'and those of these documents are refused where the coin has another name: %j',
    async (brand) => {
      const gateway = await network.addGateway({ brand });
      const script = { fromPublicKey, bytecode: code, attoCoinAmount: '5' };
      const { status, body, headers } = await gateway.send('POST', '/contracts/unsigned-tx/execute-script', script);
      const own = brandedField('attoCoinAmount', brand);
      const detail = `Invalid value for: body (${own}: received with Coin in its name, which is ${brand.coinName} here: send it as ${own})`;
      expect([status, body, headers.get('x-error-field')]).toEqual([400, { detail }, own]);
      await gateway.stop();
    },
  );

  it('are not searched for below names that no field of the API has', async () => {
    const [deep, deeper] = ['a'.repeat(200), 'a'.repeat(201)];
    const detailOf = async (name: string): Promise<string> =>
      (await network.send('POST', '/multisig/address', { [name]: { [amount!]: '1' } })).body.detail;
    expect(await detailOf(deep)).toBe(
      `Invalid value for: body (${deep}.attoCoinAmount: ${advice(amount!, 'attoCoinAmount')})`,
    );
    expect(await detailOf(deeper)).not.toContain(deep);
  });

  it('are names of the API in profile reference, and of a coin of that name', async () => {
    network.groups['read.building.deploy-contract'] = ({ initialAmount }) => {
      throw new ServiceError('refused', 'DepositTooSmall', `got ${initialAmount}`);
    };
    const gateway = await network.addGateway({ brand: theirs });
    const { body } = await gateway.send('POST', '/contracts/unsigned-tx/deploy-contract', deployment);
    expect(body).toEqual({ detail: 'got 2' });
    await gateway.stop();
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

const key = '0381818e63bd9e35a5489b52a430accefc608fd60aa2c7c0d1b393b5239aedf6b0';
const address = '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF';
const contract = 'tgx7VNFoP9DJiFMFgXXtafQZkUvyEdDHT9ryamHJYrjq';
const multisig =
  'X3RMnvb8h3RFrrbBraEouAWU9Ufu4s2WTXUQfLCvDtcmqCWRwkVLc69q2NnwYW2EMwg4QBN2UopkEmYLLLgHP9TQ38FK15RnhhEwguRyY6qCuAoRfyjHRnqYnTvfypPgD7w1ku';
const hash = 'ab'.repeat(32);
const signature = '11'.repeat(64);
const destination = { address, attoCoinAmount: '1 COIN' };
const token = { id: hash, amount: '5' };

/** A body that fits, and its fields with values that do not. `whole` replaces the field's path. */
interface BodyTable {
  readonly method: string;
  readonly path: string;
  readonly good: Record<string, unknown>;
  readonly wrong: Record<string, readonly unknown[]>;
  readonly required: readonly string[];
}

const notTexts = [1, true, {}, [], null];
const notHashes = ['xyz', 'abc', hash.slice(2), `${hash}00`, `0x${hash.slice(2)}`, ...notTexts];
const notIntegers = ['x', '1.0', '', 1.5, -1, 4294967296, 2 ** 60, true, {}, []];
const notAmounts = [
  '1.5',
  '1e18',
  '-1',
  '',
  ' 1 COIN',
  '1 coin',
  `1${'0'.repeat(78)}`,
  '0x10',
  -1,
  2 ** 53,
  true,
  {},
  [],
];
const notU256 = ['1 COIN', '-1', '', '1.5', `1${'0'.repeat(78)}`, -1, 2 ** 53, true, {}, []];
const notKeys = ['zz', key.slice(2), `${key}00`, ...notTexts];
const notSignatures = ['00', 'zz', `${signature}00`, ...notTexts];
const notAssetAddresses = ['', 'xyz', address.slice(1), `${address}0`, contract, 1, null, {}, []];
const notTimes = [-1, 'x', 1.5, '9223372036854775808', true, {}];
const notLists = ['x', 1, {}, true, null];

const destinationFields = {
  destinations: notLists,
  'destinations.0.address': notAssetAddresses,
  'destinations.0.attoCoinAmount': notAmounts,
  'destinations.0.lockTime': notTimes,
  'destinations.0.message': ['hello', 'abc', 1, {}],
  'destinations.0.tokens': ['x', 1, {}],
  'destinations.0.tokens.0.id': notHashes,
  'destinations.0.tokens.0.amount': notU256,
};
const withToken = [{ ...destination, tokens: [token] }];

const sweepFields = {
  toAddress: notAssetAddresses,
  maxAttoCoinPerUTXO: notAmounts,
  lockTime: notTimes,
  gasAmount: notIntegers,
  gasPrice: notU256,
};

const code = '0001080100000001020d02';
const one = { type: 'U256', value: '1' };
const notContracts = ['', 'xyz', contract.slice(1), address, 1, {}, []];
const notCode = ['', 'xyz', 'abc', '00', `${code}00`, code.slice(2), 1, true, {}, []];
/** Objects, so that the whole value is told apart; null is no value. */
const notValues = [
  { type: 'u256', value: '1' },
  { type: '__proto__', value: '1' },
  { type: 'constructor', value: '1' },
  { type: 'U256' },
  { type: 'U256', value: null },
  { type: 'U256', value: '-1' },
  { type: 'U256', value: 1e80 },
  { type: 'U256', value: 2 ** 53 },
  { type: 'U256', value: (2n ** 256n).toString() },
  { type: 'I256', value: (2n ** 255n).toString() },
  { type: 'I256', value: (-(2n ** 255n) - 1n).toString() },
  { type: 'I256', value: '--1' },
  { type: 'I256', value: 2 ** 53 },
  { type: 'Bool', value: 'yes' },
  { type: 'ByteVec', value: 'abc' },
  { type: 'ByteVec', value: '0x00' },
  { type: 'Address', value: 'xyz' },
  { type: 'Array', value: one },
  { type: 'Array', value: [one, { type: 'Array', value: [{}] }] },
  {},
  [],
  1,
  true,
  null,
];
const notValueLists = [{}, 1, true, Array.from({ length: 1_025 }, () => one)];
const valueFields = (...names: readonly string[]) =>
  Object.fromEntries(
    names.flatMap((name): [string, readonly unknown[]][] => [
      [name, notValueLists],
      [`${name}.0`, notValues],
    ]),
  );
const asset = { attoCoinAmount: '5', tokens: [token] };
const assetFields = (name: string) => ({
  [name]: [1, true, 'x'],
  [`${name}.attoCoinAmount`]: notU256,
  [`${name}.tokens`]: ['x', 1, {}],
  [`${name}.tokens.0.id`]: notHashes,
  [`${name}.tokens.0.amount`]: notU256,
});
const inputAssetFields = {
  inputAssets: ['x', 1, {}, Array.from({ length: 257 }, () => ({ address, asset }))],
  'inputAssets.0.address': notAssetAddresses,
  ...assetFields('inputAssets.0.asset'),
};
const runFields = {
  ...valueFields('args'),
  ...inputAssetFields,
  txId: notHashes.filter((value) => value !== null),
  callerAddress: notContracts,
};
const run = { args: [one], inputAssets: [{ address, asset }], txId: hash, callerAddress: contract };
const there = { address: contract, bytecode: code, codeHash: hash, immFields: [one], mutFields: [one], asset };
const call = { group: 0, address: contract, methodIndex: 0, existingContracts: [contract], ...run };
const notMethods = ['x', '', 1.5, 2 ** 31, true, {}, []];
const callFields = {
  group: notMethods,
  address: notContracts,
  methodIndex: notMethods,
  worldStateBlockHash: notHashes.filter((value) => value !== null),
  existingContracts: ['x', 1, {}, Array.from({ length: 257 }, () => contract)],
  'existingContracts.0': notContracts,
  ...runFields,
};
const notHex = ['xyz', 'abc', '0x00', ...notTexts];
const builtFields = {
  fromPublicKey: ['zz', 'abc', ...notTexts],
  fromPublicKeyType: ['rsa', 1, {}],
  bytecode: notHex,
  gasAmount: notIntegers,
  gasPrice: notU256,
  targetBlockHash: ['xyz', 'aa', 1],
};

const bodies: BodyTable[] = [
  {
    method: 'POST',
    path: '/contracts/test-contract',
    good: {
      bytecode: code,
      group: 0,
      methodIndex: 0,
      initialImmFields: [one],
      initialMutFields: [one],
      initialAsset: asset,
      existingContracts: [there],
      blockHash: hash,
      blockTimeStamp: 1,
      address: contract,
      ...run,
    },
    wrong: {
      bytecode: notCode,
      group: notMethods,
      methodIndex: notMethods,
      ...valueFields('initialImmFields', 'initialMutFields'),
      ...assetFields('initialAsset'),
      existingContracts: ['x', 1, {}, Array.from({ length: 257 }, () => there)],
      'existingContracts.0.address': notContracts,
      'existingContracts.0.bytecode': notCode,
      'existingContracts.0.codeHash': notHashes,
      ...valueFields('existingContracts.0.immFields', 'existingContracts.0.mutFields'),
      ...assetFields('existingContracts.0.asset'),
      blockHash: notHashes.filter((value) => value !== null),
      blockTimeStamp: notTimes,
      address: notContracts,
      ...runFields,
    },
    required: ['bytecode'],
  },
  {
    method: 'POST',
    path: '/contracts/call-contract',
    good: call,
    wrong: callFields,
    required: ['group', 'address', 'methodIndex'],
  },
  {
    method: 'POST',
    path: '/contracts/multicall-contract',
    good: { calls: [call] },
    wrong: {
      calls: ['x', 1, {}, Array.from({ length: 257 }, () => call)],
      ...Object.fromEntries(Object.entries(callFields).map(([name, values]) => [`calls.0.${name}`, values])),
    },
    required: [],
  },
  {
    method: 'POST',
    path: '/contracts/unsigned-tx/execute-script',
    good: { fromPublicKey: key, bytecode: '0101030000000303117b', attoCoinAmount: '5', tokens: [token] },
    wrong: {
      ...builtFields,
      attoCoinAmount: notAmounts,
      tokens: ['x', 1, {}],
      'tokens.0.id': notHashes,
      'tokens.0.amount': notU256,
    },
    required: ['fromPublicKey', 'bytecode'],
  },
  {
    method: 'POST',
    path: '/contracts/unsigned-tx/deploy-contract',
    good: {
      fromPublicKey: key,
      bytecode: `${code}0000`,
      initialAttoCoinAmount: '5',
      initialTokenAmounts: [token],
      issueTokenAmount: '5',
      issueTokenTo: address,
    },
    wrong: {
      ...builtFields,
      initialAttoCoinAmount: notAmounts,
      initialTokenAmounts: ['x', 1, {}],
      'initialTokenAmounts.0.id': notHashes,
      'initialTokenAmounts.0.amount': notU256,
      issueTokenAmount: notAmounts,
      issueTokenTo: notAssetAddresses.filter((value) => value !== null),
    },
    required: ['fromPublicKey', 'bytecode'],
  },
  {
    method: 'POST',
    path: '/transactions/build',
    good: { fromPublicKey: key, destinations: withToken, utxos: [{ hint: 1, key: hash }] },
    wrong: {
      fromPublicKey: ['zz', 'abc', ...notTexts],
      fromPublicKeyType: ['rsa', 1, {}],
      ...destinationFields,
      utxos: ['x', 1, {}],
      'utxos.0.hint': ['x', 1.5, 2 ** 31, null, {}],
      'utxos.0.key': notHashes,
      gasAmount: notIntegers,
      gasPrice: notU256,
      targetBlockHash: ['xyz', 'aa', 1],
    },
    required: ['fromPublicKey', 'destinations'],
  },
  {
    method: 'POST',
    path: '/transactions/submit',
    good: { unsignedTx: '00', signature },
    wrong: { unsignedTx: notTexts, signature: notSignatures },
    required: ['unsignedTx', 'signature'],
  },
  {
    method: 'POST',
    path: '/transactions/decode-unsigned-tx',
    good: { unsignedTx: '00' },
    wrong: { unsignedTx: notTexts },
    required: ['unsignedTx'],
  },
  {
    method: 'POST',
    path: '/multisig/address',
    good: { keys: [key], mrequired: 1 },
    wrong: { keys: notLists, 'keys.0': notKeys, mrequired: ['x', 1.5, 2 ** 31, null, {}] },
    required: ['keys', 'mrequired'],
  },
  {
    method: 'POST',
    path: '/multisig/build',
    good: { fromAddress: multisig, fromPublicKeys: [key], destinations: withToken },
    wrong: {
      fromAddress: notAssetAddresses,
      fromPublicKeys: notLists,
      'fromPublicKeys.0': notKeys,
      ...destinationFields,
      gas: notIntegers,
      gasPrice: notU256,
    },
    required: ['fromAddress', 'fromPublicKeys', 'destinations'],
  },
  {
    method: 'POST',
    path: '/transactions/sweep-address/build',
    good: { fromPublicKey: key, toAddress: address },
    wrong: { fromPublicKey: ['zz', 'abc', ...notTexts], ...sweepFields, targetBlockHash: ['xyz', 'aa', 1] },
    required: ['fromPublicKey', 'toAddress'],
  },
  {
    method: 'POST',
    path: '/multisig/sweep',
    good: { fromAddress: multisig, fromPublicKeys: [key], toAddress: address },
    wrong: {
      fromAddress: notAssetAddresses,
      fromPublicKeys: notLists,
      'fromPublicKeys.0': notKeys,
      ...sweepFields,
      targetBlockHash: ['xyz', 'aa', 1],
    },
    required: ['fromAddress', 'fromPublicKeys', 'toAddress'],
  },
  {
    method: 'POST',
    path: '/transactions/build-multi-addresses',
    good: { from: [{ fromPublicKey: key, destinations: withToken, utxos: [{ hint: 1, key: hash }] }] },
    wrong: {
      from: notLists,
      'from.0.fromPublicKey': ['zz', 'abc', ...notTexts],
      ...Object.fromEntries(Object.entries(destinationFields).map(([name, values]) => [`from.0.${name}`, values])),
      'from.0.utxos': ['x', 1, {}],
      'from.0.utxos.0.hint': ['x', 1.5, 2 ** 31, null, {}],
      'from.0.utxos.0.key': notHashes,
      'from.0.gasAmount': notIntegers,
      gasPrice: notU256,
      targetBlockHash: ['xyz', 'aa', 1],
    },
    required: ['from'],
  },
  {
    method: 'POST',
    path: '/multisig/submit',
    good: { unsignedTx: '00', signatures: [signature] },
    wrong: { unsignedTx: notTexts, signatures: notLists, 'signatures.0': notSignatures },
    required: ['unsignedTx', 'signatures'],
  },
  {
    method: 'POST',
    path: '/wallets',
    good: { password: 'a very secret password', walletName: 'w' },
    wrong: {
      password: notTexts,
      walletName: notTexts,
      isMiner: ['x', 1, {}],
      mnemonicPassphrase: [1, {}, []],
      mnemonicSize: [13, 12.5, 'x', {}, true],
    },
    required: ['password', 'walletName'],
  },
  {
    method: 'PUT',
    path: '/wallets',
    good: { password: 'a very secret password', mnemonic: 'many words' },
    wrong: { password: notTexts, mnemonic: notTexts, walletName: [1, {}], mnemonicPassphrase: [1, {}] },
    required: ['password', 'mnemonic'],
  },
  {
    method: 'POST',
    path: '/wallets/w/unlock',
    good: { password: 'a very secret password' },
    wrong: { password: notTexts, mnemonicPassphrase: [1, {}] },
    required: ['password'],
  },
  {
    method: 'DELETE',
    path: '/wallets/w',
    good: { password: 'a very secret password' },
    wrong: { password: notTexts },
    required: ['password'],
  },
  {
    method: 'POST',
    path: '/wallets/w/transfer',
    good: { destinations: withToken },
    wrong: { ...destinationFields, gas: notIntegers, gasPrice: notU256 },
    required: ['destinations'],
  },
  {
    method: 'POST',
    path: '/wallets/w/sign',
    good: { data: hash },
    wrong: { data: notHashes },
    required: ['data'],
  },
  ...['sweep-active-address', 'sweep-all-addresses'].map((name): BodyTable => ({
    method: 'POST',
    path: `/wallets/w/${name}`,
    good: { toAddress: address },
    wrong: { toAddress: notAssetAddresses, lockTime: notTimes, gasAmount: notIntegers, gasPrice: notU256 },
    required: ['toAddress'],
  })),
  {
    method: 'POST',
    path: '/wallets/w/reveal-mnemonic',
    good: { password: 'a very secret password' },
    wrong: { password: notTexts },
    required: ['password'],
  },
  ...[
    ['/infos/misbehaviors', 'Ban'],
    ['/infos/discovery', 'Reachable'],
  ].map(([path, type]): BodyTable => ({
    method: 'POST',
    path: path!,
    good: { type, peers: [] },
    wrong: { type: notTexts, peers: notLists },
    required: ['type', 'peers'],
  })),
  {
    method: 'POST',
    path: '/wallets/w/change-active-address',
    good: { address },
    wrong: { address: notAssetAddresses },
    required: ['address'],
  },
];

const isText = (value: unknown): value is string => typeof value === 'string';

/** The good body with another value at the path. */
const replaced = (good: unknown, path: readonly string[], value: unknown): unknown => {
  const [first, ...rest] = path;
  if (first === undefined) return value;
  const inner = (good as Record<string, unknown>)[first];
  const changed = replaced(inner, rest, value);
  if (Array.isArray(good)) return good.map((item: unknown, index) => (index === Number(first) ? changed : item));
  return { ...(good as object), [first]: changed };
};

/** `walletName` and the like of a wallet are repeated. */
const isSecret = (path: string, field: string): boolean =>
  path.startsWith('/wallets') && /^(password|mnemonic|mnemonicPassphrase)$/.test(field);

/** `destinations.0.address` as errors write it. */
const shown = (path: string): string => path.replaceAll(/\.(\d+)/g, '[$1]');

/** Optional fields take null for absent. */
const isAllowed = (table: BodyTable, path: string, value: unknown): boolean =>
  value === null && /^(utxos|gas\w*|targetBlockHash)$/.test(path) && !table.required.includes(path);

describe('bad input', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork();
  });
  afterAll(() => network.stop());

  describe.each(bodies)('$method $path', (table) => {
    const { method, path, good, wrong, required } = table;
    const send = (body: unknown) => network.send(method, path, body);

    it('takes the good body', async () => {
      const { body } = await send(good);
      expect(body.detail ?? '').not.toContain('Invalid value for');
    });

    it.each(Object.keys(wrong))('names %s, what was expected and what was received', async (field) => {
      for (const value of wrong[field]!) {
        if (isAllowed(table, field, value)) continue;
        const { status, body, headers } = await send(replaced(good, field.split('.'), value));
        expect([field, value, status]).toEqual([field, value, 400]);
        expect([headers.get('x-error-code'), headers.get('x-error-field')]).toEqual(['InvalidRequest', shown(field)]);
        expect(Object.keys(body)).toEqual(['detail']);
        expect(body.detail).toMatch(/^Invalid value for: body \(/);
        expect(body.detail).toContain(shown(field));
        // An address of the other kind has a text of its own.
        if (!isText(value) || value === contract || value === address) continue;
        if (isSecret(path, field)) expect(body.detail).toContain('received a text');
        else expect(body.detail).toContain(`received ${JSON.stringify(value).slice(0, 50)}`);
      }
    });

    it('names every required field that is missing, together', async () => {
      const { status, body } = await send({});
      expect(status).toBe(400);
      for (const field of required) expect(body.detail).toContain(`${field}: is missing, expected`);
    });

    it.each([
      ['nothing', undefined],
      ['blank', '   '],
      ['cut off', '{"password":"a very secret pass'],
      ['no JSON', 'hello'],
      ['single quotes', "{'a':1}"],
      ['text behind', '{} x'],
      ['null', 'null'],
      ['a list', '[]'],
      ['a number', '5'],
      ['a text', '"a very secret text"'],
      ['an open list', '['],
      ['a name without a value', '{"a":}'],
      ['half a word', 'nul'],
      ['a byte zero', '\u0000'],
      ['a byte order mark', '\ufeff{}{'],
      ['deep', '['.repeat(10_000)],
      ['about prototypes', '{"__proto__":{"password":"x"},"constructor":{"prototype":{}}}'],
    ])('refuses a body that is %s', async (_name, text) => {
      const { status, body } = await network.send(method, path, text);
      expect(status).toBe(400);
      expect(body.detail).toMatch(/^Invalid value for: body \(/);
      expect(body.detail).not.toContain('secret');
    });

    it('refuses a body over the limit', async () => {
      const { status, body } = await network.send(method, path, `{"a":"${'x'.repeat(10_485_760)}"}`);
      expect([status, body]).toEqual([413, { detail: 'The body is larger than 10485760 bytes' }]);
    });
  });

  it('reads a body of exactly the limit', async () => {
    const longest = `{"fromPublicKey":"${'a'.repeat(10_485_760 - 20)}"}`;
    const { status, body } = await network.send('POST', '/transactions/build', longest);
    expect([longest.length, status]).toEqual([10_485_760, 400]);
    expect(body.detail).toContain('fromPublicKey');
    expect(body.detail.length).toBeLessThan(2_000);
  });

  const badBlockHashes = ['xyz', 'abc', hash.slice(2), `${hash}00`];
  const badAddresses = ['000', 'xyz', address.slice(1)];
  const badPaths: [string, string, string][] = [
    ...['/blockflow/blocks', '/blockflow/blocks-with-events', '/blockflow/headers'].flatMap((path) =>
      badBlockHashes.map((text): [string, string, string] => [`${path}/${text}`, 'block_hash', text]),
    ),
    ...badBlockHashes.map((text): [string, string, string] => [
      `/blockflow/main-chain-block-by-ghost-uncle/${text}`,
      'ghost_uncle_hash',
      text,
    ]),
    ...badBlockHashes.map((text): [string, string, string] => [`/transactions/details/${text}`, 'txId', text]),
    ...badBlockHashes.map((text): [string, string, string] => [`/events/tx-id/${text}`, 'txId', text]),
    ...badBlockHashes.map((text): [string, string, string] => [`/events/block-hash/${text}`, 'blockHash', text]),
    ...badAddresses.map((text): [string, string, string] => [
      `/events/contract/${text}?start=0`,
      'contractAddress',
      text,
    ]),
    ...badAddresses.map((text): [string, string, string] => [`/contracts/${text}/state`, 'address', text]),
    ...['group', 'balance', 'utxos'].flatMap((what) =>
      badAddresses.map((text): [string, string, string] => [`/addresses/${text}/${what}`, 'address', text]),
    ),
    ...[...badAddresses, contract].map((text): [string, string, string] => [
      `/wallets/w/addresses/${text}`,
      'address',
      text,
    ]),
  ];
  it.each(badPaths)('GET %s names the path parameter %s', async (path, name, text) => {
    const { status, body } = await network.send('GET', path);
    expect(status).toBe(400);
    expect(body.detail).toMatch(new RegExp(`^Invalid value for: path parameter ${name} \\(expected .+\\)$`));
    if (text !== contract) expect(body.detail).toContain(`received "${text}"`);
  });

  const groupTexts = ['4', '-1', 'x', '1.0', '', '4294967296'];
  const badQueries: [string, string, string, readonly string[]][] = [
    ['GET', '/blockflow/chain-info?toGroup=1', 'fromGroup', groupTexts],
    ['GET', '/blockflow/chain-info?fromGroup=1', 'toGroup', groupTexts],
    ['GET', '/blockflow/hashes?fromGroup=0&toGroup=1', 'height', ['x', '1.0', '', '4294967296']],
    ['GET', '/blockflow/hashes?toGroup=0&height=1', 'fromGroup', groupTexts],
    ['GET', '/blockflow/blocks?toTs=10', 'fromTs', ['-1', 'x', '', '9223372036854775808']],
    ['GET', '/blockflow/blocks?fromTs=10', 'toTs', ['-10', 'x', '9223372036854775808']],
    ['GET', '/blockflow/blocks-with-events?toTs=10', 'fromTs', ['-1', 'x']],
    ['GET', '/blockflow/is-block-in-main-chain?a=1', 'blockHash', badBlockHashes],
    ['GET', '/transactions/status?a=1', 'txId', badBlockHashes],
    ['GET', `/transactions/status?txId=${hash}`, 'fromGroup', groupTexts],
    ['GET', `/transactions/status?txId=${hash}`, 'toGroup', groupTexts],
    ['GET', `/transactions/details/${hash}?a=1`, 'fromGroup', groupTexts],
    ['GET', `/addresses/${address}/balance?a=1`, 'mempool', ['x', '1', '']],
    ['GET', `/addresses/${address}/utxos?a=1`, 'limit', ['0', '-1', 'x', '100001']],
    ['GET', `/addresses/${address}/utxos?a=1`, 'offset', ['-1', 'x']],
    ['POST', '/miners/cpu-mining/mine-one-block?toGroup=1', 'fromGroup', groupTexts],
    ['POST', '/miners/cpu-mining/mine-one-block?fromGroup=1', 'toGroup', groupTexts],
    ['POST', '/wallets/w/derive-next-address?a=1', 'group', groupTexts],
    ['GET', '/infos/history-hashrate?toTs=10', 'fromTs', ['-1', 'x', '', '9223372036854775808']],
    ['GET', '/infos/history-hashrate?fromTs=10', 'toTs', ['-10', 'x', '9223372036854775808']],
  ];
  it.each(badQueries)('%s %s names the query parameter %s', async (method, path, name, texts) => {
    for (const text of texts) {
      const { status, body } = await network.send(method, `${path}&${name}=${text}`);
      expect([text, status]).toEqual([text, 400]);
      expect(body.detail).toMatch(new RegExp(`^Invalid value for: query parameter ${name} \\(expected .+\\)$`));
      expect(body.detail).toContain(`received "${text}"`);
    }
    const twice = await network.send(method, `${path}&${name}=1&${name}=2`);
    expect([twice.status, twice.body.detail]).toEqual([400, expect.stringContaining(`parameter ${name} (expected`)]);
  });

  it('names all parameters that are missing', async () => {
    const { status, body } = await network.send('GET', '/blockflow/hashes');
    expect([status, body.detail]).toEqual([
      400,
      'Invalid value for: query parameter fromGroup (is missing, expected a group from 0 to 3); ' +
        'query parameter toGroup (is missing, expected a group from 0 to 3); ' +
        'query parameter height (is missing, expected a whole number from -2147483648 to 2147483647)',
    ]);
  });

  it('reports all mistakes of a body together', async () => {
    const { body } = await network.send('POST', '/transactions/build', {
      fromPublicKey: 1,
      destinations: [{ address: 'x', attoCoinAmount: 'y' }, { address }],
      gasAmount: 'z',
    });
    for (const field of ['fromPublicKey', 'destinations[0].address', 'destinations[0].attoCoinAmount', 'gasAmount'])
      expect(body.detail).toContain(`${field}: expected`);
    expect(body.detail).toContain('destinations[1]: missing keys in dictionary: attoCoinAmount');
  });

  it('wants one of the two names of an amount', async () => {
    const detail = async (path: string, more: object, given: object) =>
      (await network.send('POST', path, { ...more, destinations: [{ address, ...given }] })).body.detail;
    const sender = { fromPublicKey: key };
    expect(await detail('/transactions/build', sender, { amount: '1', attoCoinAmount: '1' })).toBe(
      'Invalid value for: body (destinations[0]: Invalid amount: both amount and attoCoinAmount are given)',
    );
    expect(await detail('/wallets/w/transfer', {}, {})).toBe(
      'Invalid value for: body (destinations[0]: missing keys in dictionary: amount)',
    );
    expect(await detail('/transactions/build', sender, { amount: null })).toContain('dictionary: attoCoinAmount');
  });

  it('an amount as a number is taken up to 2^53 - 1; larger ones may have lost digits', async () => {
    const detail = async (text: string) =>
      (
        await network.send(
          'POST',
          '/transactions/build',
          `{"fromPublicKey":"${key}","destinations":[{"address":"${address}","attoCoinAmount":${text}}]}`,
        )
      ).body.detail;
    expect(await detail('9007199254740991')).not.toContain('Invalid value');
    for (const text of ['9007199254740992', '1000000000000000000'])
      expect(await detail(text)).toContain('attoCoinAmount: is a JSON number above 2^53 - 1');
    for (const text of ['1.0', '1e3', '1.5'])
      expect(await detail(text)).toContain('received a number with a fraction or an exponent');
  });

  it('keys of another length than their kind are named', async () => {
    const detail = async (fromPublicKey: string, fromPublicKeyType?: string) =>
      (
        await network.send('POST', '/transactions/build', {
          fromPublicKey,
          fromPublicKeyType,
          destinations: [destination],
        })
      ).body.detail;
    const wanted = (kind: string, bytes: number, got: number): string =>
      `fromPublicKey: a public key of kind ${kind} has ${bytes} bytes, ${2 * bytes} hexadecimal digits; received ${got} digits.`;
    expect(await detail('02')).toBe(wanted('default', 33, 2));
    expect(await detail(hash)).toBe(wanted('default', 33, 64));
    expect(await detail(key, 'bip340-schnorr')).toBe(wanted('bip340-schnorr', 32, 66));
  });

  it('signatures in another form than r and s', async () => {
    const der = `30440220${'11'.repeat(32)}0220${'22'.repeat(32)}`;
    const detail = async (path: string, more: object) => (await network.send('POST', path, more)).body.detail;
    const wanted = (field: string, advice: string, sent: string): string =>
      `Invalid value for: body (${field}: expected a signature of 128 hexadecimal digits${advice}, received "${sent.slice(0, 79)}...)`;
    const without = (which: string): string => `, without a recovery byte: leave out the ${which} byte`;
    const [last, front] = [`${'77'.repeat(64)}1b`, `1c${'77'.repeat(64)}`];
    expect(await detail('/transactions/submit', { unsignedTx: '00', signature: last })).toBe(
      wanted('signature', without('last'), last),
    );
    expect(await detail('/multisig/submit', { unsignedTx: '00', signatures: [signature, der] })).toBe(
      wanted('signatures[1]', ': 32 bytes of r, then 32 of s, and not DER', der),
    );
    expect(await detail('/utils/verify-signature', { data: hash, publicKey: key, signature: front })).toBe(
      wanted('signature', without('first'), front),
    );
  });

  it('a percent sign that starts nothing is a 400', async () => {
    const { status, text, headers } = await network.send('GET', '/wallets/%zz');
    expect([status, text]).toEqual([400, '{"detail":"The path is not percent-encoded UTF-8, or is too long"}']);
    expect(headers.get('x-request-id')).toMatch(/./);
  });

  it('stays up', async () => {
    expect((await network.send('GET', '/infos/version')).status).toBe(200);
    expect(network.log.join('\n')).not.toContain('a very secret');
  });
});

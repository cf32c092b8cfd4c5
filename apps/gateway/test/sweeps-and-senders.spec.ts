import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { multisigOf, parseAssetAddress } from '@shardnode/protocol/address';
import { multisigUnlockScript } from '@shardnode/protocol/building';
import { bytesToHex, encode } from '@shardnode/protocol/encoding';
import { outputHint } from '@shardnode/protocol/primitives';
import { unlockScriptCodec } from '@shardnode/protocol/transaction';
import { scriptHex } from '@shardnode/http';
import { builtTransaction } from '@shardnode/messages';
import { unsignedTemplate } from '@shardnode/testing/builders';
import { testKey, testKeyOfGroup, testKeysOfGroup, type TestKey } from '@shardnode/testing/keys';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

const hexOf = (key: TestKey): string => bytesToHex(key.publicKey);
const unlockOf = (key: TestKey): string =>
  bytesToHex(encode(unlockScriptCodec, { kind: 'p2pkh', publicKey: key.publicKey }));
const [first, second] = testKeysOfGroup(1, 2) as [TestKey, TestKey];
const receiver = testKeyOfGroup(2);
const spent = { hint: outputHint(first.lockupScript), key: 'ab'.repeat(32) };
const built = builtTransaction(unsignedTemplate([spent], [receiver.lockupScript]).unsigned, 4);
const { fromGroup, toGroup, ...transaction } = built;
const unsignedTx = bytesToHex(built.unsignedTx);

describe('sweeps and many senders over HTTP', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startFakeNetwork();
  });
  afterAll(() => network.stop());
  afterEach(() => {
    delete network.groups['read.building.sweep'];
    delete network.groups['read.building.many-senders'];
  });

  /** What the group-node was asked, and by which group. */
  const askedSweep = () => {
    const asked: unknown[] = [];
    network.groups['read.building.sweep'] = (request, group) => {
      asked.push({ group, ...request });
      return { transactions: [built, built], fromGroup, toGroup, more: false };
    };
    return asked;
  };
  const sweepAnswer = {
    unsignedTxs: [transaction, transaction].map((one) => ({ ...one, unsignedTx })),
    fromGroup,
    toGroup,
  };
  const how = {
    toAddress: receiver.address,
    maxAttoCoinPerUTXO: '1.5 COIN',
    lockTime: 1_893_456_000_000,
    gasAmount: 50_000,
    gasPrice: '100000000001',
    utxosLimit: 3,
    targetBlockHash: 'cd'.repeat(32),
  };
  const payload = {
    destination: scriptHex(receiver.lockupScript),
    maxAmountPerUtxo: '1500000000000000000',
    lockTime: '1893456000000',
    gasAmount: 50_000,
    gasPrice: '100000000001',
    targetBlockHash: 'cd'.repeat(32),
    unminable: 'refuse',
  };

  it('a sweep of a key hands on everything that a client may say', async () => {
    const asked = askedSweep();
    const { status, body } = await network.send('POST', '/transactions/sweep-address/build', {
      fromPublicKey: hexOf(first),
      ...how,
    });
    expect([status, body]).toEqual([200, sweepAnswer]);
    const scripts = { lockupScript: scriptHex(first.lockupScript), unlockScript: unlockOf(first) };
    expect(asked).toEqual([{ group: 1, ...scripts, ...payload }]);
  });

  it.each([
    ['transactions', {}, undefined, [null, null]],
    ['no outputs', { transactions: [] }, undefined, ['The address has no outputs.', null]],
    [
      'none below the maximum',
      { transactions: [] },
      '1 COIN',
      ['The address has no outputs with less than maxAttoCoinPerUTXO.', null],
    ],
    [
      'locked ones',
      { transactions: [], left: { code: 'LockedUtxo', detail: '5 {COIN} are locked.', spendableAt: '1900000000000' } },
      '1 COIN',
      ['5 COIN are locked.', '1900000000000'],
    ],
    [
      'poor ones beside transactions',
      { left: { code: 'NotEnoughBalanceForFee', detail: 'Poor.' } },
      undefined,
      ['Poor.', null],
    ],
  ])('says in headers what stays: %s', async (_, told, maxAttoCoinPerUTXO, expected) => {
    network.groups['read.building.sweep'] = () => ({
      transactions: [built],
      fromGroup,
      toGroup,
      more: false,
      ...told,
    });
    const fromAddress = (await network.send('POST', '/multisig/address', { keys: [hexOf(first)], mrequired: 1 })).body
      .address;
    const sweep = { toAddress: receiver.address, maxAttoCoinPerUTXO };
    for (const [path, sender] of [
      ['/transactions/sweep-address/build', { fromPublicKey: hexOf(first) }],
      ['/multisig/sweep', { fromAddress, fromPublicKeys: [hexOf(first)] }],
    ] as const) {
      const { status, headers } = await network.send('POST', path, { ...sender, ...sweep });
      expect(status).toBe(200);
      expect([headers.get('x-sweep-advice'), headers.get('x-spendable-at')]).toEqual(expected);
    }
  });

  it('so does a sweep of a multisig address', async () => {
    const asked = askedSweep();
    const keys = [0, 1, 2].map((index) => testKey(index));
    const address = await network.send('POST', '/multisig/address', { keys: keys.map(hexOf), mrequired: 2 });
    const fromPublicKeys = [hexOf(keys[0]!), hexOf(keys[2]!)];
    const { status, body } = await network.send('POST', '/multisig/sweep', {
      fromAddress: address.body.address,
      fromPublicKeys,
      ...how,
    });
    expect([status, body]).toEqual([200, sweepAnswer]);
    const lockup = multisigOf(
      keys.map(({ publicKey }) => publicKey),
      2,
    );
    const unlock = multisigUnlockScript(lockup, [keys[0]!.publicKey, keys[2]!.publicKey]);
    expect(asked).toEqual([
      {
        group: keys[0]!.group,
        lockupScript: scriptHex(lockup),
        unlockScript: unlock.ok && bytesToHex(encode(unlockScriptCodec, unlock.value)),
        ...payload,
      },
    ]);
    expect(parseAssetAddress(address.body.address as string)).toEqual(lockup);
  });

  it.each([
    ['one key too few', [0], 'Of the 3 keys of this address exactly 2 sign, but 1 is given.'],
    ['a foreign key', [0, 3], 'fromPublicKeys[1] is none of the 3 keys of this address.'],
    [
      'another order',
      [2, 0],
      'fromPublicKeys[1] comes before fromPublicKeys[0] in the address: give different keys, in the order in which the address was made of them.',
    ],
  ])('a multisig sweep with %s is refused', async (_, signers, detail) => {
    const keys = [0, 1, 2].map((index) => hexOf(testKey(index)));
    const { body } = await network.send('POST', '/multisig/address', { keys, mrequired: 2 });
    const answer = await network.send('POST', '/multisig/sweep', {
      fromAddress: body.address,
      fromPublicKeys: signers.map((index) => hexOf(testKey(index))),
      toAddress: receiver.address,
    });
    expect([answer.status, answer.body]).toEqual([400, { detail }]);
  });

  it('a multisig address has no key twice', async () => {
    const answer = await network.send('POST', '/multisig/address', {
      keys: [hexOf(first), hexOf(first)],
      mrequired: 2,
    });
    expect(answer.status).toBe(400);
    expect(answer.headers.get('x-error-code')).toBe('InvalidMultisig');
  });

  it.each([
    [{ toAddress: receiver.address }, 'fromPublicKey'],
    [{ fromPublicKey: '00', toAddress: receiver.address }, 'fromPublicKey'],
    [{ fromPublicKey: hexOf(first) }, 'toAddress'],
    [{ fromPublicKey: hexOf(first), toAddress: 'tgx7VNFoP9DJiFMFgXXtafQZkUvyEdDHT9ryamHJYrjq' }, 'toAddress'],
    [{ fromPublicKey: hexOf(first), toAddress: receiver.address, maxAttoCoinPerUTXO: '1 Coin' }, 'maxAttoCoinPerUTXO'],
  ])('a sweep that is wrong in form names the field: %j', async (body, field) => {
    const answer = await network.send('POST', '/transactions/sweep-address/build', body);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain(field);
  });

  const source = (key: TestKey, more: object = {}) => ({
    fromPublicKey: hexOf(key),
    destinations: [{ address: receiver.address, attoCoinAmount: '1 COIN' }],
    ...more,
  });
  const build = (from: readonly object[], more: object = {}) =>
    network.send('POST', '/transactions/build-multi-addresses', { from, ...more });

  it('many senders are handed on in order, with what each of them says', async () => {
    const asked: unknown[] = [];
    network.groups['read.building.many-senders'] = (request, group) => {
      asked.push({ group, ...request });
      return built;
    };
    const utxos = [{ hint: -5, key: 'ef'.repeat(32) }];
    const { status, body } = await build([source(first, { gasAmount: 30_000 }), source(second, { utxos })], {
      gasPrice: '200000000000',
      targetBlockHash: 'cd'.repeat(32),
    });
    expect([status, body]).toEqual([200, { ...built, unsignedTx }]);
    const destinations = [
      { lockupScript: scriptHex(receiver.lockupScript), amount: '1000000000000000000', tokens: [] },
    ];
    const sourceOf = (key: TestKey, more: object) => ({
      lockupScript: scriptHex(key.lockupScript),
      unlockScript: unlockOf(key),
      destinations,
      ...more,
    });
    expect(asked).toEqual([
      {
        group: 1,
        sources: [sourceOf(first, { gasAmount: 30_000 }), sourceOf(second, { utxos })],
        gasPrice: '200000000000',
        targetBlockHash: 'cd'.repeat(32),
        unminable: 'refuse',
      },
    ]);
  });

  it.each<[string, readonly object[], string]>([
    ['nobody', [], 'There are no senders: a transaction needs at least one.'],
    [
      'the same sender twice',
      [source(first), source(second), source(first)],
      'from[2] is the same sender as from[0]. Name each sender once.',
    ],
    [
      'senders of two groups',
      [source(first), source(testKeyOfGroup(3))],
      'from[1] is of group 3, from[0] of group 1: all senders of a transaction are of one group. Make one transaction for each group.',
    ],
    [
      'a short key',
      [{ ...source(first), fromPublicKey: '00' }],
      'from[0].fromPublicKey: a public key of kind default has 33 bytes, 66 hexadecimal digits; received 2 digits.',
    ],
  ])('%s is refused without asking a group', async (_, from, detail) => {
    network.groups['read.building.many-senders'] = () => built;
    const answer = await build(from);
    expect([answer.status, answer.body]).toEqual([400, { detail }]);
  });

  it('257 senders are refused before they are read', async () => {
    const answer = await build(Array.from({ length: 257 }, () => ({})));
    expect([answer.status, answer.headers.get('x-error-field')]).toEqual([400, 'from']);
  });

  it('1,025 destinations or outputs of all senders are refused before they are read, 1,024 are not', async () => {
    network.groups['read.building.many-senders'] = () => built;
    const utxo = { hint: 1, key: '0'.repeat(64) };
    const [destination] = source(first).destinations;
    const many = (length: number, more: object) => ({
      destinations: Array.from({ length }, () => destination),
      ...more,
    });
    const answers = await Promise.all(
      [
        [source(first, many(512, {})), source(second, many(512, {}))],
        [source(first, many(512, {})), source(second, many(513, {}))],
        [
          source(first, { utxos: Array.from({ length: 1_024 }, () => utxo) }),
          source(second, { utxos: ['not', 'read'] }),
        ],
      ].map((from) => build(from)),
    );
    expect(answers.map(({ status, headers }) => [status, headers.get('x-error-field')])).toEqual([
      [200, null],
      [400, 'from'],
      [400, 'from'],
    ]);
    expect(answers.slice(1).map(({ body }) => (body as { readonly detail: string }).detail)).toEqual([
      'Invalid value for: body (from: has 1025 destinations in all its items, at most 1024 in all are allowed)',
      'Invalid value for: body (from: has 1026 utxos in all its items, at most 1024 in all are allowed)',
    ]);
  });

  it('a body of nothing but mistakes has a short answer', async () => {
    const answer = await build(Array.from({ length: 48 }, () => ({ destinations: [{}, {}, {}, {}, {}, {}, {}] })));
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toMatch(/; and more$/);
    expect(answer.body.detail.length).toBeLessThan(4_096);
  });
});

it('the profile `reference` has everything built', async () => {
  const network = await startFakeNetwork({ profile: 'reference' });
  const asked: unknown[] = [];
  network.groups['read.building.sweep'] = ({ unminable }) => {
    asked.push(unminable);
    return { transactions: [], fromGroup, toGroup, more: false };
  };
  network.groups['read.building.transfer'] = ({ unminable }) => {
    asked.push(unminable);
    return built;
  };
  network.groups['read.building.many-senders'] = ({ unminable }) => {
    asked.push(unminable);
    return built;
  };
  const keys = [0, 1].map((index) => hexOf(testKey(index)));
  const { body } = await network.send('POST', '/multisig/address', { keys, mrequired: 2 });
  const destinations = [{ address: receiver.address, attoCoinAmount: '1 COIN' }];
  const reordered = { fromAddress: body.address, fromPublicKeys: [...keys].reverse() };
  const one = { fromPublicKey: hexOf(first) };
  for (const [path, request] of [
    ['/transactions/build', { ...one, destinations }],
    ['/transactions/sweep-address/build', { ...one, toAddress: receiver.address }],
    ['/transactions/build-multi-addresses', { from: [{ ...one, destinations }] }],
    ['/multisig/build', { ...reordered, destinations }],
    ['/multisig/sweep', { ...reordered, toAddress: receiver.address }],
  ] as const)
    expect((await network.send('POST', path, request)).status).toBe(200);
  expect(asked).toEqual(Array.from({ length: 5 }, () => 'build'));
  await network.stop();
});

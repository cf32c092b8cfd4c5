import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { addressOf } from '@shardnode/protocol/address';
import { verifySignature } from '@shardnode/protocol/crypto';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { developmentNetwork } from '@shardnode/protocol/network';
import { lockupScriptCodec, type AssetLockupScript } from '@shardnode/protocol/primitives';
import { type WalletRequests } from '@shardnode/messages';
import { developmentMnemonic, testKeyOfGroup } from '@shardnode/testing/keys';
import { type TappedMessage } from './tapped-network.js';
import { createWorld, cheapStretch, lockTimeoutMs, temporaryDatabase, type WalletWorld } from './wallet-world.js';

type Transfer = WalletRequests['transfer']['request'];
type Temporary = Awaited<ReturnType<typeof temporaryDatabase>>;

const coin = 10n ** 18n;
const password = 'correct horse';
const mnemonic = developmentMnemonic.join(' ');
/** Index 0 of the development mnemonic, in group 0. */
const firstAddress = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';
const hexOf = (lockupScript: AssetLockupScript): string => bytesToHex(encode(lockupScriptCodec, lockupScript));
const firstLockup = developmentNetwork.allocations[0]!.lockupScript as AssetLockupScript;
const receiver = testKeyOfGroup(2);
const nextTurns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i++) await new Promise((resolve) => setImmediate(resolve));
};
const pay = (amount: bigint, walletName = 'w'): Transfer => ({
  walletName,
  destinations: [{ lockupScript: hexOf(receiver.lockupScript), amount: amount.toString(), tokens: [] }],
  gasFormula: 'document',
});
const locked = {
  kind: 'unauthorized',
  code: 'WalletLocked',
  detail: 'Wallet w is locked: unlock it with its password first',
};
const notFound = (name: string) => ({
  kind: 'not-found',
  code: 'WalletNotFound',
  detail: `There is no wallet ${/^[\w-]{1,128}$/.test(name) ? name : JSON.stringify(name.slice(0, 200))}: GET /wallets lists all wallets`,
  data: { resource: name },
});

let database: Temporary;
let world: WalletWorld;
let schemas = 0;
/** A held stretching: the test decides when it goes on. */
let holdStretch: (() => Promise<void>) | undefined;
const request: WalletWorld['client']['request'] = (name, payload) => world.client.request(name, payload);
const restore = (walletName: string | undefined = 'w', more: object = {}) =>
  request('restore', { walletName, password, mnemonic, ...more });
const isLocked = async (walletName = 'w'): Promise<boolean> => (await request('get', { walletName })).locked;

beforeAll(async () => {
  database = await temporaryDatabase();
});
afterAll(() => database.remove());
beforeEach(async () => {
  holdStretch = undefined;
  const stretchPassword: typeof cheapStretch = async (text, salt) => {
    await holdStretch?.();
    return cheapStretch(text, salt);
  };
  world = await createWorld({ host: () => database.host, schema: `wallet_${++schemas}`, stretchPassword });
});
afterEach(() => world.stop());

describe('create and restore', () => {
  it.each([12, 15, 18, 21, 24, undefined])('a wallet of %p words, unlocked, with one address', async (mnemonicSize) => {
    const created = await request('create', { walletName: 'new', password, mnemonicSize });
    expect(created.walletName).toBe('new');
    expect(created.mnemonic.split(' ').length).toBe(mnemonicSize ?? 24);
    expect(await isLocked('new')).toBe(false);
    const shown = await request('addresses', { walletName: 'new' });
    expect(shown.addresses.length).toBe(1);
    expect(shown.activeAddress).toBe(shown.addresses[0]!.address);
    // The mnemonic that was shown is the wallet's.
    await restore('again', { mnemonic: created.mnemonic });
    expect(await request('addresses', { walletName: 'again' })).toEqual(shown);
  });

  it('shows the known addresses of a restored mnemonic', async () => {
    expect(await restore()).toEqual({ walletName: 'w' });
    const { activeAddress, addresses } = await request('addresses', { walletName: 'w' });
    expect(activeAddress).toBe(firstAddress);
    expect(addresses).toEqual([
      { address: firstAddress, publicKey: expect.any(String), group: 0, path: "m/44'/1234'/0'/0/0" },
    ]);
    expect(await request('address-info', { walletName: 'w', address: firstAddress })).toEqual(addresses[0]);
  });

  it('restores without a name under a generated one', async () => {
    const { walletName } = await request('restore', { password, mnemonic });
    expect(walletName).toMatch(/^wallet-[0-9a-f]{8}$/);
    expect(await isLocked(walletName)).toBe(false);
  });

  it('creating never overwrites, whether it is asked twice at once or later', async () => {
    const create = (given: string) => request('create', { walletName: 'w', password: given });
    const outcomes = await Promise.allSettled([create(password), create('other')]);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBe(1);
    await expect(request('create', { walletName: 'w', password })).rejects.toMatchObject({
      kind: 'conflict',
      code: 'WalletExists',
    });
    expect((await request('list', {})).wallets).toEqual([{ walletName: 'w', locked: false }]);
  });

  it.each([
    ...[
      '../w',
      '..\\w',
      '..%2Fw',
      '/etc/passwd',
      'a/b',
      'a b',
      '.',
      '..',
      "w'; DROP TABLE wallet; --",
      '',
      'w\u0000',
      '\u0000',
    ],
    ...['wället', 'ｗ', '\u202ew', '\ud800', '🔑', 'w\n', 'x'.repeat(129), 'x'.repeat(1_001)],
  ])('refuses the name %j, and has no wallet of it', async (walletName) => {
    await expect(request('create', { walletName, password })).rejects.toMatchObject({
      kind: 'invalid-request',
      code: 'InvalidWalletName',
      detail: `${JSON.stringify(walletName.slice(0, 200))} cannot be the name of a wallet: expected 1 to 128 letters (a-z, A-Z), digits, _ and -`,
      data: { field: 'walletName', walletName: walletName.slice(0, 200) },
    });
    await expect(request('get', { walletName })).rejects.toMatchObject(notFound(walletName));
    await expect(request('unlock', { walletName, password })).rejects.toMatchObject(notFound(walletName));
    await expect(request('delete', { walletName, password })).rejects.toMatchObject(notFound(walletName));
    await expect(request('reveal-mnemonic', { walletName, password })).rejects.toMatchObject(notFound(walletName));
    await expect(request('sign', { walletName, data: '00' })).rejects.toMatchObject(notFound(walletName));
    // As locked as it will ever be; the empty name is of a form that wallets have.
    if (walletName !== '') expect(await request('lock', { walletName })).toEqual({});
  });

  it('refuses a mnemonic with a wrong checksum, unknown words or a wrong number of them, and quotes none', async () => {
    const words = [...developmentMnemonic];
    const swapped = [words[1], words[0], ...words.slice(2)].join(' ');
    const sizes = 'expected 12, 15, 18, 21 or 24 words';
    const place = words.indexOf('vault') + 1;
    for (const [wrong, why] of [
      [swapped, 'its checksum is wrong; a word is mistyped, or the words are in a different order'],
      [`${mnemonic} lava`, `it has 25 words, ${sizes}`],
      [
        mnemonic.replace('vault', 'vaults'),
        `word ${place} is not in the English word list of BIP-39, whose words are in lower case`,
      ],
      ['', `it has 0 words, ${sizes}`],
      ['vault', `it has 1 word, ${sizes}`],
    ] as const) {
      const error = (await restore('w', { mnemonic: wrong }).catch((thrown: unknown) => thrown)) as ServiceError;
      expect(error).toMatchObject({ kind: 'invalid-request', code: 'InvalidMnemonic', data: { field: 'mnemonic' } });
      expect(error.detail).toBe(`The mnemonic is wrong: ${why}`);
      for (const word of words) expect(JSON.stringify(error) + error.stack).not.toContain(` ${word} `);
    }
    expect((await request('list', {})).wallets).toEqual([]);
  });

  it('refuses another number of words', async () => {
    await expect(request('create', { walletName: 'w', password, mnemonicSize: 13 })).rejects.toMatchObject({
      kind: 'invalid-request',
      detail: 'A mnemonic of 13 words cannot be made: expected 12, 15, 18, 21 or 24 words',
    });
  });

  it('a miner wallet shows an address of each group and is asked for no next one', async () => {
    await restore('w', { isMiner: true });
    const { addresses, activeAddress } = await request('addresses', { walletName: 'w' });
    expect(addresses.map(({ group }) => group)).toEqual([0, 1, 2, 3]);
    expect(addresses.map(({ address }) => address)).toContain(activeAddress);
    await expect(request('derive-next-address', { walletName: 'w' })).rejects.toMatchObject({
      kind: 'unauthorized',
      detail:
        'Wallet w is a miner wallet, with an address of each group in a set: derive-next-miner-addresses makes the next set',
    });
    await world.restart();
    await request('unlock', { walletName: 'w', password });
    expect(await request('addresses', { walletName: 'w' })).toEqual({ addresses, activeAddress });
  });
});

describe('lock and unlock', () => {
  it('a locked wallet answers list, get, lock, unlock and delete, and 401 to the others', async () => {
    await restore();
    await request('lock', { walletName: 'w' });
    expect(await request('lock', { walletName: 'w' })).toEqual({});
    expect(await request('get', { walletName: 'w' })).toEqual({ walletName: 'w', locked: true });
    expect(await request('list', {})).toEqual({ wallets: [{ walletName: 'w', locked: true }] });
    const walletName = 'w';
    await expect(request('addresses', { walletName })).rejects.toMatchObject(locked);
    await expect(request('address-info', { walletName, address: firstAddress })).rejects.toMatchObject(locked);
    await expect(request('balances', { walletName })).rejects.toMatchObject(locked);
    await expect(request('sign', { walletName, data: '00'.repeat(32) })).rejects.toMatchObject(locked);
    await expect(request('transfer', pay(coin))).rejects.toMatchObject(locked);
    await expect(request('derive-next-address', { walletName })).rejects.toMatchObject(locked);
    await expect(request('change-active-address', { walletName, address: firstAddress })).rejects.toMatchObject(locked);
    expect(await request('unlock', { walletName, password })).toEqual({});
    expect((await request('addresses', { walletName })).activeAddress).toBe(firstAddress);
  });

  it('an unknown wallet is not found, by every request that names one', async () => {
    const walletName = 'nobody';
    await expect(request('get', { walletName })).rejects.toMatchObject(notFound(walletName));
    await expect(request('lock', { walletName })).rejects.toMatchObject(notFound(walletName));
    await expect(request('unlock', { walletName, password })).rejects.toMatchObject(notFound(walletName));
    await expect(request('delete', { walletName, password })).rejects.toMatchObject(notFound(walletName));
    await expect(request('addresses', { walletName })).rejects.toMatchObject(notFound(walletName));
    await expect(request('address-info', { walletName, address: 'x' })).rejects.toMatchObject(notFound(walletName));
    await expect(request('balances', { walletName })).rejects.toMatchObject(notFound(walletName));
    await expect(request('sign', { walletName, data: '' })).rejects.toMatchObject(notFound(walletName));
    await expect(request('transfer', pay(coin, walletName))).rejects.toMatchObject(notFound(walletName));
    await expect(request('derive-next-address', { walletName })).rejects.toMatchObject(notFound(walletName));
    await expect(request('change-active-address', { walletName, address: 'x' })).rejects.toMatchObject(
      notFound(walletName),
    );
  });

  it('a passphrase missing, superfluous or wrong; the password is asked first', async () => {
    await restore('with', { passphrase: 'Ångström' });
    await restore('without');
    await restore('empty', { passphrase: '' });
    for (const walletName of ['with', 'without', 'empty']) await request('lock', { walletName });
    const refused = (detail: string) => ({ kind: 'unauthorized', code: 'InvalidPassphrase', detail });
    const missing = refused('This wallet has a mnemonic passphrase: send it as mnemonicPassphrase');
    const wrong = refused('The mnemonic passphrase is wrong; the password is right');
    const superfluous = refused('This wallet was made without a mnemonic passphrase: leave mnemonicPassphrase out');
    const unlock = (walletName: string, passphrase?: string, with_ = password) =>
      request('unlock', { walletName, password: with_, passphrase });
    await expect(unlock('with')).rejects.toMatchObject(missing);
    await expect(unlock('with', '')).rejects.toMatchObject(wrong);
    await expect(unlock('with', 'other')).rejects.toMatchObject(wrong);
    await expect(unlock('without', '')).rejects.toMatchObject(superfluous);
    await expect(unlock('empty')).rejects.toMatchObject(missing);
    await expect(unlock('with', 'other', 'wrong')).rejects.toMatchObject({ code: 'InvalidPassword' });
    await unlock('with', 'A\u030angstro\u0308m');
    await unlock('without');
    await unlock('empty', '');
    const first = async (walletName: string) => (await request('addresses', { walletName })).activeAddress;
    expect(await first('with')).not.toBe(firstAddress);
    expect(await first('without')).toBe(firstAddress);
    expect(await first('empty')).toBe(firstAddress);
  });

  it('a wrong password leaves an unlocked wallet unlocked, a right one leaves its keys in use', async () => {
    await restore();
    await expect(request('unlock', { walletName: 'w', password: 'wrong' })).rejects.toMatchObject({
      kind: 'unauthorized',
      code: 'InvalidPassword',
      detail: 'The password is wrong. After another wrong one there is a pause of 1 s, then of twice as long each time',
    });
    expect(await isLocked()).toBe(false);
    // A transfer under way is not disturbed by unlocking again.
    world.ledger.fund(firstLockup, 10n * coin, 'funds');
    let goOn: () => void = () => undefined;
    world.ledger.beforeBuild = () => new Promise((resolve) => (goOn = resolve));
    const transfer = request('transfer', pay(coin));
    await nextTurns(5);
    await request('unlock', { walletName: 'w', password });
    goOn();
    expect((await transfer).txId).toMatch(/^[0-9a-f]{64}$/);
  });

  it('wrong passwords slow down, also delete, and over a restart', async () => {
    await restore();
    const tryWrong = (name: 'unlock' | 'delete') =>
      request(name, { walletName: 'w', password: 'wrong' }).catch((error: unknown) => error);
    const paused = (retryAfterSeconds: number) => ({
      kind: 'throttled',
      code: 'TooManyWrongPasswords',
      data: { retryAfterSeconds },
    });
    expect(await tryWrong('unlock')).toMatchObject({ code: 'InvalidPassword' });
    expect(await tryWrong('delete')).toMatchObject({ code: 'InvalidPassword' });
    await expect(request('unlock', { walletName: 'w', password })).rejects.toMatchObject(paused(1));
    world.clock.advance(1000);
    expect(await tryWrong('unlock')).toMatchObject({ code: 'InvalidPassword' });
    await world.restart(() => database.reopen());
    await expect(request('unlock', { walletName: 'w', password })).rejects.toMatchObject(paused(2));
    await expect(request('delete', { walletName: 'w', password })).rejects.toMatchObject(paused(2));
    world.clock.advance(2000);
    await world.restart();
    expect(await tryWrong('unlock')).toMatchObject({ code: 'InvalidPassword' });
    await expect(request('unlock', { walletName: 'w', password })).rejects.toMatchObject(paused(4));
    world.clock.advance(4000);
    await request('unlock', { walletName: 'w', password });
    expect(await tryWrong('unlock')).toMatchObject({ code: 'InvalidPassword' });
    await request('unlock', { walletName: 'w', password });
  });

  it('20 wrong passwords at once are two tries', async () => {
    await restore();
    const tries = Array.from({ length: 20 }, (_, i) => request('unlock', { walletName: 'w', password: `wrong ${i}` }));
    const outcomes = await Promise.allSettled(tries);
    const codes = outcomes.map((outcome) => (outcome as { reason: ServiceError }).reason.code);
    expect(codes.filter((code) => code === 'InvalidPassword').length).toBe(2);
    expect(codes.filter((code) => code === 'TooManyWrongPasswords').length).toBe(18);
  });

  it('a restart locks every wallet and keeps addresses and the active one', async () => {
    await restore();
    await request('derive-next-address', { walletName: 'w', group: 3 });
    const third = await request('derive-next-address', { walletName: 'w' });
    await request('change-active-address', { walletName: 'w', address: firstAddress });
    const before = await request('addresses', { walletName: 'w' });
    await world.restart(() => database.reopen());
    expect(await isLocked()).toBe(true);
    await expect(request('addresses', { walletName: 'w' })).rejects.toMatchObject(locked);
    await request('unlock', { walletName: 'w', password });
    expect(await request('addresses', { walletName: 'w' })).toEqual(before);
    expect(before.addresses.at(-1)).toEqual(third);
  });
});

describe('auto-lock', () => {
  it('every request that names the wallet starts the time anew, refused ones too', async () => {
    await restore();
    const walletName = 'w';
    const failing = async (sent: Promise<unknown>): Promise<void> => {
      const [outcome] = await Promise.allSettled([sent]);
      expect(outcome.status).toBe('rejected');
    };
    const requests: (() => Promise<unknown>)[] = [
      () => request('get', { walletName }),
      () => request('addresses', { walletName }),
      () => request('balances', { walletName }),
      () => request('sign', { walletName, data: '11'.repeat(32) }),
      () => request('derive-next-address', { walletName }),
      () => request('unlock', { walletName, password }),
      () => failing(request('unlock', { walletName, password: 'wrong' })),
      () => failing(request('delete', { walletName, password: 'wrong' })),
      () => failing(request('sign', { walletName, data: 'no' })),
      () => failing(request('address-info', { walletName, address: 'x' })),
      () => failing(request('change-active-address', { walletName, address: 'x' })),
      () => failing(request('transfer', pay(coin))),
      () => failing(request('create', { walletName, password })),
      () => failing(request('restore', { walletName, password, mnemonic, passphrase: 'none of its own' })),
      () => request('restore', { walletName, password, mnemonic }),
    ];
    for (const send of requests) {
      world.clock.advance(lockTimeoutMs - 1);
      await send();
    }
    world.clock.advance(lockTimeoutMs - 1);
    expect(await isLocked()).toBe(false);
    world.clock.advance(lockTimeoutMs);
    expect(await isLocked()).toBe(true);
  });

  it('the list names no wallet, and lets all of them lock', async () => {
    await restore();
    for (let i = 0; i < 2; i++) {
      await request('list', {});
      world.clock.advance(lockTimeoutMs / 2);
    }
    expect(await isLocked()).toBe(true);
  });

  it('requests on another wallet do not, and the wall clock has no say', async () => {
    await restore();
    await restore('other');
    world.clock.setWallClock(world.clock.now() + 10 * lockTimeoutMs);
    expect(await isLocked()).toBe(false);
    for (let i = 0; i < 2; i++) {
      world.clock.advance(lockTimeoutMs / 2);
      await request('get', { walletName: 'other' });
    }
    expect(await isLocked()).toBe(true);
    expect(await isLocked('other')).toBe(false);
  });
});

describe('delete', () => {
  it('forgets the keys, and the name is free again', async () => {
    await restore();
    await request('derive-next-address', { walletName: 'w' });
    await expect(request('delete', { walletName: 'w', password: 'wrong' })).rejects.toMatchObject({
      code: 'InvalidPassword',
    });
    expect(await request('delete', { walletName: 'w', password })).toEqual({});
    await expect(request('sign', { walletName: 'w', data: '11'.repeat(32) })).rejects.toMatchObject(notFound('w'));
    await expect(request('delete', { walletName: 'w', password })).rejects.toMatchObject(notFound('w'));
    const created = await request('create', { walletName: 'w', password: 'another' });
    expect((await request('addresses', { walletName: 'w' })).addresses.length).toBe(1);
    expect(created.mnemonic).not.toBe(mnemonic);
    await expect(request('unlock', { walletName: 'w', password })).rejects.toMatchObject({ code: 'InvalidPassword' });
    await request('unlock', { walletName: 'w', password: 'another' });
  });

  it('works on a locked wallet', async () => {
    await restore();
    await request('lock', { walletName: 'w' });
    await request('delete', { walletName: 'w', password });
    expect((await request('list', {})).wallets).toEqual([]);
  });

  it('no unlocking under way brings it back', async () => {
    for (let round = 0; round < 20; round++) {
      await restore();
      await request('lock', { walletName: 'w' });
      const unlocks = Array.from({ length: 3 }, () => request('unlock', { walletName: 'w', password }));
      await nextTurns(round);
      const outcomes = await Promise.allSettled([request('delete', { walletName: 'w', password }), ...unlocks]);
      expect(outcomes[0]!.status).toBe('fulfilled');
      await expect(request('sign', { walletName: 'w', data: '11'.repeat(32) })).rejects.toMatchObject(notFound('w'));
      await expect(request('addresses', { walletName: 'w' })).rejects.toMatchObject(notFound('w'));
    }
  });

  it.each(['unlock', 'delete'] as const)(
    '%s of a wallet that is replaced meanwhile does not touch its successor',
    async (name) => {
      const schema = `wallet_${schemas}`;
      const asAnotherProcess = (statements: string): Promise<void> => database.host.service(schema).script(statements);
      await request('create', { walletName: 'w', password: 'another' });
      await asAnotherProcess(
        `CREATE TABLE "${schema}".successor AS SELECT * FROM "${schema}".wallet; DELETE FROM "${schema}".wallet`,
      );
      await restore();
      await request('lock', { walletName: 'w' });
      // The request has read the old wallet and stretches its password while another process replaces it.
      let goOn: (() => void) | undefined;
      holdStretch = () => new Promise((resolve) => (goOn = resolve));
      const outcome = request(name, { walletName: 'w', password }).catch((error: unknown) => error);
      while (!goOn) await nextTurns(1);
      holdStretch = undefined;
      await asAnotherProcess(
        `DELETE FROM "${schema}".wallet; INSERT INTO "${schema}".wallet SELECT * FROM "${schema}".successor`,
      );
      goOn();
      expect(await outcome).toMatchObject(notFound('w'));
      expect(await isLocked()).toBe(true);
      await request('unlock', { walletName: 'w', password: 'another' });
    },
  );
});

describe('locking while something is under way', () => {
  it('an unlocking: the wallet stays locked', async () => {
    await restore();
    await request('lock', { walletName: 'w' });
    const goOn: (() => void)[] = [];
    holdStretch = () => new Promise((resolve) => goOn.push(resolve));
    const unlocking = request('unlock', { walletName: 'w', password });
    while (goOn.length === 0) await nextTurns(1);
    await request('lock', { walletName: 'w' });
    goOn[0]!();
    await unlocking;
    expect(await isLocked()).toBe(true);
  });

  it.each(['lock', 'time', 'delete'])('a transfer ends in WalletLocked and nothing is submitted: %s', async (how) => {
    await restore();
    world.ledger.fund(firstLockup, 10n * coin, 'funds');
    let goOn: (() => void) | undefined;
    world.ledger.beforeBuild = () => new Promise((resolve) => (goOn = resolve));
    const transfer = request('transfer', pay(coin)).catch((error: unknown) => error);
    while (!goOn) await nextTurns(1);
    if (how === 'lock') await request('lock', { walletName: 'w' });
    else if (how === 'time') world.clock.advance(lockTimeoutMs);
    else await request('delete', { walletName: 'w', password });
    goOn();
    expect(await transfer).toMatchObject({
      ...locked,
      detail: 'The wallet is locked: unlock it with its password first',
    });
    expect(world.ledger.submitted).toEqual([]);
  });
});

describe('addresses', () => {
  it('the next one, with and without a group, becomes active; each answer is its own', async () => {
    await restore();
    const walletName = 'w';
    const inGroup2 = await request('derive-next-address', { walletName, group: 2 });
    expect(inGroup2.group).toBe(2);
    const together = await Promise.all(
      Array.from({ length: 10 }, () => request('derive-next-address', { walletName })),
    );
    const { addresses, activeAddress } = await request('addresses', { walletName });
    expect(new Set(together.map(({ path }) => path)).size).toBe(10);
    expect(addresses.slice(-10)).toEqual(together);
    expect(activeAddress).toBe(together.at(-1)!.address);
    expect(addresses.map(({ path }) => path)).toEqual(addresses.map((_, index) => `m/44'/1234'/0'/0/${index}`));
  });

  it('an address of somebody else is unknown', async () => {
    await restore();
    const address = addressOf(receiver.lockupScript);
    const unknown = {
      kind: 'invalid-request',
      code: 'UnknownAddress',
      detail: `Address ${address} is not of this wallet, which has 1 address: derive-next-address makes more, after a restore the same ones in the same order`,
    };
    await expect(request('address-info', { walletName: 'w', address })).rejects.toMatchObject(unknown);
    await expect(request('change-active-address', { walletName: 'w', address })).rejects.toMatchObject(unknown);
  });

  it('the active address signs 32 bytes, nothing else', async () => {
    await restore();
    const walletName = 'w';
    const next = await request('derive-next-address', { walletName });
    const data = '798e9e137aec7c2d59d9655b4ffa640f301f628bf7c365083bb255f6aa5f89ef';
    const { signature } = await request('sign', { walletName, data });
    expect(verifySignature(hexToBytes(data), hexToBytes(signature), hexToBytes(next.publicKey))).toBe(true);
    expect(await request('sign', { walletName, data: data.toUpperCase() })).toEqual({ signature });
    for (const [wrong, found] of [
      ['', 'has 0 bytes'],
      ['xyz', 'is not hexadecimal'],
      [data.slice(2), 'has 31 bytes'],
      [`${data}00`, 'has 33 bytes'],
      [data.slice(1), 'is not hexadecimal'],
    ] as const)
      await expect(request('sign', { walletName, data: wrong })).rejects.toMatchObject({
        kind: 'invalid-request',
        code: 'InvalidData',
        detail: `What is to be signed ${found}: expected 32 bytes, as 64 hexadecimal digits, the id of a transaction`,
        data: { field: 'data' },
      });
  });
});

describe('balances and transfers', () => {
  it('balances of full precision, address by address', async () => {
    await restore();
    const second = await request('derive-next-address', { walletName: 'w', group: 1 });
    const huge = 123_456_789_012_345_678_901_234_567n;
    world.ledger.fund(firstLockup, huge, 'huge');
    world.ledger.fund(firstLockup, 1n, 'small');
    const { totalBalance, balances } = await request('balances', { walletName: 'w' });
    expect(totalBalance).toBe((huge + 1n).toString());
    expect(balances[0]).toEqual({ address: firstAddress, balance: (huge + 1n).toString(), lockedBalance: '0' });
    expect(balances.at(-1)).toEqual({ address: second.address, balance: '0', lockedBalance: '0' });
  });

  it('lock time and gas price reach the group, which builds what is signed', async () => {
    await restore();
    world.ledger.fund(firstLockup, 10n * coin, 'funds');
    const destinations = pay(coin).destinations.map((one) => ({ ...one, lockTime: '1900000000000' }));
    await request('transfer', { ...pay(coin), destinations, gasPrice: '200000000000' });
    const [received] = world.ledger.of(hexOf(receiver.lockupScript));
    expect(received!.output).toMatchObject({ amount: coin, lockTime: 1_900_000_000_000n });
  });

  it('60 at once: one after another, all succeed, nothing is spent twice', async () => {
    await restore();
    world.ledger.fund(firstLockup, 1000n * coin, 'funds');
    const sent = await Promise.all(Array.from({ length: 60 }, (_, i) => request('transfer', pay(coin + BigInt(i)))));
    expect(new Set(sent.map(({ txId }) => txId)).size).toBe(60);
    expect(sent.map(({ txId }) => txId)).toEqual(world.ledger.submitted);
    expect(sent.every(({ fromGroup, toGroup }) => fromGroup === 0 && toGroup === 2)).toBe(true);
    expect(world.ledger.underWay.most).toBe(1);
    const received = Array.from({ length: 60 }, (_, i) => coin + BigInt(i)).reduce((sum, one) => sum + one, 0n);
    expect(world.ledger.balance(hexOf(receiver.lockupScript))).toBe(received);
  });

  it('two wallets with the same mnemonic wait for each other, other addresses do not', async () => {
    await restore('a');
    await restore('b');
    world.ledger.fund(firstLockup, 1000n * coin, 'funds');
    await Promise.all(Array.from({ length: 10 }, (_, i) => request('transfer', pay(coin, i % 2 ? 'a' : 'b'))));
    expect(world.ledger.underWay.most).toBe(1);
    const other = await request('derive-next-address', { walletName: 'b', group: 0 });
    expect(other.address).not.toBe(firstAddress);
    let goOn: (() => void) | undefined;
    world.ledger.beforeBuild = () => new Promise((resolve) => (goOn ??= resolve));
    const held = request('transfer', pay(coin, 'a'));
    while (!goOn) await nextTurns(1);
    world.ledger.beforeBuild = async () => undefined;
    // The other address has no funds: its refusal comes while the first one is still held.
    await expect(request('transfer', pay(coin, 'b'))).rejects.toMatchObject({ kind: 'refused' });
    goOn();
    await held;
  });

  it('one that cannot be built or is refused tells why, and the next one goes on', async () => {
    await restore();
    world.ledger.fund(firstLockup, 10n * coin, 'funds');
    const outcomes = await Promise.allSettled([
      request('transfer', pay(1000n * coin)),
      request('transfer', pay(coin)),
      request('transfer', { ...pay(coin), gasAmount: 1 }),
      request('transfer', pay(coin)),
    ]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'rejected', 'fulfilled']);
    expect((outcomes[0] as PromiseRejectedResult).reason).toMatchObject({ kind: 'refused' });
  });

  it('a group-node that does not answer the submit: the error names the transaction', async () => {
    await restore();
    world.ledger.fund(firstLockup, 10n * coin, 'funds');
    let arrived = false;
    world.ledger.afterSubmit = () => {
      arrived = true;
      return new Promise(() => undefined);
    };
    const transfer = request('transfer', pay(coin)).catch((error: unknown) => error);
    while (!arrived) await nextTurns(1);
    world.busClock.advance(10_000);
    const error = (await transfer) as ServiceError;
    expect(error).toMatchObject({ kind: 'unavailable', code: 'DeadlineExceeded', data: { group: 0 } });
    expect(error.data['txId']).toBe(world.ledger.submitted[0]);
  });

  it('one that nobody waits for any more is not made', async () => {
    await restore();
    world.ledger.fund(firstLockup, 10n * coin, 'funds');
    let goOn: (() => void) | undefined;
    world.ledger.beforeSubmit = () => new Promise((resolve) => (goOn = resolve));
    const outcome = (sent: Promise<unknown>) => sent.catch((error: unknown) => error);
    const first = outcome(request('transfer', pay(coin)));
    const second = outcome(request('transfer', pay(coin)));
    while (!goOn) await nextTurns(1);
    world.clock.advance(25_001);
    world.busClock.advance(9_999);
    goOn();
    expect(await first).toMatchObject({ fromGroup: 0 });
    expect(await second).toMatchObject({ kind: 'unavailable', code: 'DeadlineExceeded' });
    expect(world.ledger.submitted.length).toBe(1);
    const isBuild = ({ subject, part }: TappedMessage) => part === 'request' && subject.endsWith('building.transfer');
    expect(world.messages.filter(isBuild)).toHaveLength(1);
  });

  it('a group-node that is not there: unavailable, with the number of its group', async () => {
    await restore();
    await world.groupNodes[0]!.stop();
    const missing = { kind: 'unavailable', code: 'NoResponder', data: { group: 0 } };
    await expect(request('balances', { walletName: 'w' })).rejects.toMatchObject(missing);
    await expect(request('transfer', pay(coin))).rejects.toMatchObject(missing);
  });
});

describe('health', () => {
  const get = (path: string) => fetch(`http://127.0.0.1:${world.service.port}${path}`);
  it('is ready while its database answers', async () => {
    expect((await get('/health/live')).status).toBe(200);
    expect(await (await get('/health/ready')).json()).toEqual({ ready: true, reasons: [], problems: [] });
  });
});

describe('the table', () => {
  it('has 300 addresses back after a restart, in one unlocking', async () => {
    await restore();
    for (let i = 0; i < 300; i++) await request('derive-next-address', { walletName: 'w' });
    const before = await request('addresses', { walletName: 'w' });
    await world.restart();
    await request('unlock', { walletName: 'w', password });
    expect(await request('addresses', { walletName: 'w' })).toEqual(before);
  });

  it('that cannot be written leaves the addresses as they were', async () => {
    await restore();
    const before = await request('addresses', { walletName: 'w' });
    const table = `"wallet_${schemas}".wallet`;
    const database_ = database.host.service(`wallet_${schemas}`);
    await database_.script(`ALTER TABLE ${table} ADD CONSTRAINT full_ CHECK (address_count < 2)`);
    const broken = { kind: 'broken', code: 'InternalServerError' };
    await expect(request('derive-next-address', { walletName: 'w', group: 3 })).rejects.toMatchObject(broken);
    expect(await request('addresses', { walletName: 'w' })).toEqual(before);
    await database_.script(`ALTER TABLE ${table} DROP CONSTRAINT full_`);
    await request('derive-next-address', { walletName: 'w' });
    expect((await request('addresses', { walletName: 'w' })).addresses.length).toBe(2);
  });

  it('with a damaged record: broken by name, and the try is not counted', async () => {
    await restore();
    const database_ = database.host.service(`wallet_${schemas}`);
    await database_.script(`UPDATE "wallet_${schemas}".wallet SET secret = substring(secret from 1 for 40)`);
    for (let i = 0; i < 4; i++)
      await expect(request('unlock', { walletName: 'w', password })).rejects.toMatchObject({
        kind: 'broken',
        code: 'InvalidWalletRecord',
        detail: 'The stored record of this wallet cannot be read: PUT /wallets with its mnemonic restores it',
      });
  });
});

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type ServiceError } from '@shardnode/core/errors';
import { mnemonicFromEntropy } from '@shardnode/protocol/address';
import { developmentMnemonic } from '@shardnode/testing/keys';
import { cheapStretch, createWorld, temporaryDatabase, type WalletWorld } from './wallet-world.js';

const forgotten = 'a password that nobody knows';
const password = 'the new one';
const walletName = 'w';
const mnemonic = developmentMnemonic.join(' ');
const otherMnemonic = mnemonicFromEntropy(new Uint8Array(16).fill(7)).join(' ');
const data = '11'.repeat(32);
const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

let database: Awaited<ReturnType<typeof temporaryDatabase>>;
let world: WalletWorld;
let schemas = 0;
/** A held stretching: the test decides when it goes on. */
let holdStretch: ((text: string) => Promise<void>) | undefined;
let stretched = 0;

beforeAll(async () => {
  database = await temporaryDatabase();
});
afterAll(() => database.remove());
beforeEach(async () => {
  holdStretch = undefined;
  const stretchPassword: typeof cheapStretch = async (text, salt) => {
    stretched += 1;
    await holdStretch?.(text);
    return cheapStretch(text, salt);
  };
  world = await createWorld({ host: () => database.host, schema: `forgotten_${++schemas}`, stretchPassword });
});
afterEach(() => world.stop());

const request: WalletWorld['client']['request'] = (name, payload) => world.client.request(name, payload);
const restore = (more: object = {}) => request('restore', { walletName, password, mnemonic, ...more });
const unlock = (given: string, passphrase?: string) => request('unlock', { walletName, password: given, passphrase });
const addresses = () => request('addresses', { walletName });
const errorOf = (sent: Promise<unknown>): Promise<ServiceError> =>
  sent.then(
    () => Promise.reject(new Error('it was not refused')),
    (error: unknown) => error as ServiceError,
  );
const wrongPassword = { kind: 'unauthorized', code: 'InvalidPassword' };
const exists = { kind: 'conflict', code: 'WalletExists', data: { field: 'walletName' } };
const anotherKind = (text: string) => ({
  ...exists,
  data: { field: 'isMiner' },
  message: expect.stringContaining(text),
});

/** Holds the next stretching of that password until the returned function is called. */
const heldStretch = (held: string): { readonly begun: () => Promise<void>; readonly goOn: () => void } => {
  let release: (() => void) | undefined;
  holdStretch = (text) => (text === held ? new Promise((resolve) => (release = resolve)) : Promise.resolve());
  return {
    begun: async () => {
      while (!release) await yieldToEventLoop();
    },
    goOn: () => {
      holdStretch = undefined;
      release!();
    },
  };
};

/** As a record that was stored before wallets had a fingerprint. */
const forgetFingerprint = async (): Promise<void> => {
  const schema = `forgotten_${schemas}`;
  await database.host.service(schema).script(`UPDATE "${schema}".wallet SET fingerprint = NULL`);
};

describe('restoring a wallet whose password is forgotten', () => {
  it('sets the new password, unlocked; the old one is refused', async () => {
    await restore({ password: forgotten });
    await request('lock', { walletName });
    expect(await restore()).toEqual({ walletName });
    expect(await request('list', {})).toEqual({ wallets: [{ walletName, locked: false }] });
    expect(await request('sign', { walletName, data })).toMatchObject({ signature: expect.any(String) });
    await request('lock', { walletName });
    await expect(unlock(forgotten)).rejects.toMatchObject(wrongPassword);
    await unlock(password);
    expect((await request('reveal-mnemonic', { walletName, password })).mnemonic).toBe(mnemonic);
  });

  it('of a created wallet, by the words that were shown, over a restart', async () => {
    const created = await request('create', { walletName, password: forgotten, mnemonicSize: 12 });
    await world.restart(() => database.reopen());
    await restore({ mnemonic: created.mnemonic });
    await world.restart(() => database.reopen());
    await unlock(password);
    await expect(unlock(forgotten)).rejects.toMatchObject(wrongPassword);
  });

  it.each([true, false])('keeps the addresses and the active one; unlocked before: %p', async (isUnlocked) => {
    await restore({ password: forgotten });
    await request('derive-next-address', { walletName, group: 3 });
    await request('derive-next-address', { walletName });
    const [, second] = (await addresses()).addresses;
    await request('change-active-address', { walletName, address: second!.address });
    const before = await addresses();
    if (!isUnlocked) await request('lock', { walletName });
    await restore();
    expect(await addresses()).toEqual(before);
    await world.restart();
    await unlock(password);
    expect(await addresses()).toEqual(before);
  });

  it('ends the pause after wrong passwords, in this process and the next', async () => {
    await restore({ password: forgotten });
    await request('lock', { walletName });
    for (let count = 0; count < 6; count++) {
      await expect(unlock(`guess ${count}`)).rejects.toMatchObject(wrongPassword);
      world.clock.advance(count === 5 ? 0 : 2 ** count * 1000);
    }
    await expect(unlock(forgotten)).rejects.toMatchObject({ code: 'TooManyWrongPasswords' });
    await restore();
    await request('lock', { walletName });
    // Two wrong ones begin to count anew: the first is free.
    await expect(unlock(forgotten)).rejects.toMatchObject(wrongPassword);
    await unlock(password);
    await world.restart();
    await unlock(password);
  });

  it('waits for a wrong password that is being tried, whose pause then ends too', async () => {
    await restore({ password: forgotten });
    await expect(unlock('guess')).rejects.toMatchObject(wrongPassword);
    const held = heldStretch('second guess');
    const guess = errorOf(unlock('second guess'));
    await held.begun();
    const restored = restore();
    held.goOn();
    expect(await guess).toMatchObject(wrongPassword);
    await restored;
    await unlock(password);
  });

  it('an unlocking with the old password under way ends as a wrong password', async () => {
    await restore({ password: forgotten });
    await request('lock', { walletName });
    const schema = `forgotten_${schemas}`;
    const held = heldStretch(forgotten);
    const unlocking = errorOf(unlock(forgotten));
    await held.begun();
    // The record changes below it, as when the restore had been committed in between.
    await database.host.service(schema).script(`UPDATE "${schema}".wallet SET secret = secret || '\\x00'::bytea`);
    held.goOn();
    expect(await unlocking).toMatchObject(wrongPassword);
    expect((await request('get', { walletName })).locked).toBe(true);
  });

  it('a lock that comes meanwhile wins', async () => {
    await restore({ password: forgotten });
    const held = heldStretch(password);
    const restored = restore();
    await held.begun();
    await request('lock', { walletName });
    held.goOn();
    await restored;
    expect((await request('get', { walletName })).locked).toBe(true);
    await unlock(password);
  });

  it('many at once: all are answered, and one password opens the wallet', async () => {
    const passwords = ['a', 'b', 'c', 'd', 'e'];
    await Promise.all(passwords.map((one) => restore({ password: one })));
    expect((await request('list', {})).wallets).toEqual([{ walletName, locked: false }]);
    const opened: string[] = [];
    for (const one of passwords) {
      const answer = await unlock(one).then(
        () => one,
        (error: ServiceError) => error.code,
      );
      if (answer === one) opened.push(one);
      else expect(answer).toBe('InvalidPassword');
      world.clock.advance(900_000);
    }
    expect(opened).toHaveLength(1);
    await unlock(opened[0]!);
    expect((await addresses()).addresses).toHaveLength(1);
  });

  it('that cannot be written changes nothing', async () => {
    await restore({ password: forgotten });
    await request('lock', { walletName });
    const schema = `forgotten_${schemas}`;
    const table = `"${schema}".wallet`;
    const own = database.host.service(schema);
    await own.script(`
      CREATE FUNCTION "${schema}".refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
      CREATE TRIGGER refuse BEFORE UPDATE OF secret ON ${table} FOR EACH ROW EXECUTE FUNCTION "${schema}".refuse();`);
    await expect(restore()).rejects.toMatchObject({ kind: 'broken' });
    await own.script(`DROP TRIGGER refuse ON ${table}`);
    expect((await request('get', { walletName })).locked).toBe(true);
    await unlock(forgotten);
  });
});

describe('whose wallet it is', () => {
  it.each([
    ['another mnemonic', {}, { mnemonic: otherMnemonic }],
    ['a passphrase that it does not have', {}, { passphrase: 'tea' }],
    ['no passphrase where it has one', { passphrase: 'tea' }, {}],
    ['another passphrase', { passphrase: 'tea' }, { passphrase: 'coffee' }],
  ])('%s: it exists, no password is stretched, and nothing changes', async (_case, stored, given) => {
    await restore({ password: forgotten, ...stored });
    const before = await addresses();
    stretched = 0;
    await expect(restore(given)).rejects.toMatchObject(exists);
    expect(stretched).toBe(0);
    expect(await addresses()).toEqual(before);
    const { passphrase } = stored as { passphrase?: string };
    await request('lock', { walletName });
    await unlock(forgotten, passphrase);
    expect(await addresses()).toEqual(before);
  });

  it('the same passphrase in another normal form is the same', async () => {
    await restore({ password: forgotten, passphrase: 'Ångström' });
    await restore({ passphrase: 'A\u030angstro\u0308m' });
    await unlock(password, 'Ångström');
  });

  it('an empty passphrase and none are the same seed: unlocking asks for what was given last', async () => {
    await restore({ password: forgotten });
    await restore({ passphrase: '' });
    await expect(unlock(password)).rejects.toMatchObject({ code: 'InvalidPassphrase' });
    await unlock(password, '');
  });

  it('a miner wallet stays one, with its sets; another kind is refused by name', async () => {
    await restore({ password: forgotten, isMiner: true });
    await request('derive-next-miner-addresses', { walletName });
    const before = await addresses();
    expect(before.addresses).toHaveLength(8);
    await expect(restore({ isMiner: false })).rejects.toMatchObject(anotherKind('w exists and is a miner wallet.'));
    await restore();
    expect(await addresses()).toEqual(before);
    await restore({ isMiner: true });
    expect(await request('miner-addresses', { walletName })).toMatchObject({ sets: { length: 2 } });
  });

  it('a wallet that is none for miners does not become one', async () => {
    await restore({ password: forgotten });
    await expect(restore({ isMiner: true })).rejects.toMatchObject(anotherKind('w exists and is not a miner wallet.'));
    await restore({ isMiner: false });
  });

  it('creating never takes a name that is in use', async () => {
    await restore({ password: forgotten });
    await expect(request('create', { walletName, password })).rejects.toMatchObject(exists);
    await unlock(forgotten);
  });

  it('no text tells its owner to delete it', async () => {
    await restore({ password: forgotten });
    for (const refused of [
      () => request('create', { walletName, password }),
      () => restore({ mnemonic: otherMnemonic }),
      () => restore({ isMiner: true }),
      () => forgetFingerprint().then(() => restore()),
    ]) {
      const { detail } = await errorOf(refused());
      expect(detail).toContain(`The wallet ${walletName} `);
      expect(detail).not.toMatch(/delete/i);
    }
  });
});

describe('a wallet that was stored before wallets had fingerprints', () => {
  beforeEach(async () => {
    await restore({ password: forgotten });
    await request('derive-next-address', { walletName });
    await request('lock', { walletName });
    await forgetFingerprint();
  });

  it('is not replaced, and its owner is told why', async () => {
    const error = await errorOf(restore());
    expect(error).toMatchObject(exists);
    expect(error.detail).toContain('another name');
    await unlock(forgotten);
    expect((await addresses()).addresses).toHaveLength(2);
  });

  it('gets its fingerprint when it is unlocked', async () => {
    await unlock(forgotten);
    await restore();
    await unlock(password);
    expect((await addresses()).addresses).toHaveLength(2);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@shardnode/core/errors';
import { runForRequest } from '@shardnode/core/observability';
import { developmentMnemonic } from '@shardnode/testing/keys';
import { cheapStretch, createWorld, temporaryDatabase, type WalletWorld } from '../wallet-world.js';

const clients = 50;
const tries = 10_000;
const hourMs = 3_600_000;
/** Of these ways to try a password. */
const ways = ['unlock', 'delete', 'reveal-mnemonic'] as const;
const password = 'the right one';
const attacked = ['hot', 'cold'];
const mnemonic = developmentMnemonic.join(' ');
const owner = '192.0.2.1';
let requests = 0;
/** As the gateway does for a request of that client. */
const from = <T>(client: string, ask: () => Promise<T>): Promise<T> =>
  runForRequest({ requestId: `request-${++requests}`, client }, ask);

describe('wrong passwords for an hour (00-decisions, 7)', () => {
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  let world: WalletWorld;
  /** Passwords that were turned into keys, by password: each one is told apart by its text. */
  const tried: string[] = [];
  beforeAll(async () => {
    database = await temporaryDatabase();
    world = await createWorld({
      host: () => database.host,
      schema: 'wallet_wrong_passwords',
      stretchPassword: async (text, salt) => {
        tried.push(text);
        return cheapStretch(text, salt);
      },
    });
    for (const walletName of [...attacked, 'quiet'])
      await from(owner, () => world.client.request('restore', { walletName, password, mnemonic }));
    for (const walletName of attacked) await world.client.request('lock', { walletName });
  });
  afterAll(async () => {
    await world.stop();
    await database.remove();
  });

  const outcomeOf = (number: number): Promise<ServiceError> => {
    const walletName = attacked[number % attacked.length]!;
    const way = ways[number % ways.length]!;
    const client = `10.0.0.${number % clients}`;
    return from(client, () => world.client.request(way, { walletName, password: `wrong ${number} for ${walletName}` }))
      .then(() => Promise.reject(new Error('a wrong password opened the wallet')))
      .catch((error: unknown) => error as ServiceError);
  };

  it(`${tries} tries from ${clients} clients: at most 40 a wallet are made, the others are told when to come again, and the owner opens it at any time`, async () => {
    const outcomes: ServiceError[] = [];
    const rounds = tries / clients;
    for (let round = 0; round < rounds; round++) {
      const together = Array.from({ length: clients }, (_, client) => outcomeOf(round * clients + client));
      outcomes.push(...(await Promise.all(together)));
      const walletName = attacked[round % attacked.length]!;
      expect(await from(owner, () => world.client.request('unlock', { walletName, password }))).toEqual({});
      world.clock.advance(hourMs / rounds);
    }
    const wrong = outcomes.filter(({ code }) => code === 'InvalidPassword');
    const throttled = outcomes.filter(({ code }) => code === 'TooManyWrongPasswords');
    expect(wrong.length + throttled.length).toBe(tries);
    for (const walletName of attacked) {
      const made = tried.filter((text) => text.endsWith(`for ${walletName}`)).length;
      expect(made).toBeGreaterThan(2);
      expect(made).toBeLessThanOrEqual(40);
    }
    expect(wrong.length).toBe(tried.filter((text) => text.startsWith('wrong ')).length);
    for (const { kind, data } of throttled) {
      expect(kind).toBe('throttled');
      expect(data['retryAfterSeconds']).toBeGreaterThan(0);
      expect(data['retryAfterSeconds']).toBeLessThanOrEqual(900);
    }
  });

  it('other wallets open all the while', async () => {
    expect(await world.client.request('unlock', { walletName: 'quiet', password })).toEqual({});
  });

  it.each(attacked)('the right password of %s works when the wait is over, not before', async (walletName) => {
    const unlock = () => from('192.0.2.2', () => world.client.request('unlock', { walletName, password }));
    await from(owner, () => world.client.request('lock', { walletName }));
    // So many that there is a wait for those who never opened the wallet.
    const wrong = [1, 2, 3].map((number) =>
      from(`10.0.1.${number}`, () => world.client.request('unlock', { walletName, password: 'wrong' })),
    );
    expect((await Promise.allSettled(wrong)).every(({ status }) => status === 'rejected')).toBe(true);
    const paused = (await unlock().catch((error: unknown) => error)) as ServiceError;
    expect(paused).toMatchObject({ kind: 'throttled', code: 'TooManyWrongPasswords' });
    const wait = Number(paused.data['retryAfterSeconds']) * 1000;
    world.clock.advance(wait - 1);
    await expect(unlock()).rejects.toMatchObject({ code: 'TooManyWrongPasswords' });
    world.clock.advance(1);
    expect(await unlock()).toEqual({});
    expect((await world.client.request('get', { walletName })).locked).toBe(false);
  });
});

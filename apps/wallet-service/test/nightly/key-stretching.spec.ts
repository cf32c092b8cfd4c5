import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ServiceError } from '@shardnode/core/errors';
import { stretchPassword } from '../../src/storage/secret-record.js';
import { cheapStretch, createWorld, temporaryDatabase, type WalletWorld } from '../wallet-world.js';

const mebibyte = 2 ** 20;
const wallets = ['a', 'b', 'c', 'd', 'e', 'f'];

describe('key stretching as in production', () => {
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  let world: WalletWorld;
  const state = { running: 0, most: 0, done: 0 };
  beforeAll(async () => {
    database = await temporaryDatabase();
    world = await createWorld({
      host: () => database.host,
      schema: 'wallet_stretching',
      stretchPassword: async (password, salt) => {
        state.running += 1;
        state.most = Math.max(state.most, state.running);
        try {
          return await stretchPassword(password, salt);
        } finally {
          state.running -= 1;
          state.done += 1;
        }
      },
    });
    await world.client.request('create', { walletName: 'a', password: 'p' });
  });
  afterAll(async () => {
    await world.stop();
    await database.remove();
  });

  it('two at once of 128 MiB each, whatever is asked at once; the event loop stays free', async () => {
    const base = process.memoryUsage().rss;
    const seen = { memory: 0, delay: 0 };
    let last = performance.now();
    const timer = setInterval(() => {
      seen.memory = Math.max(seen.memory, process.memoryUsage().rss - base);
      seen.delay = Math.max(seen.delay, performance.now() - last);
      last = performance.now();
    }, 5);
    const begun = performance.now();
    await Promise.all(
      wallets.slice(1).map((walletName) => world.client.request('create', { walletName, password: walletName })),
    );
    const unlocks = wallets
      .slice(1)
      .map((walletName) => world.client.request('unlock', { walletName, password: walletName }));
    await Promise.all(unlocks);
    const each = (performance.now() - begun) / 10;
    clearInterval(timer);
    expect(state).toEqual({ running: 0, most: 2, done: 11 });
    expect(seen.memory / mebibyte).toBeLessThan(2 * 128 + 64);
    expect(seen.delay).toBeLessThan(1000);
    process.stdout.write(
      `key stretching: ${each.toFixed(0)} ms each of 10, ${(seen.memory / mebibyte).toFixed(0)} MiB at most, longest delay of the event loop ${seen.delay.toFixed(0)} ms\n`,
    );
  });
});

describe('one key at a time, as in a process that is shared', () => {
  let database: Awaited<ReturnType<typeof temporaryDatabase>>;
  let world: WalletWorld;
  const held: (() => void)[] = [];
  const state = { running: 0, most: 0 };
  beforeAll(async () => {
    database = await temporaryDatabase();
    world = await createWorld({
      host: () => database.host,
      schema: 'wallet_one_key',
      keyDerivations: 1,
      stretchPassword: async (password, salt) => {
        state.running += 1;
        state.most = Math.max(state.most, state.running);
        await new Promise<void>((resolve) => held.push(resolve));
        state.running -= 1;
        return cheapStretch(password, salt);
      },
    });
  });
  afterAll(async () => {
    await world.stop();
    await database.remove();
  });

  it('32 more wait and are served; the next is told to come again', async () => {
    const created = Array.from({ length: 40 }, (_, i) =>
      world.client
        .request('create', { walletName: `w${i}`, password: 'p' })
        .then(() => 'created')
        .catch((error: unknown) => error as ServiceError),
    );
    const refused = (await Promise.all(created.slice(33))) as ServiceError[];
    for (const error of refused)
      expect(error).toMatchObject({
        kind: 'throttled',
        code: 'TooManyPasswordChecks',
        data: { retryAfterSeconds: expect.any(Number) },
      });
    for (let served = 0; served < 33; served++) {
      while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
      held.shift()!();
    }
    expect(await Promise.all(created.slice(0, 33))).toEqual(Array.from({ length: 33 }, () => 'created'));
    expect(state.most).toBe(1);
  });
});

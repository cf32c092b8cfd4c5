import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { createStoppedClock } from '@shardnode/testing/clocks';
import {
  noTries,
  pauseAfter,
  PasswordGuard,
  type ClientTries,
  type PasswordTries,
  type PasswordTriesStore,
} from './password-guard.js';

const memoryStore = (): PasswordTriesStore & { readonly rows: Map<string, PasswordTries> } => {
  const rows = new Map<string, PasswordTries>();
  const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    rows,
    passwordTries: async (name) => {
      await yieldToEventLoop();
      return rows.get(name) ?? noTries;
    },
    setPasswordTries: async (name, tries) => {
      await yieldToEventLoop();
      rows.set(name, tries);
    },
  };
};

const setUp = () => {
  const clock = createStoppedClock();
  const store = memoryStore();
  let guard = new PasswordGuard(store, clock);
  return {
    clock,
    store,
    restart: () => (guard = new PasswordGuard(store, clock)),
    wrong: (name = 'w', client?: string) =>
      guard.guarded(name, client, async () => undefined).catch((error: { code: string; data: object }) => error),
    right: (name = 'w', client?: string) => guard.guarded(name, client, async () => 'opened'),
    failing: (name = 'w', client?: string) => guard.guarded(name, client, () => Promise.reject(new Error('no memory'))),
    created: (name = 'w', client?: string) =>
      guard.whileNoneIsTried(name, client, async (tries) => {
        store.rows.set(name, tries);
      }),
  };
};
const failuresOf = (tries: PasswordTries | undefined, of = ''): number | undefined =>
  tries?.clients.find(({ client }) => client === of)?.failures;
const throttledFor = (retryAfterSeconds: number) => ({
  kind: 'throttled',
  code: 'TooManyWrongPasswords',
  data: { retryAfterSeconds },
});
const isWrong = { kind: 'unauthorized', code: 'InvalidPassword', data: { field: 'password' } };

describe('pause after wrong passwords (00-decisions, 7)', () => {
  it('the first is free, then 1, 2, 4 ... seconds up to 15 minutes', () => {
    expect([0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 60, 5000].map((count) => pauseAfter(count) / 1000)).toEqual([
      0, 0, 1, 2, 4, 8, 256, 512, 900, 900, 900, 900,
    ]);
  });

  it('of a known client up to a minute', () => {
    expect([1, 2, 3, 7, 8, 5000].map((count) => pauseAfter(count, true) / 1000)).toEqual([0, 1, 2, 32, 60, 60]);
  });
});

describe('password guard', () => {
  it('refuses every password, the right one too, until the pause is over', async () => {
    const { clock, wrong, right } = setUp();
    expect(await wrong()).toMatchObject(isWrong);
    for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
      expect(await wrong()).toMatchObject(isWrong);
      await expect(right()).rejects.toMatchObject(throttledFor(seconds));
      clock.advance(seconds * 1000 - 1);
      await expect(right()).rejects.toMatchObject(throttledFor(1));
      expect(await wrong()).toMatchObject(throttledFor(1));
      clock.advance(1);
    }
    expect(await right()).toBe('opened');
  });

  it('reports the number of wrong ones, and when the next one is tried', async () => {
    const { clock, wrong } = setUp();
    clock.advance(Date.parse('2026-01-01T00:00:00Z') - clock.now());
    const texts: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      texts.push(((await wrong()) as unknown as { detail: string }).detail);
      if (i === 1) clock.advance(1000);
    }
    expect(texts).toEqual([
      'The password is wrong. After another wrong one there is a pause of 1 s, then of twice as long each time',
      'The password is wrong (2 wrong ones in a row). The next one is tried in 1 s at the earliest',
      'The password is wrong (3 wrong ones in a row). The next one is tried in 2 s at the earliest',
      'After 3 wrong passwords in a row no other is tried before 2026-01-01T00:00:03.000Z: try again in 2 s',
    ]);
  });

  it('the right password resets the count', async () => {
    const { clock, store, wrong, right } = setUp();
    await wrong();
    await wrong();
    clock.advance(1000);
    expect(await right()).toBe('opened');
    expect(failuresOf(store.rows.get('w'))).toBe(0);
    expect(await wrong()).toMatchObject(isWrong);
    expect(await right()).toBe('opened');
  });

  it('count and pause survive a restart', async () => {
    const { clock, restart, wrong, right } = setUp();
    for (let i = 0; i < 2; i++) await wrong();
    clock.advance(1000);
    await wrong();
    restart();
    await expect(right()).rejects.toMatchObject(throttledFor(2));
    clock.advance(2000);
    restart();
    expect(await wrong()).toMatchObject(isWrong);
    await expect(right()).rejects.toMatchObject(throttledFor(4));
  });

  it('a process killed during a try does not win it', async () => {
    const { clock, store, restart, wrong, right } = setUp();
    await wrong();
    const guard = new PasswordGuard(store, clock);
    let reached: () => void = () => undefined;
    const inTry = new Promise<void>((resolve) => (reached = resolve));
    void guard.guarded('w', undefined, () => new Promise(() => reached()));
    await inTry;
    restart();
    await expect(right()).rejects.toMatchObject(throttledFor(1));
  });

  it('parallel attempts are counted one by one', async () => {
    const { store, wrong } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => wrong()));
    const codes = outcomes.map((outcome) => (outcome as { code: string }).code);
    expect(codes.filter((code) => code === 'InvalidPassword').length).toBe(2);
    expect(codes.filter((code) => code === 'TooManyWrongPasswords').length).toBe(48);
    expect(failuresOf(store.rows.get('w'))).toBe(2);
  });

  it('wallets do not wait for each other', async () => {
    const { wrong, right } = setUp();
    await wrong('a');
    await wrong('a');
    await expect(right('a')).rejects.toMatchObject(throttledFor(1));
    expect(await right('b')).toBe('opened');
  });

  it('an attempt that could not be made is not counted', async () => {
    const { clock, store, wrong, right, failing } = setUp();
    await wrong();
    for (let i = 0; i < 5; i++) await expect(failing()).rejects.toThrow('no memory');
    expect(failuresOf(store.rows.get('w'))).toBe(1);
    expect(await wrong()).toMatchObject(isWrong);
    clock.advance(1000);
    await expect(failing()).rejects.toThrow('no memory');
    expect(await right()).toBe('opened');
  });

  it('jumps of the wall clock neither shorten nor prolong a pause', async () => {
    const { clock, wrong, right } = setUp();
    await wrong();
    await wrong();
    clock.setWallClock(clock.now() + 3_600_000);
    await expect(right()).rejects.toMatchObject(throttledFor(1));
    clock.setWallClock(clock.now() - 7_200_000);
    clock.advance(1000);
    expect(await right()).toBe('opened');
  });

  it('a wall clock that is a year behind after a restart costs one pause, not a year', async () => {
    const { clock, restart, wrong, right, created } = setUp();
    await created('w', 'owner');
    for (let i = 0; i < 2; i++) await wrong('w', 'owner');
    clock.advance(1000);
    await wrong('w', 'owner');
    await wrong('w', 'stranger');
    clock.setWallClock(clock.now() - 365 * 86_400_000);
    restart();
    await expect(right('w', 'owner')).rejects.toMatchObject(throttledFor(2));
    // The longest that strangers wait for each other.
    await expect(right('w', 'stranger')).rejects.toMatchObject(throttledFor(180));
    clock.advance(2000);
    expect(await right('w', 'owner')).toBe('opened');
    clock.advance(178_000);
    expect(await right('w', 'stranger')).toBe('opened');
  });
});

const hourMs = 3_600_000;
/** Tries of a guesser who waits for nothing, from its clients in turn, and how many were made. */
const guess = async (
  { clock, wrong }: ReturnType<typeof setUp>,
  {
    clients,
    everyMs,
    forMs,
  }: { readonly clients: readonly string[]; readonly everyMs: number; readonly forMs: number },
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<number> => {
  let made = 0;
  for (let turn = 0; turn * everyMs < forMs; turn++) {
    const { code } = (await wrong('w', clients[turn % clients.length])) as { code: string };
    if (code === 'InvalidPassword') made += 1;
    await meanwhile();
    clock.advance(everyMs);
  }
  return made;
};
const names = (prefix: string, count: number): string[] => Array.from({ length: count }, (_, i) => `${prefix} ${i}`);

describe('clients of a wallet', () => {
  it('wait for their own wrong passwords, not for those of another', async () => {
    const world = setUp();
    expect(await guess(world, { clients: ['guesser'], everyMs: 1000, forMs: hourMs })).toBeLessThanOrEqual(14);
    await expect(world.right('w', 'guesser')).rejects.toMatchObject({ code: 'TooManyWrongPasswords' });
    expect(await world.right('w', 'new machine')).toBe('opened');
  });

  it('a right password ends the pauses of its own client alone', async () => {
    const { wrong, right, clock } = setUp();
    for (let i = 0; i < 2; i++) await wrong('w', 'guesser');
    expect(await right('w', 'owner')).toBe('opened');
    await expect(right('w', 'guesser')).rejects.toMatchObject(throttledFor(1));
    clock.advance(1000);
    expect(await right('w', 'guesser')).toBe('opened');
  });

  it('strangers share 20 wrong ones, then one in 3 minutes; the error says so', async () => {
    const { clock, wrong, right, restart, created } = setUp();
    // That of a known client is none of them.
    await created('w', 'owner');
    expect(await wrong('w', 'owner')).toMatchObject(isWrong);
    for (const client of names('guesser', 20)) expect(await wrong('w', client)).toMatchObject(isWrong);
    const refused = await wrong('w', 'one more');
    expect(refused).toMatchObject(throttledFor(180));
    expect(refused).toMatchObject({ detail: expect.stringMatching(/^After many wrong passwords of many clients no/) });
    restart();
    await expect(right('w', 'new machine')).rejects.toMatchObject(throttledFor(180));
    clock.advance(180_000);
    expect(await wrong('w', 'one more')).toMatchObject(isWrong);
    expect(await wrong('w', 'another one')).toMatchObject(throttledFor(180));
  });

  it('who has opened the wallet, created it or set its password is known, over a restart too', async () => {
    const { wrong, right, restart, created } = setUp();
    await created('w', 'creator');
    await right('w', 'opener');
    for (const client of names('guesser', 20)) expect(await wrong('w', client)).toMatchObject(isWrong);
    restart();
    expect(await right('w', 'creator')).toBe('opened');
    expect(await right('w', 'opener')).toBe('opened');
    await expect(right('w', 'new machine')).rejects.toMatchObject({ code: 'TooManyWrongPasswords' });
    await created('w', 'new machine');
    for (const client of names('guesser', 21)) await wrong('w', client);
    expect(await right('w', 'new machine')).toBe('opened');
    await expect(right('w', 'opener')).rejects.toMatchObject({ code: 'TooManyWrongPasswords' });
  });

  it('a client without a name never becomes known', async () => {
    const { wrong, right } = setUp();
    expect(await right('w')).toBe('opened');
    for (const client of names('guesser', 20)) await wrong('w', client);
    await expect(right('w')).rejects.toMatchObject(throttledFor(180));
  });

  it('so many are remembered: 8 known ones, which strangers do not evict, and 24 others', async () => {
    const { store, clock, wrong, right } = setUp();
    for (const client of names('owner', 9)) await right('w', client);
    for (const client of names('guesser', 100)) {
      await wrong('w', client);
      clock.advance(180_000);
    }
    const { clients } = store.rows.get('w')!;
    const named = (isKnown: boolean) => clients.filter((one: ClientTries) => one.isKnown === isKnown);
    expect(named(true).map(({ client }) => client)).toEqual(names('owner', 9).slice(1).reverse());
    expect(named(false).map(({ client }) => client)).toEqual(names('guesser', 100).slice(-24).reverse());
  });

  it('a guesser of any number of clients tries 40 in an hour at most; a known client never waits for it', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 60 }),
        fc.integer({ min: 10, max: 120 }),
        async (clients, everySeconds) => {
          const world = setUp();
          await world.created('w', 'owner');
          const guesses = { clients: names('guesser', clients), everyMs: everySeconds * 1000, forMs: hourMs };
          const made = await guess(world, guesses, async () => {
            expect(await world.right('w', 'owner')).toBe('opened');
          });
          expect(made).toBeLessThanOrEqual(40);
          // 20 at once, and 20 more for each hour.
          expect(made + (await guess(world, guesses))).toBeLessThanOrEqual(60);
        },
      ),
      { numRuns: 8 },
    );
  });

  it('an owner behind the address of a guesser waits for a minute at most', async () => {
    const world = setUp();
    await world.created('w', 'shared');
    await guess(world, { clients: ['shared'], everyMs: 1000, forMs: hourMs / 2 });
    const { data } = (await world.right('w', 'shared').catch((error: unknown) => error)) as {
      data: { retryAfterSeconds: number };
    };
    expect(data.retryAfterSeconds).toBeLessThanOrEqual(60);
    world.clock.advance(data.retryAfterSeconds * 1000);
    expect(await world.right('w', 'shared')).toBe('opened');
  });
});

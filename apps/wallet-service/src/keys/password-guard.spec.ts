import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { pauseAfter, PasswordGuard, type FailureStore, type PasswordFailures } from './password-guard.js';

const memoryStore = (): FailureStore & { readonly rows: Map<string, PasswordFailures> } => {
  const rows = new Map<string, PasswordFailures>();
  const yieldToEventLoop = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  return {
    rows,
    failures: async (name) => {
      await yieldToEventLoop();
      return rows.get(name) ?? { count: 0, blockedUntil: 0 };
    },
    setFailures: async (name, failures) => {
      await yieldToEventLoop();
      rows.set(name, failures);
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
    wrong: (name = 'w') =>
      guard.guarded(name, async () => undefined).catch((error: { code: string; data: object }) => error),
    right: (name = 'w') => guard.guarded(name, async () => 'opened'),
    failing: (name = 'w') => guard.guarded(name, () => Promise.reject(new Error('no memory'))),
  };
};
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
    expect(store.rows.get('w')).toEqual({ count: 0, blockedUntil: 0 });
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
    void guard.guarded('w', () => new Promise(() => reached()));
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
    expect(store.rows.get('w')?.count).toBe(2);
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
    expect(store.rows.get('w')?.count).toBe(1);
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
    const { clock, restart, wrong, right } = setUp();
    for (let i = 0; i < 2; i++) await wrong();
    clock.advance(1000);
    await wrong();
    clock.setWallClock(clock.now() - 365 * 86_400_000);
    restart();
    await expect(right()).rejects.toMatchObject(throttledFor(2));
    clock.advance(2000);
    expect(await right()).toBe('opened');
  });
});

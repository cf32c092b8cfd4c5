import { expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { ApiKeys, createApiKeyCheck } from './api-keys.js';
import { roles } from './roles.js';

const [first, next, third] = ['a'.repeat(32), 'b'.repeat(40), 'c'.repeat(32)];

/** Keys of a file, and a clock; tests change both. */
const open = (overlapMs?: number) => {
  const file: { key: string | undefined } = { key: first };
  const clock = createStoppedClock();
  const keys = new ApiKeys({ operate: () => file.key }, { clock, ...(overlapMs === undefined ? {} : { overlapMs }) });
  const isRight = (sent: string): boolean => keys.roleOf(sent) === 'operate';
  const rotate = (key: string | undefined): void => {
    file.key = key;
    clock.advance(1_000);
  };
  return { keys, file, clock, isRight, rotate };
};

it('a key that its file replaces is wrong a second later, and the new one is right', () => {
  const { keys, file, clock, isRight, rotate } = open();
  const check = createApiKeyCheck(keys);
  expect([isRight(first), isRight(next)]).toEqual([true, false]);
  file.key = next;
  clock.advance(999);
  expect(isRight(first)).toBe(true);
  rotate(next);
  expect([isRight(first), isRight(next)]).toEqual([false, true]);
  expect(() => check(first, 'read')).toThrow('is not that of this API');
  expect(() => check(undefined, 'read')).toThrow('The header X-API-KEY is missing');
  check(next, 'operate');
  // A text that is too short for a key opens nothing.
  rotate('short');
  expect([isRight('short'), isRight(next), isRight(first)]).toEqual([false, false, false]);
});

it('the former key stays valid for the overlap, and never two of them', () => {
  const { keys, clock, isRight, rotate } = open(60_000);
  rotate(next);
  expect([isRight(first), isRight(next)]).toEqual([true, true]);
  clock.advance(59_999);
  expect(isRight(first)).toBe(true);
  clock.advance(1);
  expect([isRight(first), isRight(next)]).toEqual([false, true]);
  rotate(third);
  expect([isRight(first), isRight(next), isRight(third)]).toEqual([false, true, true]);
  rotate(first);
  expect([isRight(first), isRight(next), isRight(third)]).toEqual([true, false, true]);
  keys.close();
});

it('a file without a key admits no client, and the key before it is the former one of the next', () => {
  const { keys, isRight, rotate } = open(60_000);
  rotate(undefined);
  expect([isRight(first), isRight(next)]).toEqual([false, false]);
  rotate(next);
  expect([isRight(first), isRight(next)]).toEqual([true, true]);
  keys.close();
});

it('the overlap of the former key starts with the new one, also without requests', () => {
  const { keys, clock, isRight, rotate } = open(10_000);
  rotate(next);
  clock.advance(10_000);
  expect([isRight(first), isRight(next)]).toEqual([false, true]);
  keys.close();
  expect(clock.pendingTimers).toBe(0);
});

it('a key from a text never changes', () => {
  const keys = new ApiKeys({ operate: first }, { overlapMs: 60_000 });
  expect([keys.roleOf(first), keys.roleOf(next)]).toEqual(['operate', undefined]);
});

const ofRoles = { read: 'r'.repeat(32), wallets: 'w'.repeat(32), operate: 'o'.repeat(32) } as const;

it('each role has its key, and the rights of those before it', () => {
  const keys = new ApiKeys(ofRoles);
  const check = createApiKeyCheck(keys);
  const permitted = roles.map((role) =>
    roles.filter((needed) => {
      try {
        check(ofRoles[role], needed);
        return true;
      } catch (error) {
        expect(error).toMatchObject({ kind: 'forbidden', code: 'KeyNotPermitted' });
        return false;
      }
    }),
  );
  expect(permitted).toEqual([['read'], ['read', 'wallets'], ['read', 'wallets', 'operate']]);
  expect([keys.roleOf(undefined), keys.roleOf(['r'.repeat(32)]), keys.roleOf('x'.repeat(32))]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

it('a role without a key has none: no text opens it', () => {
  const keys = new ApiKeys({ operate: ofRoles.operate, read: undefined });
  expect(Object.values(ofRoles).map((key) => keys.roleOf(key))).toEqual([undefined, undefined, 'operate']);
});

it('the key of one role is replaced and those of the others stay, each with its own overlap', () => {
  const files: Record<string, string> = { ...ofRoles };
  const clock = createStoppedClock();
  const keys = new ApiKeys(
    { read: () => files.read, wallets: () => files.wallets, operate: ofRoles.operate },
    { clock, overlapMs: 10_000 },
  );
  const current = (): unknown[] => Object.values(ofRoles).map((key) => keys.roleOf(key));
  files.read = next;
  clock.advance(1_000);
  expect([...current(), keys.roleOf(next)]).toEqual(['read', 'wallets', 'operate', 'read']);
  clock.advance(10_000);
  expect([...current(), keys.roleOf(next)]).toEqual([undefined, 'wallets', 'operate', 'read']);
  keys.close();
});

it('a key that comes into the files of two roles has the fewer rights', () => {
  let read: string = ofRoles.read;
  const clock = createStoppedClock();
  const keys = new ApiKeys({ read: () => read, operate: ofRoles.operate }, { clock });
  read = ofRoles.operate;
  clock.advance(1_000);
  expect(keys.roleOf(ofRoles.operate)).toBe('read');
});

import { describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { UnlockedWallet } from './unlocked-wallet.js';
import { UnlockedWallets } from './unlocked-wallets.js';

const timeout = 600_000;
const wallet = (): UnlockedWallet => UnlockedWallet.create(new Uint8Array(64).fill(7), 4, false);
const setUp = () => {
  const clock = createStoppedClock();
  const unlocked = new UnlockedWallets(clock, timeout);
  const unlock = (name: string, one = wallet()) =>
    unlocked.unlocking(name, async (unlocking) => unlocked.hold(unlocking, one));
  return { clock, unlocked, unlock };
};
const signs = (one: UnlockedWallet): boolean => {
  try {
    return one.sign(0, new Uint8Array(32)).length === 64;
  } catch {
    return false;
  }
};

describe('auto-lock (protocol 07 §3.3)', () => {
  it('locks after the timeout, and wipes the keys', async () => {
    const { clock, unlocked, unlock } = setUp();
    const one = wallet();
    await unlock('w', one);
    clock.advance(timeout - 1);
    expect(unlocked.get('w')).toBe(one);
    expect(signs(one)).toBe(true);
    clock.advance(1);
    expect(unlocked.get('w')).toBeUndefined();
    expect(signs(one)).toBe(false);
    expect(() => one.deriveNext(undefined)).toThrow('The wallet is locked');
    expect(clock.pendingTimers).toBe(0);
  });

  it('every touch restarts the timeout, for its wallet alone', async () => {
    const { clock, unlocked, unlock } = setUp();
    await unlock('a');
    await unlock('b');
    for (let i = 0; i < 5; i++) {
      clock.advance(timeout - 1);
      unlocked.touch('a');
    }
    expect(unlocked.get('a')).toBeDefined();
    expect(unlocked.get('b')).toBeUndefined();
    unlocked.touch('b');
    unlocked.touch('unknown');
    expect(unlocked.get('b')).toBeUndefined();
  });

  it('jumps of the wall clock do not matter', async () => {
    const { clock, unlocked, unlock } = setUp();
    await unlock('w');
    clock.setWallClock(clock.now() + 10 * timeout);
    clock.advance(timeout - 1);
    expect(unlocked.get('w')).toBeDefined();
    clock.setWallClock(0);
    clock.advance(1);
    expect(unlocked.get('w')).toBeUndefined();
  });
});

describe('locking', () => {
  it('wins over an unlocking in progress', async () => {
    const { unlocked } = setUp();
    const one = wallet();
    await unlocked.unlocking('w', async (unlocking) => {
      unlocked.lock('w');
      unlocked.hold(unlocking, one);
    });
    expect(unlocked.get('w')).toBeUndefined();
    expect(signs(one)).toBe(false);
  });

  it('of another wallet leaves it alone; a later unlocking counts', async () => {
    const { unlocked, unlock } = setUp();
    await unlocked.unlocking('w', async (unlocking) => {
      unlocked.lock('other');
      unlocked.hold(unlocking, wallet());
    });
    expect(unlocked.get('w')).toBeDefined();
    unlocked.lock('w');
    await unlock('w');
    expect(unlocked.get('w')).toBeDefined();
  });

  it('of all, at the end of the service, wins too', async () => {
    const { clock, unlocked, unlock } = setUp();
    await unlock('a');
    await unlocked.unlocking('b', async (unlocking) => {
      unlocked.lockAll();
      unlocked.hold(unlocking, wallet());
    });
    expect([unlocked.get('a'), unlocked.get('b')]).toEqual([undefined, undefined]);
    expect(clock.pendingTimers).toBe(0);
  });
});

import { describe, expect, it } from '@jest/globals';
import { ClientSemaphore } from './client-semaphore.js';
import { type Release } from './release.js';

const full = { ofOne: () => new Error('full of one'), inAll: () => new Error('full of all') };
const semaphore = () => new ClientSemaphore({ permits: { inAll: 3, ofOne: 2 }, waiting: { inAll: 3, ofOne: 2 }, full });
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a semaphore that clients share', () => {
  it('gives one client its part, others the rest, and rejects whom it cannot let wait', async () => {
    const shared = semaphore();
    await Promise.all([shared.acquire('a'), shared.acquire('a'), shared.acquire('b')]);
    for (const client of ['a', 'a', 'b']) void shared.acquire(client);
    await expect(shared.acquire('a')).rejects.toThrow('full of one');
    await expect(shared.acquire('c')).rejects.toThrow('full of all');
  });

  it('gives a permit to the waiting client with the fewest, then to the one that has waited longest', async () => {
    const shared = semaphore();
    const [first, , last] = await Promise.all([shared.acquire('a'), shared.acquire('a'), shared.acquire('b')]);
    const order: string[] = [];
    const releases: Release[] = [];
    const wait = async (client: string, name: string): Promise<void> => {
      releases.push(await shared.acquire(client));
      order.push(name);
    };
    const waiting = [wait('a', 'a3'), wait('a', 'a4'), wait('c', 'c1')];
    last!();
    await settled();
    // Client a has its part already.
    expect(order).toEqual(['c1']);
    first!();
    first!();
    await settled();
    expect(order).toEqual(['c1', 'a3']);
    releases[1]!();
    await Promise.all(waiting);
    expect(order).toEqual(['c1', 'a3', 'a4']);
  });

  it('gives permits to waiting clients in rotation', async () => {
    const waiting = { inAll: 20, ofOne: 10 };
    const shared = new ClientSemaphore({ permits: { inAll: 1, ofOne: 1 }, waiting, full });
    const order: string[] = [];
    const one = async (name: string): Promise<void> => {
      const release = await shared.acquire(name[0]!);
      order.push(name);
      await settled();
      release();
    };
    await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map(one));
    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('forgets who leaves while waiting', async () => {
    const shared = semaphore();
    const [first] = await Promise.all([shared.acquire('a'), shared.acquire('a')]);
    const leaving = new AbortController();
    const gone = shared.acquire('a', leaving.signal);
    const next = shared.acquire('a');
    leaving.abort(new Error('gone'));
    await expect(gone).rejects.toThrow('gone');
    await expect(shared.acquire('a', leaving.signal)).rejects.toThrow('gone');
    first!();
    (await next)();
  });
});

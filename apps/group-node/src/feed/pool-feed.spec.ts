import { describe, expect, it } from '@jest/globals';
import { type PeerPublisher, type PoolChange } from '@shardnode/messages';
import { developmentNetwork } from '@shardnode/protocol/network';
import { Mempool } from '@shardnode/protocol/policy';
import { transactionId } from '@shardnode/protocol/transaction';
import { assetOutput, inventedOutput, unsignedTemplate } from '@shardnode/testing/builders';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { testKeyOfGroup } from '@shardnode/testing/keys';
import { type GroupState } from '../view/group-state.js';
import { PoolFeed } from './pool-feed.js';

const { lockupScript } = testKeyOfGroup(0);

const open = () => {
  const clock = createStoppedClock();
  const published: PoolChange[] = [];
  const publish = ((_name: string, change: PoolChange) => void published.push(change)) as PeerPublisher['publish'];
  const state = { settings: developmentNetwork, group: 0, pool: new Mempool(0, 4) } as unknown as GroupState;
  const feed = new PoolFeed({ state, clock, peers: { publish }, randomBytes: (length) => new Uint8Array(length) });
  feed.start();
  /** Adds transaction number `i`; returns its id. */
  const add = (i: number): string => {
    const { reference } = inventedOutput(assetOutput(lockupScript, 1n), `output ${i}`);
    const template = unsignedTemplate([reference], [lockupScript]);
    state.pool.add(template, BigInt(i));
    return transactionId(template.unsigned);
  };
  return { clock, published, state, feed, add };
};

describe('changes of the pool', () => {
  it('are collected for 250 ms, with the reason of each removal', () => {
    const { clock, published, state, add } = open();
    const ids = [0, 1, 2, 3].map(add);
    clock.advance(250);
    state.pool.confirm([ids[0]!]);
    state.pool.drop([ids[1]!], 'expired');
    state.pool.drop([ids[2]!]);
    const id = add(4);
    clock.advance(249);
    expect(published).toHaveLength(1);
    clock.advance(1);
    state.pool.clear();
    clock.advance(250);
    expect(published.map(({ seq, size }) => [seq, size])).toEqual([
      [1, 4],
      [2, 2],
      [3, 0],
    ]);
    expect(published[0]!.added.map(({ txId }) => txId)).toEqual(ids);
    expect(published[1]!.added.map(({ txId }) => txId)).toEqual([id]);
    expect(published[1]!.removed).toEqual([
      { txId: ids[0], reason: 'mined' },
      { txId: ids[1], reason: 'expired' },
      { txId: ids[2], reason: 'conflict' },
    ]);
    expect(published[2]!.removed.map(({ reason }) => reason)).toEqual(['cleared', 'cleared']);
    clock.advance(10_000);
    expect(published).toHaveLength(3);
  });

  it('are an overflow above 200, and when memory was rebuilt', () => {
    const { clock, published, state, feed, add } = open();
    for (let i = 0; i < 200; i++) add(i);
    clock.advance(250);
    expect(published[0]!.added).toHaveLength(200);
    for (let i = 200; i < 405; i++) add(i);
    clock.advance(250);
    expect(published[1]).toMatchObject({ seq: 2, added: [], removed: [], overflow: true, size: 405 });
    state.pool = new Mempool(0, 4);
    feed.replaced();
    add(500);
    clock.advance(250);
    expect(published[2]).toMatchObject({ seq: 3, added: [], overflow: true, size: 1 });
    add(501);
    clock.advance(250);
    expect(published[3]).toMatchObject({ seq: 4, size: 2 });
    expect(published[3]!.added).toHaveLength(1);
  });

  it('follow on a list, page by page in the order of ids', () => {
    const { feed, add, clock } = open();
    const ids = Array.from({ length: 700 }, (_, i) => add(i)).sort();
    clock.advance(250);
    const first = feed.list();
    expect([first.transactions.length, first.more, first.size, first.seq]).toEqual([500, true, 700, 1]);
    const second = feed.list(first.transactions.at(-1)!.txId);
    expect([second.transactions.length, second.more]).toEqual([200, false]);
    expect([...first.transactions, ...second.transactions].map(({ txId }) => txId)).toEqual(ids);
  });
});

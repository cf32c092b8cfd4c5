import { beforeEach, describe, expect, it } from '@jest/globals';
import { explorerEvents, type LiveChange, mostLiveAddresses } from '@shardnode/messages';
import { createStoppedClock, type StoppedClock } from '@shardnode/testing/clocks';
import { type BlockRow } from '../blocks/block-rows.js';
import { type IndexChange } from '../index-store/open-index.js';
import { LiveChanges } from './live-changes.js';

const hashOf = (n: number): string => n.toString(16).padStart(64, '0');
const chain = { from: 0, to: 1 };
const block = (n: number): BlockRow =>
  ({ hash: hashOf(n), timestamp: 7n, chain, height: n, txCount: 2, hashRate: 9n }) as BlockRow;
const nothing: IndexChange = { added: [], removed: [], unpended: [], confirmed: [], reverted: [] };
const pending = (n: number, addresses: readonly string[] = []) => ({ hash: hashOf(n), chain, seenAt: 3n, addresses });

describe('changes that the writer tells', () => {
  let told: LiveChange[];
  let clock: StoppedClock;
  let changes: LiveChanges;
  beforeEach(() => {
    told = [];
    clock = createStoppedClock();
    changes = new LiveChanges('epoch', (change) => told.push(change), clock);
  });
  const said = (): unknown[] => told.map(({ name, data }) => [name, data]);

  it('have numbers without a gap, and fit the schema of the bus', () => {
    changes.blocks({ ...nothing, added: [block(1), block(2)], confirmed: [{ hash: hashOf(9), addresses: ['a'] }] });
    changes.stats({
      totalTransactions: 1,
      totalBlocks: 1,
      hashRate: '1',
      averageBlockTimeMs: 1,
      pendingCount: 0,
      lagMs: 0,
    });
    expect(told.map(({ n, name }) => [n, name])).toEqual([
      [1, 'transactions'],
      [2, 'block'],
      [3, 'block'],
      [4, 'stats'],
    ]);
    for (const change of told) explorerEvents['explorer.live'].schema.schemaFor(4).parse(change);
  });

  it('of a reorganisation name what was removed and added, reverted transactions before confirmed ones', () => {
    const removed = [3, 2].map((n) => ({ ...block(n), blockId: 1n }));
    const transaction = { hash: hashOf(9), addresses: ['a'] };
    changes.blocks({ ...nothing, removed, added: [block(12)], confirmed: [transaction], reverted: [transaction] });
    expect(told.map(({ name, data }) => [name, 'kind' in data ? data.kind : undefined])).toEqual([
      ['transactions', 'reverted'],
      ['transactions', 'confirmed'],
      ['reorg', undefined],
    ]);
    expect(told[2]!.data).toMatchObject({
      chainFrom: 0,
      chainTo: 1,
      forkHeight: 1,
      removed: [hashOf(3), hashOf(2)],
      added: [{ hash: hashOf(12), mainChain: true, hashRate: '9' }],
    });
  });

  it('leave a number out for a reorganisation that is too long for a message', () => {
    const removed = Array.from({ length: 1_001 }, (_, i) => ({ ...block(2_000 - i), blockId: 1n }));
    changes.blocks({ ...nothing, removed });
    changes.blocks({ ...nothing, added: [block(1)] });
    expect(told.map(({ n }) => n)).toEqual([2]);
  });

  it('of the mempools come at most twice a second, summed up', () => {
    changes.pools({ added: [pending(1), pending(2)], removed: [] });
    changes.pools({ added: [pending(3)], removed: [] });
    changes.pools({ added: [], removed: [hashOf(3), hashOf(1)] });
    expect(told).toHaveLength(1);
    clock.advance(499);
    expect(told).toHaveLength(1);
    clock.advance(1);
    const shown = (n: number) => ({ hash: hashOf(n), chainFrom: 0, chainTo: 1, lastSeen: 3 });
    expect(said()).toEqual([
      ['pending', { added: [shown(1), shown(2)], removed: [] }],
      ['pending', { added: [], removed: [hashOf(1)] }],
    ]);
    clock.advance(10_000);
    expect(told).toHaveLength(2);
  });

  it('say overflow in place of more than 200 transactions', () => {
    changes.pools({ added: Array.from({ length: 201 }, (_, i) => pending(i)), removed: [] });
    expect(said()).toEqual([['pending', { added: [], removed: [], overflow: true }]]);
  });

  it('tell every address of large transactions, in several messages', () => {
    const addresses = Array.from({ length: 2_300 }, (_, i) => `address-${i}`);
    const confirmed = [1, 2, 3].map((n) => ({ hash: hashOf(n), addresses }));
    changes.blocks({ ...nothing, confirmed });
    const pairs = told.flatMap(({ data }) =>
      'transactions' in data
        ? data.transactions.flatMap(({ hash, addresses: of }) => of.map((a) => `${hash} ${a}`))
        : [],
    );
    expect(pairs).toEqual(confirmed.flatMap(({ hash }) => addresses.map((address) => `${hash} ${address}`)));
    for (const { data } of told)
      expect(
        'transactions' in data ? data.transactions.reduce((sum, { addresses: of }) => sum + of.length, 0) : 0,
      ).toBeLessThanOrEqual(mostLiveAddresses);
    for (const change of told) explorerEvents['explorer.live'].schema.schemaFor(4).parse(change);
  });
});

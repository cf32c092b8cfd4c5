import { beforeEach, describe, expect, it } from '@jest/globals';
import { mutex } from '@shardnode/core/concurrency';
import { silentLogger } from '@shardnode/core/observability';
import { type PoolChange, type PoolTx } from '@shardnode/messages';
import { encode } from '@shardnode/protocol/encoding';
import { transactionTemplateCodec } from '@shardnode/protocol/transaction';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { type ListedPool } from '../group-nodes/feed-source.js';
import { PendingPools } from './pending-pools.js';

const template = Buffer.from(
  encode(transactionTemplateCodec, {
    unsigned: {
      version: 0,
      networkId: 4,
      script: undefined,
      gasAmount: 20_000,
      gasPrice: 100_000_000_000n,
      inputs: [],
      fixedOutputs: [],
    },
    inputSignatures: [],
    scriptSignatures: [],
  }),
).toString('base64');
const pooled = (txId: string): PoolTx => ({ txId, chainFrom: 1, chainTo: 2, template, seenAt: 5 });

const nothing = { added: [], removed: [] };

describe('the pending transactions of a group', () => {
  let pending: Set<string>;
  let list: Omit<ListedPool, 'transactions'> & { ids: string[] };
  let lists: number;
  let release: (() => void) | undefined;
  let isHeld: boolean;
  let pools: PendingPools;
  let times: bigint[];
  let told: string[];
  /** The calls: added and removed ones of a change, or a list. */
  let stored: unknown[];
  const change = (seq: number, added: string[], removed: string[] = [], more: Partial<PoolChange> = {}): void =>
    pools.change(1, {
      v: 1,
      epoch: 'a',
      seq,
      added: added.map(pooled),
      removed: removed.map((txId) => ({ txId, reason: 'mined' })),
      size: 0,
      ...more,
    });
  const settled = async (): Promise<void> => {
    await new Promise((resolve) => setImmediate(resolve));
    await pools.settled();
  };

  beforeEach(() => {
    [pending, lists, release, isHeld, times, told, stored] = [new Set(), 0, undefined, false, [], [], []];
    list = { epoch: 'a', seq: 7, ids: ['x', 'y'] };
    pools = new PendingPools({
      source: {
        pool: async () => {
          lists++;
          const { ids, ...listed } = list;
          if (isHeld) await new Promise<void>((resolve) => (release = resolve));
          return { ...listed, transactions: ids.map(pooled) };
        },
      },
      exclusive: mutex(),
      pending: {
        equal: async (_, transactions) => {
          pending = new Set(transactions.map(({ txId }) => txId));
          stored.push([...pending].join());
          return nothing;
        },
        change: async (added, removed) => {
          stored.push([added.map(({ txId }) => txId), removed]);
          for (const txId of removed) pending.delete(txId);
          for (const { txId, seenAt } of added) {
            pending.add(txId);
            times.push(seenAt);
          }
          return { added: [], removed };
        },
      },
      changed: ({ removed }) => told.push(...removed),
      clock: createStoppedClock(9_000),
      logger: silentLogger,
      failed: (error) => {
        throw error;
      },
    });
  });

  it('are those of the list, then what changes say, with the time of the explorer', async () => {
    await pools.list(1);
    change(8, ['z'], ['x']);
    await settled();
    expect([[...pending], times, lists]).toEqual([['y', 'z'], [9_000n], 1]);
    expect(told).toEqual(['x']);
  });

  it('do not change by what the list has already', async () => {
    await pools.list(1);
    change(7, ['old']);
    await settled();
    expect([...pending]).toEqual(['x', 'y']);
  });

  it('change after the list by what came while it was under way', async () => {
    isHeld = true;
    const listed = pools.list(1);
    change(7, ['old']);
    change(8, ['z'], ['y']);
    await settled();
    expect([...pending]).toEqual([]);
    release!();
    await listed;
    await settled();
    expect([...pending]).toEqual(['x', 'z']);
  });

  it('change by all that waits for its turn at once, and by what follows a list after it', async () => {
    await pools.list(1);
    stored.length = 0;
    change(8, ['z', 'v'], ['x']);
    change(9, ['w'], ['z']);
    list = { epoch: 'a', seq: 9, ids: ['y', 'v', 'w'] };
    await pools.list(1);
    change(10, ['z'], ['v']);
    await settled();
    expect(stored).toEqual([
      [
        ['v', 'w'],
        ['x', 'z'],
      ],
      'y,v,w',
      [['z'], ['v']],
    ]);
    expect([...pending].sort()).toEqual(['w', 'y', 'z']);
  });

  it.each([
    ['a change was lost', 9, {}],
    ['there were too many', 8, { overflow: true as const }],
    ['the node started again', 1, { epoch: 'b' }],
  ])('are listed again when %s', async (_, seq, more) => {
    await pools.list(1);
    list = { epoch: 'b', seq: 1, ids: ['w'] };
    change(seq, ['z'], [], more);
    await settled();
    expect([[...pending], lists]).toEqual([['w'], 2]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { Mempool, type PressureRefusal } from '@shardnode/protocol/policy';
import { poolRefusal } from './refusal-text.js';

const pool = new Mempool(2, 4, 400);
const helps =
  'It was not kept: put several destinations into one transaction, or split the output beforehand; or submit it again when its ancestors are mined';

describe('a transaction that the pool does not take now', () => {
  it.each<[PressureRefusal, string, string, object]>([
    [
      { kind: 'full' },
      'MempoolFull',
      'The mempool of group 2 is full: 0 transactions wait there. This one was not kept: submit it again later',
      { group: 2 },
    ],
    [
      { kind: 'ancestors', ancestorLimit: 25 },
      'TooManyUnminedAncestors',
      `Transaction ab has more than 25 unmined ancestors, and the mempool of group 2 is at least half full (0 of 400). ${helps}`,
      { group: 2, ancestorLimit: 25 },
    ],
    [
      { kind: 'ancestors', ancestorLimit: 0 },
      'TooManyUnminedAncestors',
      `Transaction ab depends on transactions that are not mined, and the mempool of group 2 is at least three quarters full (0 of 400): the rest is for transactions without unmined ancestors. ${helps}`,
      { group: 2, ancestorLimit: 0 },
    ],
  ])('is told why and what helps: %j', (refusal, code, detail, data) => {
    expect(poolRefusal('ab', pool, refusal)).toMatchObject({ kind: 'unavailable', code, detail, data });
  });
});

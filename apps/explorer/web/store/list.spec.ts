import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { type Rows, withNewest } from './list.js';

interface Row {
  readonly hash: string;
}

const limit = 4;

/** The part of a list after `from`; its cursor is the last row. */
const part = (all: readonly Row[], from: number, length = limit): Rows<Row> => {
  const rows = all.slice(from, from + length);
  const isEnd = from + length >= all.length;
  return { rows, cursor: isEnd ? undefined : rows.at(-1)?.hash };
};

const rows = (count: number): Row[] => Array.from({ length: count }, (_, i) => ({ hash: String(count - i) }));

it('shows a whole part of the list after rows came, and after the newest ones left', () => {
  const lengths = fc.record({ before: fc.nat(20), read: fc.integer({ min: 0, max: 5 }), after: fc.nat(20) });
  fc.assert(
    fc.property(lengths, ({ before, read, after }) => {
      const known = part(rows(before), 0, read * limit);
      const all = rows(after);
      const result = withNewest(known, part(all, 0));
      expect(result).toEqual(part(all, 0, result.rows.length));
      // Older rows stay while not more than one part is new.
      if (after >= before && after - before < limit)
        expect(result.rows.length).toBeGreaterThanOrEqual(Math.min(known.rows.length, after));
    }),
  );
});

it('joins rows of which several are of one transaction', () => {
  const event = (txHash: string, order: number) => ({ txHash, order });
  const of = (txHash: string, count: number) => Array.from({ length: count }, (_, order) => event(txHash, order));
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 6 }), fc.nat(8), (counts, added) => {
      const old = counts.flatMap((count, i) => of(`old ${i}`, count));
      const all = [...of('new', added), ...old];
      const known = { rows: old, cursor: 'next' };
      const newest = { rows: all.slice(0, limit), cursor: 'other' };
      const joined = withNewest(known, newest);
      expect(joined.rows).toEqual(added < limit && old.length > limit - added ? all : newest.rows);
    }),
  );
});

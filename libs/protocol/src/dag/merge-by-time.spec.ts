import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { mergeByTime } from './merge-by-time.js';

describe('lists merged by time', () => {
  it('are the stable order of all of their items', () => {
    const ascending = fc.array(fc.integer({ min: 0, max: 20 })).map((times) => times.sort((a, b) => a - b));
    fc.assert(
      fc.property(fc.array(ascending), (lists) => {
        const items = lists.map((times, list) => times.map((time, index) => ({ time, list, index })));
        const expected = items.flat().sort((a, b) => a.time - b.time);
        expect([...mergeByTime(items, ({ time }) => time)]).toEqual(expected);
      }),
    );
  });

  it('are read one item ahead', () => {
    const read: number[] = [];
    const list = function* (times: readonly number[]) {
      for (const time of times) {
        read.push(time);
        yield time;
      }
    };
    const merged = mergeByTime([list([1, 4, 5]), list([2, 3, 6])], (time) => time);
    expect(merged.next().value).toBe(1);
    expect(read).toEqual([1, 2]);
    expect([merged.next().value, merged.next().value]).toEqual([2, 3]);
    expect(read).toEqual([1, 2, 4, 3]);
  });
});

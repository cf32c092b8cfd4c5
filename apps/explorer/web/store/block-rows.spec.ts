import { expect, it } from '@jest/globals';
import { blockRows, heldRows } from './block-rows.js';
import { madeBlock } from './made-blocks.js';

const chain = 5;
const [first, second, third, fourth] = [
  madeBlock(chain, 1),
  madeBlock(chain, 2),
  madeBlock(chain, 3),
  madeBlock(chain, 4),
];

it('joins what the network told and what was listed, each block once', () => {
  expect(blockRows({ blocks: [fourth, third], orphans: [] }, [third, second], true)).toEqual([fourth, third, second]);
});

it('shows nothing older than the list, whose next part would be missing', () => {
  expect(blockRows({ blocks: [fourth, third, first], orphans: [] }, [third, second], false)).toEqual([
    fourth,
    third,
    second,
  ]);
});

it('leaves out what has left the main chain since', () => {
  const orphans = [{ block: second, at: 0 }];
  expect(blockRows({ blocks: [third], orphans }, [second, first], true)).toEqual([third, first]);
});

it('holds rows that are newer than one of them', () => {
  const rows = [7, 6, 5, 4].map((height) => madeBlock(0, height));
  expect(heldRows(rows, undefined)).toEqual({ shown: rows, waiting: 0 });
  expect(heldRows(rows, rows[2])).toEqual({ shown: rows.slice(2), waiting: 2 });
  expect(heldRows(rows, rows[0])).toEqual({ shown: rows, waiting: 0 });
  // A row that left its chain meanwhile is still the limit.
  expect(heldRows(rows, { ...rows[1]!, hash: 'f'.repeat(64) }).waiting).toBeLessThanOrEqual(2);
});

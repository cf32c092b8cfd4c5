import { expect, it } from '@jest/globals';
import { blockRows } from './block-rows.js';
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

import { describe, expect, it } from '@jest/globals';
import { type Block } from '../../store/forms.js';
import { hashOf, madeBlock } from '../../store/made-blocks.js';
import { candidates, choiceOf, neighbour } from './choice.js';

const at = (chain: number, second: number, deps: readonly string[] = []): Block =>
  madeBlock(chain, second, { deps, hash: hashOf(chain, second) });
/** Newest first, as the store keeps them. */
const newestFirst = (blocks: readonly Block[]): Block[] => blocks.toSorted((a, b) => b.timestamp - a.timestamp);
const known = (blocks: readonly Block[]): Map<string, Block> => new Map(blocks.map((block) => [block.hash, block]));

describe('a chosen block between groups', () => {
  // 0 to 2 at second 10, carried on 0 to 0 at 12, taken in on 2 to 2 at 15.
  const chosen = at(2, 10, ['g1', 'g2', 'g3', 'c0', 'c1', 'c2', 'c3']);
  const carrier = at(0, 12, ['', '', '', '', '', chosen.hash, '']);
  const sibling = at(1, 13, ['', '', '', '', '', chosen.hash, '']);
  const later = at(0, 14);
  const receiver = at(10, 15, [carrier.hash, '', '', '', '', '', '']);
  const stranger = at(5, 16);
  const blocks = newestFirst([chosen, carrier, sibling, later, receiver, stranger]);

  it('asks for the headers of the first blocks of its group, and of the receiver', () => {
    expect(candidates(blocks, chosen, 4).map(({ hash }) => hash)).toEqual(
      [carrier, sibling, receiver].map(({ hash }) => hash),
    );
  });

  it('shows what it rests on, what rests on it, and where its outputs become spendable', () => {
    const choice = choiceOf(blocks, chosen, known(blocks), 4);
    expect(choice.restsOn).toEqual(chosen.deps);
    expect(choice.carriedBy).toEqual([carrier.hash, sibling.hash]);
    expect(choice.takenIn).toEqual([carrier.hash, receiver.hash]);
  });

  it('shows no more than the headers that are known tell', () => {
    expect(choiceOf(blocks, chosen, new Map(), 4)).toEqual({ block: chosen, restsOn: [], carriedBy: [] });
  });
});

it('a chosen block inside a group is carried by other groups too', () => {
  const chosen = at(5, 10);
  const other = at(0, 11, [chosen.hash]);
  const blocks = newestFirst([chosen, other]);
  expect(choiceOf(blocks, chosen, known(blocks), 4).carriedBy).toEqual([other.hash]);
});

it('arrow keys go along the lane, and to the nearest in time of the next lane with blocks', () => {
  const [early, late] = [at(4, 10), at(4, 20)];
  const [far, near] = [at(6, 5), at(6, 18)];
  const blocks = newestFirst([early, late, far, near]);
  expect(neighbour(blocks, early, 'right', 4)).toBe(late);
  expect(neighbour(blocks, late, 'left', 4)).toBe(early);
  expect(neighbour(blocks, late, 'right', 4)).toBeUndefined();
  expect(neighbour(blocks, late, 'down', 4)).toBe(near);
  expect(neighbour(blocks, near, 'up', 4)).toBe(late);
  expect(neighbour(blocks, near, 'down', 4)).toBeUndefined();
});

/** What the picture of many blocks is made of: blocks of one column of pixels are one bar. Lengths in pixels. */
import { chainOfIndex, indexOfChain } from '../../store/chains.js';
import { type BlockLite, type Chain } from '../../store/forms.js';
import { type Loom, pillWidth, placeOfTime, type Point, type TimeScale } from './geometry.js';

/** A block, or several that stand so close that they are drawn as one. */
export interface Mark extends Chain {
  /** Middle, in the part of the picture that moves. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How many blocks. */
  readonly blocks: number;
}

/** As narrow as a mark of two colours can be. */
export const columnWidth = 4;
const gap = 0.5;

interface Column {
  blocks: number;
  transactions: number;
}

/** The columns of each lane that have blocks, by their number. */
const columnsOf = (blocks: readonly BlockLite[], loom: Loom, scale: TimeScale): ReadonlyMap<number, Column>[] => {
  const lanes = loom.lanes.map(() => new Map<number, Column>());
  for (const block of blocks) {
    const columns = lanes[indexOfChain(block, loom.groups)]!;
    const number = Math.floor(placeOfTime(scale, block.timestamp) / columnWidth);
    const column = columns.get(number) ?? { blocks: 0, transactions: 0 };
    column.blocks += 1;
    column.transactions += block.txNumber - 1;
    columns.set(number, column);
  }
  return lanes;
};

/**
 * Marks of all lanes. None reaches over the next one of its lane, so that both halves of each are seen; one of several
 * blocks is higher, up to its lane.
 */
export const marksOf = (blocks: readonly BlockLite[], loom: Loom, scale: TimeScale): Mark[] =>
  columnsOf(blocks, loom, scale).flatMap((columns, index) => {
    const numbers = [...columns.keys()].sort((a, b) => a - b);
    return numbers.map((number, i) => {
      const { blocks: count, transactions } = columns.get(number)!;
      const free = Math.min(number - (numbers[i - 1] ?? -Infinity), (numbers[i + 1] ?? Infinity) - number);
      return {
        ...chainOfIndex(index, loom.groups),
        x: (number + 0.5) * columnWidth,
        y: loom.lanes[index]!,
        width: Math.min(pillWidth(transactions + 1, loom.pillHeight), free * columnWidth - gap),
        height: Math.min(loom.laneHeight - 2, loom.pillHeight + 2 * (count - 1)),
        blocks: count,
      };
    });
  });

/** Below 0: the first stands before the second in a list of marks. */
const order = (a: Mark | undefined, b: Mark | undefined): number => {
  if (a === undefined || b === undefined) return a === undefined ? 1 : -1;
  return a.y - b.y || a.x - b.x;
};

/** From where on two pictures differ: the left edge of the first mark that only one of them has; Infinity: they are the same. */
export const differsFrom = (before: readonly Mark[], after: readonly Mark[]): number => {
  let [from, i, j] = [Infinity, 0, 0];
  const note = ({ x, width }: Mark): void => void (from = Math.min(from, x - width / 2));
  while (i < before.length || j < after.length) {
    const [old, fresh] = [before[i], after[j]];
    const step = order(old, fresh);
    if (step < 0) note(old!);
    else if (step > 0) note(fresh!);
    else if (old!.width !== fresh!.width || old!.height !== fresh!.height) {
      note(old!);
      note(fresh!);
    }
    if (step <= 0) i++;
    if (step >= 0) j++;
  }
  return from;
};

/** How far from a block it can still be pointed at. */
const reach = 7;

/** The block at a point of the part that moves. @param blocks newest first */
export const blockAt = (
  blocks: readonly BlockLite[],
  loom: Loom,
  scale: TimeScale,
  { x, y }: Point,
): BlockLite | undefined => {
  const lane = loom.lanes.findIndex((middle) => Math.abs(y - middle) <= loom.laneHeight / 2);
  const distance = ({ timestamp }: BlockLite): number => Math.abs(placeOfTime(scale, timestamp) - x);
  let nearest: BlockLite | undefined;
  for (const block of blocks)
    if (indexOfChain(block, loom.groups) === lane && (nearest === undefined || distance(block) < distance(nearest)))
      nearest = block;
  if (nearest === undefined) return undefined;
  return distance(nearest) <= Math.max(reach, pillWidth(nearest.txNumber, loom.pillHeight) / 2) ? nearest : undefined;
};

/** Blocks of a lane that stand too close to be told apart are one bar. Lengths in pixels, in the part of the picture that moves. */
import { indexOfChain } from '../../store/chains.js';
import { type BlockLite } from '../../store/forms.js';
import { type Loom, pillWidth, placeOfTime, type TimeScale } from './geometry.js';

/** A block, or several that are drawn as one bar. */
export interface Pile {
  /** Oldest first. */
  readonly blocks: readonly BlockLite[];
  readonly left: number;
  readonly right: number;
}

/** Bars that are wider, in heights of a pill, are cut: what moves through the picture stays seen. */
const widest = 3;
const gap = 1;

interface GrowingPile {
  readonly blocks: BlockLite[];
  left: number;
  right: number;
}

/** Runs of pills of a lane of which each covers the one before. @param blocks oldest first */
const runsOf = (blocks: readonly BlockLite[], loom: Loom, scale: TimeScale): Pile[] => {
  const runs: GrowingPile[] = [];
  for (const block of blocks) {
    const middle = placeOfTime(scale, block.timestamp);
    const half = pillWidth(block.txNumber, loom.pillHeight) / 2;
    const last = runs.at(-1);
    if (last === undefined || middle - half >= last.right) {
      runs.push({ blocks: [block], left: middle - half, right: middle + half });
      continue;
    }
    last.blocks.push(block);
    last.left = Math.min(last.left, middle - half);
    last.right = Math.max(last.right, middle + half);
  }
  return runs;
};

/** Parts of a run at marks that move with the blocks, so that new ones change the newest part alone. */
const partsOf = (run: Pile, loom: Loom, scale: TimeScale): Pile[] => {
  const most = widest * loom.pillHeight;
  if (run.right - run.left <= most) return [run];
  const cells = new Map<number, BlockLite[]>();
  for (const block of run.blocks) {
    const cell = Math.floor(placeOfTime(scale, block.timestamp) / most);
    cells.set(cell, [...(cells.get(cell) ?? []), block]);
  }
  return [...cells].map(([cell, blocks]) => ({
    blocks,
    left: Math.max(run.left, cell * most + gap / 2),
    right: Math.min(run.right, (cell + 1) * most - gap / 2),
  }));
};

/** What stands on the lanes: each block is in one pile. @param blocks newest first */
export const pilesOf = (blocks: readonly BlockLite[], loom: Loom, scale: TimeScale): Pile[] => {
  const lanes = loom.lanes.map((): BlockLite[] => []);
  for (const block of blocks.toReversed()) lanes[indexOfChain(block, loom.groups)]!.push(block);
  return lanes.flatMap((lane) => runsOf(lane, loom, scale).flatMap((run) => partsOf(run, loom, scale)));
};

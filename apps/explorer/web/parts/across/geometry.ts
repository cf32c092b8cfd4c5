import { type BlockLite, type Chain } from '../../store/forms.js';
import { narrowestPill, pillWidth, threadPath } from '../loom/geometry.js';
import { placeOf, type TimeAxis } from '../time-axis.js';

/** The way of a transaction from its block to the group that receives it, as lanes over time. Pixels and milliseconds. */

export const pillHeight = 17;

/** Which block a lane shows as a step of the way. */
export type StepName = 'mined' | 'carried' | 'spendable';

export interface Step {
  readonly name: StepName;
  readonly block: BlockLite;
  readonly x: number;
  readonly y: number;
}

export interface Lane extends Chain {
  readonly y: number;
  /** Other blocks of the chain, none on another or on a step. */
  readonly others: readonly { readonly block: BlockLite; readonly x: number }[];
}

export interface AcrossShape {
  readonly height: number;
  readonly axis: TimeAxis;
  readonly lanes: readonly Lane[];
  readonly steps: readonly Step[];
  /** From each step to the one after it. */
  readonly threads: readonly string[];
}

/** The chains that a transaction passes: of the sending group, its own, of the receiving group. */
const chainsOf = ({ chainFrom: from, chainTo: to }: Chain): Chain[] => [
  { chainFrom: from, chainTo: from },
  { chainFrom: from, chainTo: to },
  { chainFrom: to, chainTo: to },
];

const shortestMs = 2_000;

/**
 * The time that is shown: the way with some of what was before and after it.
 * @param from when the way began, or since when it is waited for
 * @param to when it ended, or now
 */
export const windowOf = (from: number, to: number): { readonly start: number; readonly end: number } => {
  const span = Math.max(to - from, shortestMs);
  return { start: from - span * 0.3, end: from + span * 1.45 };
};

const isSame = (a: Chain, b: Chain): boolean => a.chainFrom === b.chainFrom && a.chainTo === b.chainTo;

/** Blocks that are seen apart from each other and from those that stand already. */
const apart = (blocks: readonly { block: BlockLite; x: number }[], taken: readonly number[]) => {
  const places = [...taken];
  return blocks.filter(({ x, block }) => {
    const room = pillWidth(block.txNumber, pillHeight) / 2 + narrowestPill;
    const isFree = places.every((place) => Math.abs(place - x) >= room + 4);
    if (isFree) places.push(x);
    return isFree;
  });
};

const [laneGap, top] = [66, 44];
/** Below the last lane: labels of a step, and the marks of time. */
const below = 62;
const nameWidth = 64;

/** What a step of the way is known by. */
export type KnownSteps = readonly { readonly name: StepName; readonly block: BlockLite }[];

/**
 * @param chain between two groups
 * @param known steps in their order
 * @param blocks of these chains, as far as they are known, newest first
 */
export const acrossShape = (
  width: number,
  chain: Chain,
  known: KnownSteps,
  blocks: readonly BlockLite[],
  { start, end }: { readonly start: number; readonly end: number },
): AcrossShape => {
  const axis = { start, end, left: nameWidth, right: width - 6 };
  const chains = chainsOf(chain);
  const laneY = (block: Chain): number => top + laneGap * chains.findIndex((each) => isSame(each, block));
  const steps = known.map(({ name, block }) => ({ name, block, x: placeOf(axis, block.timestamp), y: laneY(block) }));
  const stepHashes = new Set(known.map(({ block }) => block.hash));
  const lanes = chains.map((each) => {
    const y = laneY(each);
    const others = blocks
      .filter((block) => isSame(block, each) && block.height > 0 && !stepHashes.has(block.hash))
      .map((block) => ({ block, x: placeOf(axis, block.timestamp) }))
      .filter(({ x, block }) => {
        const half = pillWidth(block.txNumber, pillHeight) / 2;
        return x - half >= axis.left && x + half <= axis.right;
      });
    return {
      ...each,
      y,
      others: apart(
        others,
        steps.filter((step) => step.y === y).map(({ x }) => x),
      ),
    };
  });
  const edge = ({ block }: Step, side: 1 | -1): number => (side * pillWidth(block.txNumber, pillHeight)) / 2 + side * 4;
  const threads = steps
    .slice(1)
    .map((step, i) =>
      threadPath({ x: step.x + edge(step, -1), y: step.y }, { x: steps[i]!.x + edge(steps[i]!, 1), y: steps[i]!.y }),
    );
  return { height: top + laneGap * (chains.length - 1) + below, axis, lanes, steps, threads };
};

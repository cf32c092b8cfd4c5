import { compactTarget, targetOfDifficulty, targetValue } from '../block/index.js';
import { maxTarget, type NetworkSettings } from '../network/index.js';
import { type ChainIndex, type Hash } from '../primitives/index.js';
import { averagingWindow, expectedWindowSpan, windowSpanMaximum, windowSpanMinimum } from './block-windows.js';
import { ancestorAt, type DagNode } from './node.js';
import { type HeaderReader } from './readers.js';
import { intraDepNode, outTipNodes } from './tips.js';

const heightGapThreshold = 17;
const penaltyPerBlock = 5n;

/** Time spans are immutable: cached per block while the block is in memory. */
const spans = new WeakMap<DagNode, bigint>();

/** Milliseconds over which the last 17 blocks up to this one were made (protocol 03 §9.3 step 3). */
const windowSpan = (node: DagNode, settings: NetworkSettings): bigint => {
  if (node.height < averagingWindow + 1) return expectedWindowSpan(settings);
  const known = spans.get(node);
  if (known !== undefined) return known;
  const span = node.timestamp - ancestorAt(node, node.height - averagingWindow).timestamp;
  spans.set(node, span);
  return span;
};

/** Difficulty raised by 5 % for every block beyond 17 that a chain runs ahead (protocol 03 §9.3 step 6). */
export const withHeightGapPenalty = (difficulty: bigint, gap: number): bigint =>
  gap > heightGapThreshold
    ? (difficulty * (100n + penaltyPerBlock * BigInt(gap - heightGapThreshold))) / 100n
    : difficulty;

/** The target after a window of `span` milliseconds at the target value `value` (protocol 03 §9.3 steps 7 and 8). */
export const retarget = (settings: NetworkSettings, value: bigint, span: bigint): number => {
  const expected = expectedWindowSpan(settings);
  const damped = expected + (span - expected) / 4n;
  const least = windowSpanMinimum(settings);
  const most = windowSpanMaximum(settings);
  const clipped = damped < least ? least : damped > most ? most : damped;
  const next = (value * clipped) / expected;
  const easiest = maxTarget(settings);
  return next <= targetValue(easiest) ? compactTarget(next) : easiest;
};

const lowest = (nodes: readonly DagNode[]): DagNode =>
  nodes.reduce((best, node) => (node.height < best.height ? node : best));

/** The 16 blocks that all groups already agree on (protocol 03 §9.3 steps 1 to 3). */
const agreedNodes = (from: number, deps: readonly DagNode[], groups: number): DagNode[] => {
  const intra = [...deps.slice(0, groups - 1), deps[groups - 1 + from]!];
  const agreed: DagNode[] = [];
  for (let k = 0; k < groups; k++) agreed.push(...outTipNodes(lowest(intra.map((node) => intraDepNode(node, k)))));
  return agreed;
};

/**
 * The number of blocks of a chain, down from its newest, that are later than `oldest`. Timestamps rise along a branch, and
 * no block is older than genesis. A search instead of a walk: while a group is silent the number grows without end.
 */
const blocksAheadOf = (oldest: bigint, newest: DagNode): number => {
  const isAhead = (height: number): boolean => ancestorAt(newest, height).timestamp > oldest;
  if (newest.timestamp <= oldest) return 0;
  let ahead = newest.height;
  let behind = ahead - 1;
  while (behind > 0 && isAhead(behind)) [ahead, behind] = [behind, Math.max(0, 2 * behind - newest.height)];
  while (ahead - behind > 1) {
    const middle = (ahead + behind) >> 1;
    if (isAhead(middle)) ahead = middle;
    else behind = middle;
  }
  return newest.height - behind;
};

/** See `expectedTarget`. */
export const expectedTargetOfNodes = (
  settings: NetworkSettings,
  chain: ChainIndex,
  deps: readonly DagNode[],
): number => {
  const agreed = agreedNodes(chain.from, deps, settings.groups);
  const count = BigInt(agreed.length);
  let difficulties = 0n;
  let spanSum = 0n;
  let oldest = agreed[0]!.timestamp;
  for (const node of agreed) {
    difficulties += node.work;
    spanSum += windowSpan(node, settings);
    if (node.timestamp < oldest) oldest = node.timestamp;
  }
  const parent = deps[settings.groups - 1 + chain.to]!;
  const difficulty = withHeightGapPenalty(difficulties / count, blocksAheadOf(oldest, parent));
  return retarget(settings, targetValue(targetOfDifficulty(difficulty)), spanSum / count);
};

/** The target that a block of a chain with these known dependencies must carry (protocol 03 §9.3). */
export const expectedTarget = (
  reader: HeaderReader,
  settings: NetworkSettings,
  chain: ChainIndex,
  deps: readonly Hash[],
): number =>
  expectedTargetOfNodes(
    settings,
    chain,
    deps.map((dep) => reader.node(dep)),
  );

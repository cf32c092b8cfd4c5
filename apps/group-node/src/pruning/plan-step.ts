import { type Hash } from '@shardnode/protocol/primitives';
import { type PruningPlace, type PruningStep, type ReplacedNodes } from '../store/index.js';

/** An intra-group height whose states can be pruned: the state of its canonical block becomes the oldest one. */
export interface OldHeight {
  readonly height: number;
  readonly blockHash: Hash;
  readonly replaced: ReplacedNodes;
  /** Numbers of the other blocks of this height: their states become unreadable. */
  readonly others: readonly bigint[];
}

/** Number of nodes of a height that are deleted already; meaningless for another height. */
export interface Progress {
  readonly blockHash: Hash;
  readonly nodes: number;
}

export interface PlannedStep {
  readonly step: PruningStep;
  /** After the step. */
  readonly progress: Progress;
}

/** The next step over some heights in order, with a limit of nodes; undefined when nothing is left. */
export const planStep = (
  heights: readonly OldHeight[],
  done: Progress | undefined,
  mostNodes: number,
): PlannedStep | undefined => {
  const nodes: { hash: Hash; before: bigint }[] = [];
  const finished: bigint[] = [];
  let place: PruningPlace | undefined;
  let progress: Progress | undefined;
  for (const { height, blockHash, replaced, others } of heights) {
    const room = mostNodes - nodes.length;
    if (room <= 0) break;
    const start = done?.blockHash === blockHash ? done.nodes : 0;
    const taken = replaced.hashes.slice(start, start + room);
    for (const hash of taken) nodes.push({ hash, before: replaced.seq });
    const isComplete = start + taken.length === replaced.hashes.length;
    if (isComplete) finished.push(replaced.seq, ...others);
    place = { blockHash, height, isComplete };
    progress = { blockHash, nodes: start + taken.length };
  }
  return place && progress && { step: { nodes, finished, place }, progress };
};

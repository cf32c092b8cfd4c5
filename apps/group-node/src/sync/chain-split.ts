import { type Obstacle } from '../intake/index.js';

/** The head of a chain as a sibling announced it last. */
export interface AnnouncedHead {
  readonly sibling: number;
  /** Its place in the best dependencies: one for each chain. */
  readonly slot: number;
  /** Why the head is not here; undefined: it is, or it is being imported. */
  readonly obstacle: Obstacle | undefined;
  /** Identifies the blocks of the chain that are stored here: it changes when one more is. */
  readonly stored: string;
}

/** A head that is not here, and since when nothing of its chain has come; monotonic milliseconds. */
export interface LackingHead extends AnnouncedHead {
  readonly since: number;
}

export interface SplitVerdict {
  /** For the next judgement. */
  readonly lacking: readonly LackingHead[];
  /** The head that has been lacking for the whole period; of several the longest lacking one. */
  readonly split: LackingHead | undefined;
}

/**
 * Whether the chains of this node and those of a sibling have split: for `period` milliseconds the sibling has announced
 * heads of a chain that are not here, and nothing of the chain was stored here. A node that is behind stores blocks of
 * the chain. A refused or missing block on which the sibling does not build is no ancestor of its heads, so these are
 * here.
 */
export const judgeSplit = (
  before: readonly LackingHead[],
  announced: readonly AnnouncedHead[],
  now: number,
  period: number,
): SplitVerdict => {
  const lacking = announced
    .filter(({ obstacle }) => obstacle !== undefined)
    .map((head) => {
      const known = before.find(({ sibling, slot }) => sibling === head.sibling && slot === head.slot);
      return { ...head, since: known?.stored === head.stored ? known.since : now };
    })
    .sort((a, b) => a.since - b.since);
  const [longest] = lacking;
  return { lacking, split: longest && now - longest.since >= period ? longest : undefined };
};

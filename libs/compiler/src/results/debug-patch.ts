import DiffMatchPatch from 'diff-match-patch';

/**
 * Work that an operation may spend on differences: the sum of squares of the added characters, to which the time of the
 * algorithm is proportional. It takes the place of the algorithm's limit of time, so the same source has the same patch always.
 */
const mostWork = 10_000 ** 2;

/** Seconds. There must be a limit, because the algorithm searches for half matches only then; this one is never reached. */
const noTimeout = 10 ** 9;

const commonLength = (length: number, isSame: (index: number) => boolean): number => {
  let count = 0;
  while (count < length && isSame(count)) count += 1;
  return count;
};

/** One piece in place of another between what both texts begin and end with. */
const coarseDifferences = (release: string, debug: string): [number, string][] => {
  const shorter = Math.min(release.length, debug.length);
  const start = commonLength(shorter, (i) => release[i] === debug[i]);
  const end = commonLength(shorter - start, (i) => release.at(-1 - i) === debug.at(-1 - i));
  const pieces: [number, string][] = [
    [0, release.slice(0, start)],
    [-1, release.slice(start, release.length - end)],
    [1, debug.slice(start, debug.length - end)],
    [0, release.slice(release.length - end)],
  ];
  return pieces.filter(([, text]) => text !== '');
};

/** Makes the patches of one operation. */
export class DebugPatches {
  private left = mostWork;

  /**
   * Turns release text into debug text: `=<length>` keeps, `-<length>` deletes, `+<text>` inserts (protocol 06 §9.3). Empty for
   * equal texts. Where the operation has no work left, it is longer than it had to be.
   */
  patch(release: string, debug: string): string {
    if (release === debug) return '';
    return this.differences(release, debug)
      .map(([kind, text]) => (kind === 0 ? `=${text.length}` : kind < 0 ? `-${text.length}` : `+${text}`))
      .join('');
  }

  private differences(release: string, debug: string): readonly (readonly [number, string])[] {
    this.left -= (debug.length - release.length) ** 2;
    if (this.left < 0) return coarseDifferences(release, debug);
    const algorithm = new DiffMatchPatch();
    algorithm.Diff_Timeout = noTimeout;
    return algorithm.diff_main(release, debug, true);
  }
}

export interface KeptAnswerSettings<Answer> {
  /** For how many milliseconds an answer counts, from when it was there. */
  readonly keepMs: (answer: Answer) => number;
  /** Milliseconds that only grow; default: of this process. */
  readonly now?: () => number;
}

/**
 * An answer that is the same for all who ask: who asks while it is being made, or soon after, gets that one, so that many
 * questions cost no more than a few. One that fails is not kept.
 */
export const keptAnswer = <Answer>(
  make: () => Promise<Answer>,
  { keepMs, now = () => performance.now() }: KeptAnswerSettings<Answer>,
): (() => Promise<Answer>) => {
  let kept: Promise<Answer> | undefined;
  let keptUntil = Infinity;
  return () => {
    if (kept && now() < keptUntil) return kept;
    keptUntil = Infinity;
    const making = make();
    kept = making;
    making.then(
      (answer) => (keptUntil = now() + keepMs(answer)),
      () => (kept = undefined),
    );
    return making;
  };
};

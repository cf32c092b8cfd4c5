export interface CachedAnswerSettings<Answer> {
  /** For how many milliseconds an answer counts, from when it was there. */
  readonly ttlMs: (answer: Answer) => number;
  /** Milliseconds that only grow; default: of this process. */
  readonly now?: () => number;
}

/**
 * An answer that is the same for all who ask: who asks while it is being made, or soon after, gets that one, so that many
 * questions cost no more than a few. One that fails is not cached.
 */
export const cachedAnswer = <Answer>(
  make: () => Promise<Answer>,
  { ttlMs, now = () => performance.now() }: CachedAnswerSettings<Answer>,
): (() => Promise<Answer>) => {
  let cached: Promise<Answer> | undefined;
  let expiresAt = Infinity;
  return () => {
    if (cached && now() < expiresAt) return cached;
    expiresAt = Infinity;
    const making = make();
    cached = making;
    making.then(
      (answer) => (expiresAt = now() + ttlMs(answer)),
      () => (cached = undefined),
    );
    return making;
  };
};

export interface CachedAnswerSettings<Answer> {
  /** Milliseconds for which a response is valid, from its completion. */
  readonly ttlMs: (answer: Answer) => number;
  /** Monotonic milliseconds; default: of this process. */
  readonly now?: () => number;
}

/**
 * Caches a response that is the same for all callers. Callers during its computation, or within its lifetime, share it.
 * So many requests cost no more than a few. A failure is not cached.
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

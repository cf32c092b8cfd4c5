/** Answers of which the mean counts, at most; before the first ones there is a guess, which counts like some of them. */
const counting = { most: 64, guess: 8 };
/** Milliseconds from one answer to the next, guessed: a hundred a second. */
const guessMs = 10;

/**
 * How fast a group answers while submits wait for it: then it does as much as it can. Times in milliseconds, monotonic.
 */
export class AnswerRate {
  private apartMs = guessMs;
  private counted = counting.guess;
  /** The last answer, if submits have waited ever since. */
  private last: number | undefined;

  /** `areWaiting`: submits wait for the next answer, too. */
  answered(now: number, areWaiting: boolean): void {
    if (this.last !== undefined) {
      this.apartMs = this.withNext(this.last, now);
      this.counted = Math.min(counting.most, this.counted + 1);
    }
    this.last = areWaiting ? now : undefined;
  }

  /** Mean time from one answer to the next. A group that falls silent counts as slow before its next answer. */
  msApart(now: number): number {
    return this.last === undefined ? this.apartMs : Math.max(this.apartMs, this.withNext(this.last, now));
  }

  private withNext(last: number, now: number): number {
    return this.apartMs + (now - last - this.apartMs) / (this.counted + 1);
  }
}

/**
 * Work in steps. Before each it says how much gas the step may use; who drives it may do other things before it goes on
 * (architecture, decision 5). What a step throws ends the work: to try again is to begin anew.
 */
export type Steps<Result> = Generator<number, Result, void>;

/** All steps, one right after the other. */
export const runSteps = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
};

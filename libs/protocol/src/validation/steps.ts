import { StateMiss } from '../state/index.js';

/**
 * Work in steps. Before each step it yields the gas that the step may use; the driver may do other work before it
 * continues (architecture, decision 5). Or it yields the missing state: the driver loads it, holds earlier reads in
 * memory, and continues. An error in a step ends the work: a retry starts from the beginning.
 */
export type Steps<Result> = Generator<number | StateMiss, Result, void>;

/** Repeats a single step, without earlier ones, after each load of missing state. */
export function* untilLoaded<T>(step: () => T): Steps<T> {
  for (;;) {
    try {
      return step();
    } catch (error) {
      if (!(error instanceof StateMiss)) throw error;
      yield error;
    }
  }
}

/** Runs all steps without pause. Throws StateMiss. */
export const runSteps = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (step.value instanceof StateMiss) throw step.value;
  }
};

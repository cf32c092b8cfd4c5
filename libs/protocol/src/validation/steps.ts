import { StateMiss } from '../state/index.js';

/**
 * Work in steps. Before each it says how much gas the step may use; who drives it may do other things before it goes on
 * (architecture, decision 5). Or it names what it misses of the state: who drives it loads that and goes on, and keeps in
 * memory what was read before. What a step throws ends the work: to try again is to begin anew.
 */
export type Steps<Result> = Generator<number | StateMiss, Result, void>;

/** A step that is made again, and not what came before it, each time that something it misses of the state is loaded. */
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

/** All steps, one right after the other. Throws StateMiss. */
export const runSteps = <Result>(steps: Steps<Result>): Result => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (step.value instanceof StateMiss) throw step.value;
  }
};

import { nextTurn } from '@shardnode/core/lifecycle';
import { type Block } from '@shardnode/protocol/block';
import { maximalGasPerTx } from '@shardnode/protocol/primitives';
import { StateMiss } from '@shardnode/protocol/state';
import { type Steps } from '@shardnode/protocol/validation';

/** Transactions that a step of the import handles in a few milliseconds. */
const smallBlock = 64;

/** Between two steps with large blocks, or many, others get a turn of the event loop (architecture, decision 5). */
export const turnAfterStep = (...blocks: readonly Block[]): Promise<void> | undefined =>
  blocks.reduce((sum, { transactions }) => sum + transactions.length, 0) > smallBlock ? nextTurn() : undefined;

/** Takes a turn before work that uses so much gas, when it is due. */
export type TurnKeeper = (gas: number) => Promise<void> | undefined;

/**
 * Between two turns there is work of as much gas as one transaction may use: one that uses all of it has a turn to itself,
 * and small ones share one.
 */
export const keepTurns = (turn: () => Promise<void> = nextTurn): TurnKeeper => {
  // What came before in this turn is not known; it is taken for half of what there may be.
  let used = maximalGasPerTx / 2;
  return (gas) => {
    const isDue = used + gas > maximalGasPerTx;
    used = isDue ? gas : used + gas;
    return isDue ? turn() : undefined;
  };
};

/** Runs steps with turns for others between them. `load`: brings into memory what a step misses. */
export const inTurns = async <Result>(
  steps: Steps<Result>,
  load: (missed: StateMiss) => Promise<void>,
  beforeStep: TurnKeeper = keepTurns(),
): Promise<Result> => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (step.value instanceof StateMiss) {
      await load(step.value);
      continue;
    }
    const turn = beforeStep(step.value);
    if (turn) await turn;
  }
};

import { yieldToEventLoop } from '@shardnode/core/lifecycle';
import { type Block } from '@shardnode/protocol/block';
import { maximalGasPerTx } from '@shardnode/protocol/primitives';
import { StateMiss } from '@shardnode/protocol/state';
import { type Steps } from '@shardnode/protocol/validation';

/** Transactions that a step of the import handles in a few milliseconds. */
const smallBlock = 64;

/** Yields to the event loop after a step with a large block, or with many blocks (architecture, decision 5). */
export const yieldAfterStep = (...blocks: readonly Block[]): Promise<void> | undefined =>
  blocks.reduce((sum, { transactions }) => sum + transactions.length, 0) > smallBlock ? yieldToEventLoop() : undefined;

/** Called before work that uses so much gas; yields when a yield is due. */
export type GasYield = (gas: number) => Promise<void> | undefined;

/**
 * Limits the gas of one event-loop tick to the gas limit of one transaction: a transaction that uses all of it gets its
 * own tick, small ones share one.
 */
export const yieldByGas = (yieldTick: () => Promise<void> = yieldToEventLoop): GasYield => {
  // The gas used earlier in this tick is unknown; half of the limit is assumed.
  let used = maximalGasPerTx / 2;
  return (gas) => {
    const isDue = used + gas > maximalGasPerTx;
    used = isDue ? gas : used + gas;
    return isDue ? yieldTick() : undefined;
  };
};

/** Runs steps and yields between them. `load` fetches the data that a step misses. */
export const runSteps = async <Result>(
  steps: Steps<Result>,
  load: (missed: StateMiss) => Promise<void>,
  beforeStep: GasYield = yieldByGas(),
): Promise<Result> => {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    if (step.value instanceof StateMiss) {
      await load(step.value);
      continue;
    }
    const yielded = beforeStep(step.value);
    if (yielded) await yielded;
  }
};

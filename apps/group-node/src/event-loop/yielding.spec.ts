import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { maximalGasPerTx } from '@shardnode/protocol/primitives';
import { type Steps } from '@shardnode/protocol/validation';
import { runSteps, yieldByGas } from './yielding.js';

const noLoads = (missed: unknown): Promise<void> => Promise.reject(missed as Error);

/** Runs steps that use so much gas; returns the gas used between two yields. */
const gasOfTicks = async (steps: readonly number[]): Promise<number[]> => {
  const turns = [0];
  const work = function* (): Steps<string> {
    for (const gas of steps) {
      yield gas;
      turns[turns.length - 1]! += gas;
    }
    return 'done';
  };
  const turn = async (): Promise<void> => void turns.push(0);
  expect(await runSteps(work(), noLoads, yieldByGas(turn))).toBe('done');
  return turns;
};

describe('yields between steps', () => {
  it('come before the gas of a tick exceeds the limit of one transaction', async () => {
    const gas = fc.integer({ min: 0, max: maximalGasPerTx });
    await fc.assert(
      fc.asyncProperty(fc.array(gas, { maxLength: 200 }), async (steps) => {
        for (const used of await gasOfTicks(steps)) expect(used).toBeLessThanOrEqual(maximalGasPerTx);
      }),
    );
  });

  it('are one for each transaction that uses all of its gas, and few for small ones', async () => {
    expect(await gasOfTicks(Array(60).fill(maximalGasPerTx) as number[])).toHaveLength(61);
    expect(await gasOfTicks(Array(500).fill(20_000) as number[])).toHaveLength(17);
    expect(await gasOfTicks([20_000, 20_000])).toHaveLength(1);
  });

  it('an error of a step is thrown on', async () => {
    const failing = function* (): Steps<void> {
      yield 1;
      throw new Error('a fault');
    };
    await expect(runSteps(failing(), noLoads)).rejects.toThrow('a fault');
  });
});

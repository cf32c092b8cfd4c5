import { describe, expect, it } from '@jest/globals';
import { blockEnvironment, instruction, methodOf, transactionEnvironment } from '@shardnode/testing/builders';
import { fc } from '@shardnode/testing/properties';
import { type Instruction, type Val } from '../script/index.js';
import { executeUnlockScript } from './index.js';

const runBody = (body: readonly Instruction[], gasLimit = 10_000) =>
  executeUnlockScript({
    block: blockEnvironment,
    transaction: transactionEnvironment,
    script: { methods: [methodOf(body, { argsLength: 1, localsLength: 1, returnLength: 1 })] },
    parameters: [{ type: 'U256', value: 0n }],
    gasLimit,
    signatures: [],
    receivesResults: true,
  });

const endOf = (body: readonly Instruction[]): readonly Val[] | string => {
  const outcome = runBody(body);
  if (outcome.kind === 'succeeded') return outcome.results;
  return outcome.kind === 'aborted' ? 'aborted' : outcome.failure.failure;
};

const one = instruction('U256Const1');
const two = instruction('U256Const2');
const u256 = (value: bigint): Val => ({ type: 'U256', value });

describe('jumps', () => {
  it('go on behind the instruction that the offset names', () => {
    expect(endOf([one, instruction('Jump', 1), two, instruction('Return')])).toEqual([u256(1n)]);
  });

  it('end the method when they name its last instruction', () => {
    expect(endOf([one, instruction('Jump', 1), two])).toEqual([u256(1n)]);
    expect(endOf([one, instruction('Jump', 0)])).toEqual([u256(1n)]);
  });

  it('repeat themselves with offset -1, except at the beginning', () => {
    expect(endOf([one, instruction('Jump', -1)])).toBe('OutOfGas');
    expect(endOf([instruction('Jump', -1)])).toBe('InvalidInstrOffset');
  });

  it('name no place outside the method', () => {
    expect(endOf([one, instruction('Jump', 1)])).toBe('InvalidInstrOffset');
    expect(endOf([one, instruction('Jump', -2)])).toBe('InvalidInstrOffset');
    expect(endOf([one, one, instruction('Jump', 65536)])).toBe('InvalidInstrOffset');
  });

  it('are not looked at where they are not taken', () => {
    expect(endOf([one, instruction('ConstFalse'), instruction('IfTrue', 99)])).toEqual([u256(1n)]);
    expect(endOf([one, instruction('ConstTrue'), instruction('IfFalse', -99)])).toEqual([u256(1n)]);
    expect(endOf([one, instruction('ConstTrue'), instruction('IfTrue', 99)])).toBe('InvalidInstrOffset');
  });

  /** What the document says of a program that counts its steps in local 0: the trace of positions, at most `limit`. */
  const trace = (
    offsets: readonly number[],
    limit: number,
  ): { steps: number; end: 'returned' | 'invalid' | 'endless' } => {
    let at = 0;
    for (let steps = 0; steps < limit; steps++) {
      if (at === offsets.length) return { steps, end: 'returned' };
      const target = at + offsets[at]!;
      if (target < 0 || target >= offsets.length) return { steps: steps + 1, end: 'invalid' };
      at = target + 1;
    }
    return { steps: limit, end: 'endless' };
  };

  it('follow the rule for any program of jumps', () => {
    const programs = fc.array(fc.integer({ min: -4, max: 4 }), { maxLength: 12 });
    fc.assert(
      fc.property(programs, (offsets) => {
        const limit = 200;
        const outcome = executeUnlockScript({
          block: blockEnvironment,
          transaction: transactionEnvironment,
          script: { methods: [methodOf(offsets.map((offset) => instruction('Jump', offset)))] },
          parameters: [],
          gasLimit: 8 * limit,
          signatures: [],
        });
        const expected = trace(offsets, limit + 1);
        const ends = { returned: 'succeeded', invalid: 'InvalidInstrOffset', endless: 'OutOfGas' } as const;
        expect(outcome.kind === 'failed' ? outcome.failure.failure : outcome.kind).toBe(ends[expected.end]);
        if (outcome.kind !== 'aborted') expect(8 * limit - outcome.gasLeft).toBe(8 * Math.min(expected.steps, limit));
      }),
    );
  });
});

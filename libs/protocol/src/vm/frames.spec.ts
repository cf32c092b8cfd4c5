import { describe, expect, it } from '@jest/globals';
import { blockEnvironment, instruction, methodOf, repeated, transactionEnvironment } from '@shardnode/testing/builders';
import { fc } from '@shardnode/testing/properties';
import { type Method, type Val } from '../script/index.js';
import { enterEntryMethod, enterMethod, returnAtOnce } from './frames.js';
import { executeUnlockScript, Machine } from './index.js';
import { run } from './run-loop.js';

const one = instruction('U256Const1');
const pushed = (...values: number[]) => values.map((value) => instruction('U256Const', BigInt(value)));
const u256 = (...values: number[]): Val[] => values.map((value) => ({ type: 'U256', value: BigInt(value) }));
const call = (index: number) => instruction('CallLocal', index);

const runMethods = (methods: readonly Method[], parameters: readonly Val[] = [], receivesResults = true) =>
  executeUnlockScript({
    block: blockEnvironment,
    transaction: transactionEnvironment,
    script: { methods },
    parameters,
    gasLimit: 625_000,
    signatures: [],
    receivesResults,
  });

/** The results, or the name of the failure, or `aborted`. */
const endOf = (...args: Parameters<typeof runMethods>): unknown => {
  const outcome = runMethods(...args);
  if (outcome.kind === 'succeeded') return outcome.results;
  return outcome.kind === 'aborted' ? 'aborted' : outcome.failure.failure;
};

describe('frames', () => {
  it('take the topmost operands of the caller as arguments, the deepest first', () => {
    const entry = methodOf([...pushed(1, 2, 3), call(1)], { returnLength: 3 });
    const called = methodOf([instruction('LoadLocal', 1), instruction('LoadLocal', 0)], {
      isPublic: false,
      argsLength: 2,
      localsLength: 3,
      returnLength: 2,
    });
    expect(endOf([entry, called])).toEqual(u256(1, 3, 2));
  });

  it('start locals that are no arguments as false, whatever stood there', () => {
    const entry = methodOf([...pushed(1, 2, 3), ...repeated(3, [instruction('Pop')]), call(1)], { returnLength: 1 });
    const called = methodOf([instruction('LoadLocal', 2)], { localsLength: 3, returnLength: 1 });
    expect(endOf([entry, called])).toEqual([{ type: 'Bool', value: false }]);
  });

  it('cannot pop what the caller left', () => {
    const entry = methodOf([one, call(1)]);
    expect(endOf([entry, methodOf([instruction('Pop')])])).toBe('StackUnderflow');
    expect(endOf([entry, methodOf([one, instruction('Swap')])])).toBe('StackUnderflow');
  });

  it('copy with Dup what lies below their base', () => {
    const local = methodOf([instruction('Dup')], { argsLength: 1, localsLength: 1, returnLength: 1 });
    expect(endOf([local], u256(8))).toEqual(u256(8));
    const entry = methodOf([...pushed(5), call(1)], { returnLength: 2 });
    expect(endOf([entry, methodOf([instruction('Dup')], { returnLength: 1 })])).toEqual(u256(5, 5));
    expect(endOf([methodOf([instruction('Dup')], { returnLength: 1 })])).toBe('StackUnderflow');
  });

  it('drop the operands that a method leaves', () => {
    const entry = methodOf([one, call(1)], { returnLength: 1 });
    const called = methodOf([...pushed(7, 8, 9), instruction('Return')]);
    expect(endOf([entry, called])).toEqual(u256(1));
  });

  it('need their arguments and results on their own stack', () => {
    expect(endOf([methodOf([call(1)]), methodOf([], { argsLength: 1, localsLength: 1 })])).toBe('StackUnderflow');
    expect(endOf([methodOf([one, call(1)]), methodOf([], { returnLength: 1 })])).toBe('StackUnderflow');
  });

  it('refuse arguments of another number than the entry method has', () => {
    const entry = methodOf([], { argsLength: 1, localsLength: 1 });
    expect(endOf([entry])).toBe('InvalidMethodArgLength');
    expect(endOf([entry], u256(1, 2))).toBe('InvalidMethodArgLength');
    expect(endOf([entry], u256(1))).toEqual([]);
  });

  it('let no entry method return values that nobody receives', () => {
    const entry = methodOf([one], { returnLength: 1 });
    expect(endOf([entry], [], false)).toBe('NonEmptyReturnForMainFunction');
  });

  it('end in StackUnderflow before it is asked who receives the values', () => {
    expect(endOf([methodOf([], { returnLength: 1 })], [], false)).toBe('StackUnderflow');
  });
});

describe('sizes', () => {
  it('hold 1024 locals and operands of all frames together', () => {
    const fill = (locals: number, operands: number) =>
      endOf([methodOf(repeated(operands, [one]), { localsLength: locals })]);
    expect(fill(0, 1024)).toEqual([]);
    expect(fill(0, 1025)).toBe('StackOverflow');
    expect(fill(1000, 24)).toEqual([]);
    expect(fill(1000, 25)).toBe('StackOverflow');
    expect(fill(1024, 0)).toEqual([]);
    expect(fill(1025, 0)).toBe('StackOverflow');
  });

  it('count the slots of the frames below', () => {
    const nested = (locals: number) =>
      endOf([
        methodOf([...repeated(500, [one]), call(1)], { localsLength: 24 }),
        methodOf([], { localsLength: locals }),
      ]);
    expect(nested(500)).toEqual([]);
    expect(nested(501)).toBe('StackOverflow');
  });

  it('give the arguments of a call to the called frame', () => {
    const entry = methodOf([...repeated(1024, [one]), call(1)]);
    expect(endOf([entry, methodOf([], { argsLength: 255, localsLength: 255 })])).toEqual([]);
    expect(endOf([entry, methodOf([], { argsLength: 255, localsLength: 256 })])).toBe('StackOverflow');
  });

  it('hold 1024 frames', () => {
    const outcome = runMethods([methodOf([call(0)])]);
    // The entry frame and 1023 calls; the next call is paid and finds no room.
    expect(outcome).toMatchObject({ kind: 'failed', gasLeft: 625_000 - 1024 * 200 });
    expect(outcome.kind === 'failed' && outcome.failure.failure).toBe('StackOverflow');
  });

  it('tell a wrapped reservation from a large one', () => {
    const entry = methodOf([one, call(1)]);
    expect(endOf([entry, methodOf([], { localsLength: 2 ** 31 - 2 })])).toBe('StackOverflow');
    expect(endOf([entry, methodOf([], { localsLength: 2 ** 31 - 1 })])).toBe('NegativeArgumentInStack');
  });
});

describe('methods that are not well-formed', () => {
  const entry = methodOf([one, one, call(1)]);

  it('fail with a negative number of arguments or results', () => {
    expect(endOf([entry, methodOf([], { argsLength: -1 })])).toBe('NegativeArgumentInStack');
    expect(endOf([entry, methodOf([], { returnLength: -1 })])).toBe('NegativeArgumentInStack');
  });

  it('abort with fewer locals than arguments, once the arguments are there', () => {
    expect(endOf([entry, methodOf([], { argsLength: 2, localsLength: 1 })])).toBe('aborted');
    expect(endOf([entry, methodOf([], { argsLength: 1 })])).toBe('aborted');
    expect(endOf([entry, methodOf([], { localsLength: -1 })])).toBe('aborted');
    expect(endOf([entry, methodOf([], { argsLength: 3, localsLength: 1 })])).toBe('StackUnderflow');
  });
});

describe('the return that happens twice', () => {
  /** A caller with operand 100, and a called frame that returns at once and then ends. */
  const returnedTwice = (locals: number, operands: readonly number[], returnLength: number): readonly Val[] => {
    const entry = methodOf([...pushed(100), call(1)], { returnLength: 1 + 2 * returnLength });
    const called = methodOf(pushed(...operands), { localsLength: locals, returnLength });
    const machine = new Machine({
      block: blockEnvironment,
      transaction: transactionEnvironment,
      gasLimit: 625_000,
      signatures: [],
      receivesResults: true,
    });
    const code = { kind: 'script' as const, methods: [entry, called] };
    enterEntryMethod(machine, code, [], undefined);
    machine.pushU256(100n);
    machine.frame.programCounter = 2;
    enterMethod(machine, code, 1, undefined);
    for (const value of operands) machine.pushU256(BigInt(value));
    returnAtOnce(machine);
    run(machine);
    return machine.results;
  };

  it('gives the topmost values, then the ones below', () => {
    expect(returnedTwice(9, [1, 2, 3, 4, 5], 2)).toEqual(u256(100, 4, 5, 2, 3));
  });

  it('reads what the first return wrote over the operands', () => {
    expect(returnedTwice(0, [1, 2], 1)).toEqual(u256(100, 2, 2));
    expect(returnedTwice(1, [1, 2], 1)).toEqual(u256(100, 2, 1));
  });

  it('follows the rule of the overwritten operands for all sizes', () => {
    const sizes = fc.record({ locals: fc.nat(6), results: fc.integer({ min: 1, max: 5 }), more: fc.nat(6) });
    fc.assert(
      fc.property(sizes, ({ locals, results: r, more }) => {
        const operands = Array.from({ length: 2 * r + more }, (_, i) => i + 1);
        const first = operands.slice(-r);
        const replaced = operands.map((value, j) => (locals + j < r ? first[locals + j]! : value));
        const rest = replaced.slice(0, replaced.length - r).slice(-r);
        expect(returnedTwice(locals, operands, r)).toEqual(u256(100, ...first, ...rest));
      }),
    );
  });

  it('needs the values twice', () => {
    expect(() => returnedTwice(0, [1], 1)).toThrow(expect.objectContaining({ failure: 'StackUnderflow' }));
  });
});

describe('failures name their place', () => {
  const locationOf = (methods: readonly Method[]) => {
    const outcome = runMethods(methods);
    return outcome.kind === 'failed' ? outcome.failure.location : undefined;
  };

  it('by method, index and name of the instruction', () => {
    expect(locationOf([methodOf([one, call(1)]), methodOf([one, instruction('Assert')])])).toEqual({
      contractId: undefined,
      methodIndex: 1,
      instructionIndex: 1,
      instruction: 'Assert',
    });
  });

  it('by the end of a method that returns too little', () => {
    expect(locationOf([methodOf([one], { returnLength: 2 })])).toMatchObject({
      instructionIndex: 1,
      instruction: 'Return',
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import {
  anyI256,
  anyInstruction,
  anyLockupScript,
  anyMethod,
  anyU256,
  anyVal,
  readRunVectors,
  runInstruction,
} from '@shardnode/testing/vm';
import { fc } from '@shardnode/testing/properties';
import { type Codec, decode, encode } from '../encoding/index.js';
import {
  contractCodec,
  instructionCodec,
  statefulScriptCodec,
  statelessScriptCodec,
  type Val,
  valsCodec,
} from '../script/index.js';
import { encodedFieldsLength } from './encoded-length.js';
import { decidePower, exponentGas } from './instructions/exponents.js';

const { defaults } = readRunVectors('vm-instructions.json');
const gasLimit = 625_000;

/** The result of an instruction, or the name of its failure, or `abort`. */
const answer = (instruction: string, ...operands: Val[]): Val | string => {
  const outcome = runInstruction(instruction, operands, defaults, { gasLimit });
  if (outcome.kind === 'succeeded') return outcome.results[0]!;
  return outcome.kind === 'aborted' ? 'abort' : outcome.failure.failure;
};
const resultOf = (instruction: string, ...operands: Val[]): Val => {
  const result = answer(instruction, ...operands);
  if (typeof result === 'string') throw new Error(`${instruction}: ${result}`);
  return result;
};

const u256 = (value: bigint): Val => ({ type: 'U256', value });
const i256 = (value: bigint): Val => ({ type: 'I256', value });
const bytesVal = (value: Uint8Array): Val => ({ type: 'ByteVec', value });

const modulus = 2n ** 256n;
const wrapped = (value: bigint): bigint => ((value % modulus) + modulus) % modulus;
type Model = (a: bigint, b: bigint) => bigint | boolean | undefined;

const u256Models: Record<string, Model> = {
  U256Add: (a, b) => a + b,
  U256Sub: (a, b) => a - b,
  U256Mul: (a, b) => a * b,
  U256Div: (a, b) => (b === 0n ? undefined : a / b),
  U256Mod: (a, b) => (b === 0n ? undefined : a % b),
  U256ModAdd: (a, b) => wrapped(a + b),
  U256ModSub: (a, b) => wrapped(a - b),
  U256ModMul: (a, b) => wrapped(a * b),
  U256BitAnd: (a, b) => a & b,
  U256BitOr: (a, b) => a | b,
  U256Xor: (a, b) => a ^ b,
  U256SHL: (a, b) => (b > 255n ? 0n : wrapped(a * 2n ** b)),
  U256SHR: (a, b) => (b > 255n ? 0n : a / 2n ** b),
  U256Eq: (a, b) => a === b,
  U256Neq: (a, b) => a !== b,
  U256Lt: (a, b) => a < b,
  U256Le: (a, b) => a <= b,
  U256Gt: (a, b) => a > b,
  U256Ge: (a, b) => a >= b,
};
const i256Models: Record<string, Model> = {
  I256Add: (a, b) => a + b,
  I256Sub: (a, b) => a - b,
  I256Mul: (a, b) => a * b,
  I256Div: (a, b) => (b === 0n ? undefined : a / b),
  I256Mod: (a, b) => (b === 0n || a / b === 2n ** 255n ? undefined : a % b),
  I256Eq: (a, b) => a === b,
  I256Neq: (a, b) => a !== b,
  I256Lt: (a, b) => a < b,
  I256Le: (a, b) => a <= b,
  I256Gt: (a, b) => a > b,
  I256Ge: (a, b) => a >= b,
};

const wanted = (type: 'U256' | 'I256', result: ReturnType<Model>): Val | string => {
  if (typeof result === 'boolean') return { type: 'Bool', value: result };
  const [min, max] = type === 'U256' ? [0n, modulus - 1n] : [-(2n ** 255n), 2n ** 255n - 1n];
  return result === undefined || result < min || result > max ? 'ArithmeticError' : { type, value: result };
};

describe('arithmetic is that of plain numbers, with a failure where the result does not fit', () => {
  const smallOrAny = fc.oneof(anyU256, fc.bigInt({ min: 0n, max: 300n }));
  it.each(Object.entries(u256Models))('%s', (instruction, model) => {
    fc.assert(
      fc.property(anyU256, smallOrAny, (a, b) => {
        expect(answer(instruction, u256(a), u256(b))).toEqual(wanted('U256', model(a, b)));
      }),
      { numRuns: 60 },
    );
  });

  it.each(Object.entries(i256Models))('%s', (instruction, model) => {
    fc.assert(
      fc.property(anyI256, anyI256, (a, b) => {
        expect(answer(instruction, i256(a), i256(b))).toEqual(wanted('I256', model(a, b)));
      }),
      { numRuns: 60 },
    );
  });

  it('MulModN and AddModN do not overflow in between', () => {
    fc.assert(
      fc.property(anyU256, anyU256, anyU256, (x, y, n) => {
        const operands = [x, y, n].map(u256);
        expect(answer('MulModN', ...operands)).toEqual(wanted('U256', n === 0n ? undefined : (x * y) % n));
        expect(answer('AddModN', ...operands)).toEqual(wanted('U256', n === 0n ? undefined : (x + y) % n));
      }),
      { numRuns: 60 },
    );
  });
});

describe('powers', () => {
  const smallExponent = fc.bigInt({ min: 0n, max: 300n });

  it('are exact where they fit', () => {
    fc.assert(
      fc.property(fc.oneof(anyI256, fc.bigInt({ min: -20n, max: 20n })), smallExponent, (base, exponent) => {
        expect(answer('I256Exp', i256(base), u256(exponent))).toEqual(wanted('I256', base ** exponent));
        if (base >= 0n) expect(answer('U256Exp', u256(base), u256(exponent))).toEqual(wanted('U256', base ** exponent));
      }),
      { numRuns: 100 },
    );
  });

  it('wrap in U256ModExp', () => {
    fc.assert(
      fc.property(anyU256, smallExponent, (base, exponent) => {
        expect(answer('U256ModExp', u256(base), u256(exponent))).toEqual(u256(wrapped(base ** exponent)));
      }),
      { numRuns: 60 },
    );
  });

  it('of -1, 0 and 1 exist for every exponent', () => {
    fc.assert(
      fc.property(anyU256, (exponent) => {
        expect(decidePower(1n, exponent)).toBe(1n);
        expect(decidePower(0n, exponent)).toBe(exponent === 0n ? 1n : 0n);
        expect(decidePower(-1n, exponent)).toBe(exponent % 2n === 0n ? 1n : -1n);
      }),
    );
  });

  it('that are never computed end at once, whatever base and exponent', () => {
    fc.assert(
      fc.property(anyI256, anyU256, (base, exponent) => {
        fc.pre(base > 1n || base < -1n);
        const power = decidePower(base, exponent);
        if (exponent >= 2n ** 31n) expect(power).toBe('overflow');
        if (typeof power === 'bigint') expect(power.toString(2).length).toBeLessThan(520);
      }),
    );
  });

  it.each([
    [-2n, 2n ** 31n - 1n, 'abort'],
    [-2n, 2n ** 31n - 2n, 'overflow'],
    [-2n, 256n, 2n ** 256n],
    [-2n, 257n, 'overflow'],
    [2n, 257n, 'overflow'],
    // The product 2 * 2^30 wraps to a negative number.
    [4n, 2n ** 30n, 'abort'],
    [4n, 2n ** 30n - 1n, 'overflow'],
    // The product 16 * 2^28 wraps to 0.
    [65536n, 2n ** 28n, 'abort'],
  ])('%i ** %i: %s', (base, exponent, expected) => expect(decidePower(base, exponent)).toBe(expected));

  it('cost 50 for each byte of the exponent', () => {
    expect([0n, 1n, 255n, 256n, 65535n, 65536n, modulus - 1n].map(exponentGas)).toEqual([
      10, 60, 60, 110, 110, 160, 1610,
    ]);
  });
});

describe('conversions have inverses', () => {
  it.each([1, 2, 4, 8, 16, 32])('U256To%iByte', (size) => {
    fc.assert(
      fc.property(anyU256, (value) => {
        const bytes = answer(`U256To${size}Byte`, u256(value));
        if (value >= 2n ** BigInt(8 * size)) return expect(bytes).toBe('InvalidConversion');
        expect((bytes as { value: Uint8Array }).value).toHaveLength(size);
        expect(answer(`U256From${size}Byte`, bytes as Val)).toEqual(u256(value));
      }),
      { numRuns: 60 },
    );
  });

  it('of signs', () => {
    fc.assert(
      fc.property(anyI256, anyU256, (signed, unsigned) => {
        const converted = answer('I256ToU256', i256(signed));
        expect(converted).toEqual(signed < 0n ? 'InvalidConversion' : u256(signed));
        if (signed >= 0n) expect(answer('U256ToI256', converted as Val)).toEqual(i256(signed));
        expect(answer('U256ToI256', u256(unsigned))).toEqual(
          unsigned >= 2n ** 255n ? 'InvalidConversion' : i256(unsigned),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('of texts', () => {
    fc.assert(
      fc.property(anyI256, (value) => {
        const text = resultOf('I256ToString', i256(value)) as { value: Uint8Array };
        expect(BigInt(new TextDecoder().decode(text.value))).toBe(value);
      }),
      { numRuns: 60 },
    );
  });

  it('of addresses', () => {
    fc.assert(
      fc.property(anyLockupScript, (value) => {
        const address: Val = { type: 'Address', value };
        expect(answer('ByteVecToAddress', resultOf('AddressToByteVec', address))).toEqual(address);
      }),
      { numRuns: 60 },
    );
  });

  it('of concatenation by slices', () => {
    const piece = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(piece, piece, (a, b) => {
        const whole = resultOf('ByteVecConcat', bytesVal(a), bytesVal(b));
        const [middle, end] = [u256(BigInt(a.length)), u256(BigInt(a.length + b.length))];
        expect(answer('ByteVecSlice', whole, u256(0n), middle)).toEqual(bytesVal(a));
        expect(answer('ByteVecSlice', whole, middle, end)).toEqual(bytesVal(b));
        expect(answer('ByteVecSize', whole)).toEqual(end);
      }),
      { numRuns: 60 },
    );
  });

  it('of Encode, whose charge is known before it encodes', () => {
    fc.assert(
      fc.property(fc.array(anyVal, { maxLength: 70 }), (vals) => {
        const encoded = encode(valsCodec, vals);
        expect(encodedFieldsLength(vals)).toBe(encoded.length);
        expect(decode(valsCodec, encoded)).toEqual(vals);
      }),
      { numRuns: 200 },
    );
    fc.assert(
      fc.property(fc.array(anyVal, { maxLength: 8 }), (vals) => {
        expect(answer('Encode', ...vals, u256(BigInt(vals.length)))).toEqual(bytesVal(encode(valsCodec, vals)));
      }),
      { numRuns: 40 },
    );
  });
});

describe('code decodes to what was encoded', () => {
  const expectInverse = <T>(codec: Codec<T>, arbitrary: fc.Arbitrary<T>): void =>
    fc.assert(
      fc.property(arbitrary, (value) => {
        const bytes = encode(codec, value);
        const decoded = decode(codec, bytes);
        expect(decoded).toEqual(value);
        expect(encode(codec, decoded)).toEqual(bytes);
      }),
      { numRuns: 100 },
    );

  it('instructions', () => {
    expectInverse(instructionCodec('stateful'), anyInstruction('stateful'));
    expectInverse(instructionCodec('stateless'), anyInstruction('stateless'));
  });

  it('unlock scripts', () => {
    const more = fc.array(anyMethod('stateless', [0, 2, 4, 6]), { maxLength: 3 });
    const first = anyMethod('stateless', [0, 2], true);
    expectInverse(
      statelessScriptCodec,
      fc.tuple(first, more).map(([entry, others]) => ({ methods: [entry, ...others] })),
    );
  });

  it('transaction scripts', () => {
    const more = fc.array(anyMethod('stateful', [0, 1, 2, 3, 4, 5, 6, 7]), { maxLength: 3 });
    const first = anyMethod('stateful', [0, 1, 2, 3], true);
    expectInverse(
      statefulScriptCodec,
      fc.tuple(first, more).map(([entry, others]) => ({ methods: [entry, ...others] })),
    );
  });

  it('contracts', () => {
    const methods = fc.array(anyMethod('stateful', [0, 1, 2, 3, 4, 5, 6, 7]), { maxLength: 5 });
    expectInverse(contractCodec, fc.record({ fieldLength: fc.integer({ min: -5, max: 300 }), methods }));
  });
});

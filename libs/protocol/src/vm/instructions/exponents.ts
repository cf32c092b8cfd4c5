import { bitLength } from '../../encoding/index.js';
import { isI256, isU256, u256Arithmetic } from '../../primitives/index.js';
import { type Execute, type InstructionImplementations } from '../execute.js';
import { abort, fail } from '../failure.js';

/** Bits of the magnitude, of -x - 1 for a negative x. */
const bitsOfBase = (base: bigint): number => bitLength(base < 0n ? -base - 1n : base);

const firstExponentRefused = 1n << 31n;
/** The reference cannot represent numbers of this many bits or more: it gives no result. */
const bitsOfAbort = 2 ** 31;

/**
 * base^exponent, or its failure, decided from the sizes before anything is computed (protocol 05 §18.16): the product
 * of (bits of the base - 1) and the exponent is compared after wrapping to 32 bits, so some powers that are far too
 * large pass the comparison and abort. Computed powers have at most 512 bits.
 */
export const decidePower = (base: bigint, exponent: bigint): bigint | 'overflow' | 'abort' => {
  if (exponent === 0n || base === 1n) return 1n;
  if (base === 0n) return 0n;
  if (base === -1n) return exponent % 2n === 0n ? 1n : -1n;
  if (exponent >= firstExponentRefused) return 'overflow';
  const n = Number(exponent);
  const product = (bitsOfBase(base) - 1) * n;
  if ((product | 0) > 256) return 'overflow';
  if (product >= bitsOfAbort) return 'abort';
  // Only the base -2 has a product of 0; its power has n + 1 bits.
  if (product === 0 && n > 256) return n + 1 >= bitsOfAbort ? 'abort' : 'overflow';
  return base ** exponent;
};

const powerInRange = (type: 'U256' | 'I256', base: bigint, exponent: bigint): bigint => {
  const power = decidePower(base, exponent);
  if (power === 'abort') return abort(`${type}Exp: a power of 2^31 or more bits`);
  const isInRange = type === 'U256' ? isU256 : isI256;
  if (power === 'overflow' || !isInRange(power))
    return fail('ArithmeticError', `Exp overflow: ${type}(${base}) ** ${exponent}`);
  return power;
};

/** 10 + 50 for each byte of the exponent without leading zeros (protocol 05 §6.2). */
export const exponentGas = (exponent: bigint): number =>
  exponent === 0n ? 10 : 10 + 50 * Math.ceil(exponent.toString(16).length / 2);

/** (x ∘ y) mod n; charges after computing. */
const modN =
  (sign: string, gas: number, operation: (x: bigint, y: bigint, n: bigint) => bigint | undefined): Execute =>
  (machine) => {
    const n = machine.popU256();
    const y = machine.popU256();
    const x = machine.popU256();
    const result = operation(x, y, n) ?? fail('ArithmeticError', `(U256(${x}) ${sign} U256(${y})) % U256(${n})`);
    machine.charge(gas);
    machine.pushU256(result);
  };

/** Instructions that charge after the computation: an arithmetic failure precedes OutOfGas. */
export const exponentInstructions: InstructionImplementations = {
  I256Exp: (machine) => {
    const exponent = machine.popU256();
    const power = powerInRange('I256', machine.popI256(), exponent);
    machine.charge(exponentGas(exponent));
    machine.pushI256(power);
  },
  U256Exp: (machine) => {
    const exponent = machine.popU256();
    const power = powerInRange('U256', machine.popU256(), exponent);
    machine.charge(exponentGas(exponent));
    machine.pushU256(power);
  },
  U256ModExp: (machine) => {
    const exponent = machine.popU256();
    const base = machine.popU256();
    // This power cannot fail, so the charge may precede the computation.
    machine.charge(exponentGas(exponent));
    machine.pushU256(u256Arithmetic.modPow(base, exponent));
  },
  MulModN: modN('*', 13, u256Arithmetic.mulModN),
  AddModN: modN('+', 8, u256Arithmetic.addModN),
};

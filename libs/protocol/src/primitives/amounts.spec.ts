import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { amountText, formatAmountHint, parseAmount, parseCoinAmount } from './amounts.js';
import { u256Max } from './arithmetic.js';
import { oneCoin } from './constants.js';

describe('amount texts', () => {
  const amount = fc.bigInt({ min: 0n, max: u256Max });

  it('say an amount in both units, exactly', () => {
    expect(amountText(oneCoin / 1_000n)).toBe('0.001 {COIN} (1000000000000000 atto{Coin})');
    expect(amountText(1n)).toBe('0.000000000000000001 {COIN} (1 atto{Coin})');
    expect(amountText(0n)).toBe('0 {COIN} (0 atto{Coin})');
    expect(amountText(10n ** 27n + 1n)).toBe(
      '1000000000.000000000000000001 {COIN} (1000000000000000000000000001 atto{Coin})',
    );
  });

  it('parse to what was printed, in both forms', () => {
    fc.assert(
      fc.property(amount, (value) => {
        const printed = value === 0n || value >= 10n ** 12n ? formatAmountHint(value, 'COIN') : '0 COIN';
        if (printed !== '0 COIN') expect(parseAmount(printed, 'COIN')).toBe(value);
        expect(parseAmount(value.toString(), 'COIN')).toBe(value);
      }),
    );
  });

  it('keep every digit of the smallest amounts', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 1n, max: 10n ** 12n - 1n }), (value) => {
        const [, digits, exponent] = /^([0-9.]+)E-([0-9]+) COIN$/.exec(formatAmountHint(value, 'COIN'))!;
        const places = digits!.includes('.') ? digits!.length - 2 : 0;
        expect(BigInt(digits!.replace('.', '')) * 10n ** BigInt(18 - Number(exponent) - places)).toBe(value);
      }),
    );
  });

  it('use the symbol of the network', () => {
    expect(parseAmount('1.5 XYZ', 'XYZ')).toBe((3n * oneCoin) / 2n);
    expect(parseAmount('1.5 COIN', 'XYZ')).toBeUndefined();
    expect(formatAmountHint(oneCoin, 'XYZ')).toBe('1 XYZ');
  });

  it('refuse what BigInt or Number would take', () => {
    for (const text of ['-0x1', '1n', '١', '1\n', '1 COIN\n', 'Infinity', '+', '-', '-1', '+-1', '1 COINCOIN'])
      expect(parseAmount(text, 'COIN')).toBeUndefined();
    expect(parseAmount('-0', 'COIN')).toBe(0n);
    expect(parseCoinAmount('7', 'COIN')).toBeUndefined();
  });

  it('give BigInt no more digits than u256 has, because that takes time with the square of their number', () => {
    const { BigInt: original } = globalThis;
    const digits: number[] = [];
    globalThis.BigInt = Object.assign((value: string) => {
      digits.push(value.length);
      return original(value);
    }, original) as unknown as BigIntConstructor;
    try {
      const long = '1'.repeat(100_000);
      for (const text of [long, `-${long}`, `${long} COIN`, `${long}.5 COIN`, `0.${long} COIN`])
        expect(parseAmount(text, 'COIN')).toBeUndefined();
      expect(parseAmount(`${'0'.repeat(100_000)}1 COIN`, 'COIN')).toBe(oneCoin);
    } finally {
      globalThis.BigInt = original;
    }
    expect(digits).toEqual([19]);
  });
});

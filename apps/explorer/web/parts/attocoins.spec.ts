import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { fullAmount, shortAmount, signedAmount } from './attocoins.js';

const coin = 10n ** 18n;

it.each([
  [0n, '0'],
  [1n, '0.000000000000000001'],
  [coin, '1'],
  [1_204_500_000_000_000_000_000n, '1,204.5'],
  [10n ** 27n, '1,000,000,000'],
  [-coin / 2n, '−0.5'],
  [
    2n ** 256n - 1n,
    '115,792,089,237,316,195,423,570,985,008,687,907,853,269,984,665,640,564,039,457.584007913129639935',
  ],
])('writes all digits of %s', (amount, text) => {
  expect(fullAmount(amount)).toBe(text);
});

it.each([
  [0n, '0'],
  [1n, '0.0(17)1'],
  [1_200_000_000n, '0.0(8)12'],
  [100_000_000_000_000n, '0.0001'],
  [99_999_999_999_999n, '0.0(4)9999'],
  [coin * 33_000n, '33,000'],
  [coin / 2n, '0.50'],
  [coin + coin / 3n, '1.3333'],
  [2n * coin - 1n, '1.9999'],
  [coin + 1n, '1'],
  [-7n * 10n ** 15n, '−0.007'],
])('shortens %s to %s', (amount, text) => {
  expect(shortAmount(amount)).toBe(text);
});

it('writes signs', () => {
  expect([coin, 0n, -coin].map((amount) => signedAmount(amount))).toEqual(['+1', '0', '−1']);
});

it('takes the decimals of a token', () => {
  expect(fullAmount(1_234_567n, 2)).toBe('12,345.67');
  expect(shortAmount(5n, 0)).toBe('5');
});

it('loses nothing of any amount', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: -(2n ** 256n), max: 2n ** 256n }),
      fc.integer({ min: 0, max: 30 }),
      (amount, decimals) => {
        const [whole = '', fraction = ''] = fullAmount(amount, decimals)
          .replaceAll(',', '')
          .replace('−', '-')
          .split('.');
        const sign = whole.startsWith('-') ? -1n : 1n;
        const digits = BigInt(`${whole.replace('-', '')}${fraction.padEnd(decimals, '0')}`);
        expect(sign * digits).toBe(amount);
      },
    ),
  );
});

it('never shows more than there is', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 10n ** 14n, max: 2n ** 128n }), (amount) => {
      const [whole = '', fraction = ''] = shortAmount(amount).replaceAll(',', '').split('.');
      const shown = BigInt(`${whole}${fraction.padEnd(18, '0')}`);
      expect(shown <= amount && amount - shown < 10n ** 14n).toBe(true);
    }),
  );
});

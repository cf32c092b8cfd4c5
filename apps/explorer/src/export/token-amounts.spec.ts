import { expect, it } from '@jest/globals';
import { linesOf } from '../reads/transaction-lines.js';
import { fullAmount, shownIn } from '../../web/parts/attocoins.js';

const token = 'ab'.repeat(32);
const amount = 123_456_789_000n;

/** The amount and the unit of a token in the file of an address. */
const inFile = (decimals: number): readonly (string | undefined)[] => {
  const text = linesOf(
    {
      hash: 'ef'.repeat(32),
      timestamp: 0,
      inputs: [{ address: 'B', attoCoinAmount: '0' }],
      outputs: [{ address: 'A', attoCoinAmount: '0', tokens: [{ id: token, amount: String(amount) }] }],
    },
    { address: 'A', coinSymbol: 'COIN', units: new Map([[token, { symbol: 'USD', decimals: BigInt(decimals) }]]) },
  );
  return text.split('\n')[1]!.split(',').slice(1, 3);
};

const onPage = (decimals: number): readonly string[] => {
  const shown = shownIn({ decimals: String(decimals) }, 'USD');
  return [fullAmount(amount, shown.decimals).replaceAll(',', ''), shown.unit];
};

it('shows amounts of a token with 0 to 256 decimal places on the page as in a file', () => {
  for (let decimals = 0; decimals <= 256; decimals++)
    expect([decimals, ...onPage(decimals)]).toEqual([decimals, ...inFile(decimals)]);
});

it('names the smallest unit beyond the places that an amount has', () => {
  expect(onPage(6)).toEqual(['123456.789', 'USD']);
  expect(onPage(80)).toEqual([`0.${'0'.repeat(68)}123456789`, 'USD']);
  expect(onPage(81)).toEqual([String(amount), 'smallest unit of USD']);
  expect(shownIn({ decimals: String(2n ** 255n) }, 'USD').unit).toBe('smallest unit of USD');
});

it('counts a token of which nothing is known in what it has', () => {
  expect(shownIn(undefined, 'token abababab')).toEqual({ decimals: 0, unit: 'token abababab' });
});

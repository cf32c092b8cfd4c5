import { describe, expect, it } from '@jest/globals';
import { attoAmountField, brandedText, neutralBrand } from './brand.js';

const shell = { coinName: 'Shell', coinSymbol: 'SHL' };

describe('the coin under a brand', () => {
  it.each([
    ['Not enough {COIN} for {COIN} change output', 'Not enough SHL for SHL change output'],
    ['got 0 {coin}, needs more {COIN}', 'got 0 shl, needs more SHL'],
    ["Inputs' {Coin} don't sum up", "Inputs' Shell don't sum up"],
    ['Failed due to InvalidCoinBalance: 00', 'Failed due to InvalidShellBalance: 00'],
    ['InvalidCoinbaseReward', 'InvalidCoinbaseReward'],
    ['Empty UTXOs', 'Empty UTXOs'],
  ])('%s', (text, branded) => {
    expect(brandedText(text, shell)).toBe(branded);
  });

  it('names the field of an amount', () => {
    expect([attoAmountField(neutralBrand), attoAmountField(shell)]).toEqual(['attoCoinAmount', 'attoShellAmount']);
  });
});

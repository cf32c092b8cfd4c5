import { describe, expect, it } from '@jest/globals';
import { brandedJson, jsonNeutralizer } from './branded-json.js';
import { brandedText, neutralBrand } from './brand.js';

const shell = { coinName: 'Shell', coinSymbol: 'SHL' };

describe('the names of a brand', () => {
  it.each([
    ['Not enough {COIN} for {COIN} change output', 'Not enough SHL for SHL change output'],
    ['got 0 {coin}, needs more {COIN}', 'got 0 shl, needs more SHL'],
    ["Inputs' {Coin} don't sum up", "Inputs' Shell don't sum up"],
    ['Failed due to InvalidCoinBalance: 00', 'Failed due to InvalidShellBalance: 00'],
    [
      'destinations[0].attoCoinAmount and maxAttoCoinPerUTXO',
      'destinations[0].attoShellAmount and maxAttoShellPerUTXO',
    ],
    ['InvalidCoinbaseReward', 'InvalidCoinbaseReward'],
    ['Empty UTXOs', 'Empty UTXOs'],
  ])('%s', (text, branded) => {
    expect(brandedText(text, shell)).toBe(branded);
  });

  it('renames fields of responses, but not in texts', () => {
    const value = {
      attoCoinAmount: '1',
      deep: [{ initialAttoCoinAmount: '"attoCoinAmount":' }],
      attoCoinAmounts: 'attoCoinAmount',
    };
    expect(JSON.parse(brandedJson(JSON.stringify(value), shell))).toEqual({
      attoShellAmount: '1',
      deep: [{ initialAttoShellAmount: '"attoCoinAmount":' }],
      attoCoinAmounts: 'attoCoinAmount',
    });
  });

  it('renames fields of requests to those of the code', () => {
    const body = {
      destinations: [{ attoShellAmount: '1.5 SHL', amount: '2 COIN', message: '3 SHL' }],
      password: '5 SHL',
    };
    jsonNeutralizer(shell)(body);
    expect(body).toEqual({
      destinations: [{ attoCoinAmount: '1.5 {COIN}', amount: '2 COIN', message: '3 SHL' }],
      password: '5 SHL',
    });
    const neutral = { attoCoinAmount: '1 COIN', amount: '5' };
    jsonNeutralizer(neutralBrand)(neutral);
    expect(neutral).toEqual({ attoCoinAmount: '1 {COIN}', amount: '5' });
  });
});

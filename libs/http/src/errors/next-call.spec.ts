import { describe, expect, it } from '@jest/globals';
import { errorCodes, lessonOf, type ErrorCode, type FailedRequest } from './index.js';

const request = (area: string, known: FailedRequest['known'], ...fields: string[]): FailedRequest => ({
  call: `POST /${area}/{some}/call`,
  fields: new Set(fields),
  known,
});

describe('field and next call of an error', () => {
  it.each<[string, ErrorCode, FailedRequest, string | undefined]>([
    [
      'the real name of the wallet',
      'WalletLocked',
      request('wallets', { wallet_name: 'hot' }),
      'POST /wallets/hot/unlock',
    ],
    [
      'a name that is no path',
      'WalletLocked',
      request('wallets', { wallet_name: '../a b?' }),
      'POST /wallets/..%2Fa%20b%3F/unlock',
    ],
    ['nothing that is not known', 'WalletLocked', request('wallets', {}), undefined],
    ['nothing that is empty', 'WalletLocked', request('wallets', { wallet_name: '' }), undefined],
    ['nothing that has no form in a path', 'WalletLocked', request('wallets', { wallet_name: 'a\ud800' }), undefined],
    [
      'a name of any alphabet',
      'WalletLocked',
      request('wallets', { wallet_name: '\u{1f600}' }),
      'POST /wallets/%F0%9F%98%80/unlock',
    ],
    ['nothing that is too long', 'WalletLocked', request('wallets', { wallet_name: 'a'.repeat(8_193) }), undefined],
    [
      'the sweep of the wallet',
      'TooManyInputs',
      request('wallets', { wallet_name: 'hot' }),
      'POST /wallets/hot/sweep-active-address',
    ],
    [
      'another address of the wallet, when one could pay',
      'NotEnoughBalance',
      request('wallets', { wallet_name: 'hot', payers: 'A,B' }),
      'POST /wallets/hot/change-active-address',
    ],
    [
      'the balances of the wallet, when none could',
      'NotEnoughBalance',
      request('wallets', { wallet_name: 'hot' }),
      'GET /wallets/hot/balances',
    ],
    ['the sweep of multisig', 'TooManyInputs', request('multisig', {}), 'POST /multisig/sweep'],
    ['the sweep of others', 'TooManyInputs', request('transactions', {}), 'POST /transactions/sweep-address/build'],
    [
      'not the call that has just failed',
      'TooManyInputs',
      { ...request('multisig', {}), call: 'POST /multisig/sweep' },
      undefined,
    ],
    [
      'the status of the conflicting transaction',
      'DoubleSpending',
      request('transactions', { conflictingTxId: 'ab' }),
      'GET /transactions/status?txId=ab',
    ],
    [
      'the unlocking of the wallet that has the name',
      'WalletExists',
      { ...request('wallets', { walletName: 'hot' }), call: 'POST /wallets' },
      'POST /wallets/hot/unlock',
    ],
    [
      'the names that are in use, where the mnemonic is another one',
      'WalletExists',
      { ...request('wallets', { walletName: 'hot' }), call: 'PUT /wallets' },
      'GET /wallets',
    ],
    ['no call where none helps', 'InvalidPassword', request('wallets', { wallet_name: 'hot' }), undefined],
  ])('%s', (_name, code, failed, next) => {
    expect(lessonOf(code, failed).next).toBe(next);
  });

  it.each<[string, ErrorCode, readonly string[], string | undefined, string | undefined]>([
    [
      'the field of the table that the request has',
      'InvalidSignature',
      ['unsignedTx', 'signatures'],
      undefined,
      'signatures',
    ],
    ['no field that the request does not have', 'GasTooSmall', ['destinations'], undefined, undefined],
    [
      'the field that the error names',
      'InvalidRequest',
      ['destinations'],
      'destinations[0].address',
      'destinations[0].address',
    ],
    ['not a name of a service', 'InvalidMinerAddresses', ['addresses'], 'lockupScripts', 'addresses'],
    ['nothing when only a service has a name for it', 'StoreUnavailable', ['addresses'], 'table', undefined],
  ])('%s', (_name, code, fields, told, field) => {
    expect(lessonOf(code, request('any', {}, ...fields), told).field).toBe(field);
  });

  it('the name of the amount in the request, for any brand', () => {
    const known = { destinations: [{ attoCoinAmount: '5' }, { amount: '5' }] };
    const fieldOf = (told: string) =>
      lessonOf('AmountBelowDust', request('transactions', known, 'destinations'), told).field;
    expect(fieldOf('destinations[0].attoCoinAmount')).toBe('destinations[0].attoCoinAmount');
    expect(fieldOf('destinations[1].attoCoinAmount')).toBe('destinations[1].amount');
    expect(fieldOf('destinations[2].attoCoinAmount')).toBe('destinations[2].attoCoinAmount');
    const deployment = request('contracts', {}, 'initialAttoCoinAmount');
    expect(lessonOf('DepositTooSmall', deployment).field).toBe('initialAttoCoinAmount');
  });

  it('no call that needs data missing in the error', () => {
    const failed = (known: FailedRequest['known']) => request('transactions', known, 'destinations');
    expect(lessonOf('EstimatedGasTooLarge', failed({})).next).toBeUndefined();
    expect(lessonOf('EstimatedGasTooLarge', failed({ inputsThatFit: 100 })).next).toBe(
      'POST /transactions/sweep-address/build',
    );
  });

  it('nothing for an unknown code', () => {
    for (const code of ['NewInAnotherVersion', 'toString', '__proto__'])
      expect(lessonOf(code, request('any', {}))).toEqual({ field: undefined, next: undefined });
    expect(Object.keys(errorCodes)).not.toContain('toString');
  });
});

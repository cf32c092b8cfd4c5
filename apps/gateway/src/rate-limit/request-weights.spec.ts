import { describe, expect, it } from '@jest/globals';
import { weightOf } from './request-weights.js';

describe('weight of a request', () => {
  it.each([
    ['GET', '/infos/version', undefined, 1],
    ['GET', undefined, undefined, 1],
    ['GET', '/blockflow/blocks', undefined, 10],
    ['HEAD', '/blockflow/blocks', undefined, 10],
    ['POST', '/wallets/:wallet_name/unlock', '30', 5],
    ['GET', '/wallets/:wallet_name/unlock', undefined, 1],
    ['POST', '/multisig/address', '262143', 1],
    ['POST', '/multisig/address', '262144', 2],
    ['POST', '/transactions/build', '10485760', 42],
    ['POST', '/multisig/address', '-1', 1],
    ['POST', '/multisig/address', 'many', 1],
    ['POST', '/multisig/address', '1e400', 1],
  ])('%s %s of %s bytes is %i', (method, route, announced, weight) => {
    expect(weightOf(method, route, { 'content-length': announced })).toBe(weight);
  });

  it('a chunked body counts as a megabyte', () => {
    expect(weightOf('POST', '/multisig/address', { 'transfer-encoding': 'chunked' })).toBe(5);
  });
});

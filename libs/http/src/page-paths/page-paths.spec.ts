import { describe, expect, it } from '@jest/globals';
import { pageAt, pathInFragment } from './page-paths.js';

const hash = 'ab01'.repeat(16);
const address = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';
const contract = 'ueE2isDhUNxkJVkcdrmPm63BT84hc2wvHPxEhaAqpwAf';

describe('paths of the pages of the explorer', () => {
  it.each([
    ['', 'network', ''],
    ['/', 'network', ''],
    ['/transactions', 'transactions', 'transactions'],
    ['/txs/', 'transactions', 'transactions'],
    [`/tx/${hash}`, 'transaction', `tx/${hash}`],
    [`/transactions/${hash}`, 'transaction', `tx/${hash}`],
    [`/tx/${hash}/`, 'transaction', `tx/${hash}`],
    [`//tx//${hash}`, 'transaction', `tx/${hash}`],
    [`/TX/0x${hash.toUpperCase()}`, 'transaction', `tx/${hash}`],
    [`/blocks/${hash}`, 'block', `block/${hash}`],
    ['/blocks', 'blocks', 'block'],
    [`/addresses/${address}`, 'address', `address/${address}`],
    [`/address/${address}:0`, 'address', `address/${address}`],
    [`/addresses/${address}%3A12`, 'address', `address/${address}`],
    [`/contracts/${contract}:3`, 'contract', `address/${contract}`],
    ['/chains/0/3', 'chain', 'chain/0/3'],
    [`/tokens/${hash}`, 'token', `token/${hash}`],
    ['/mempool/transactions', 'pending', 'pending'],
    ['/search', 'find', 'find'],
    ['/richlist', 'rich-list', 'richlist'],
  ])('%s', (path, page, own) => {
    expect(pageAt(path)).toMatchObject({ page, path: own });
    // Its own path leads to the same page.
    expect(pageAt(own)).toEqual(pageAt(path));
  });

  it.each(['tx', 'tx/00', 'tx/%zz', 'address/%', 'tx/%E0%A4%A', 'nowhere', `addresses/${address}/utxos`, 'infos/sync'])(
    'has no page for %s',
    (path) => expect(pageAt(path)).toBeUndefined(),
  );

  it('may stand behind # of other explorers', () => {
    expect(pathInFragment(`#/addresses/${address}`)).toEqual({ path: `addresses/${address}`, query: '' });
    expect(pathInFragment('#!/search?q=ab')).toEqual({ path: 'search', query: '?q=ab' });
    expect(pathInFragment('#/')).toEqual({ path: '', query: '' });
    for (const place of ['', '#', '#content', '#operations/x']) expect(pathInFragment(place)).toBeUndefined();
  });
});

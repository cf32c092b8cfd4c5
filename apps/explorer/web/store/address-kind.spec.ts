import { expect, it } from '@jest/globals';
import { addressOf } from '@shardnode/protocol/address';
import { isOfContract, multisigOf } from './address-kind.js';

const hashes = (count: number): string[] =>
  Array.from({ length: count }, (_, i) => (i + 1).toString(16).padStart(64, 'a'));

it.each([
  [1, 1],
  [2, 3],
  [16, 16],
  [3, 31],
  [20, 32],
  [46, 46],
])('says that %i of %i keys unlock an address', (needed, keys) => {
  const address = addressOf({ kind: 'p2mpkh', publicKeyHashes: hashes(keys), m: needed });
  expect(multisigOf(address)).toEqual({ needed, keys });
  expect(multisigOf(address.slice(0, -2))).toBeUndefined();
});

it('knows the addresses of contracts', () => {
  const [hash] = hashes(1) as [string];
  expect(isOfContract(addressOf({ kind: 'p2c', contractId: hash }))).toBe(true);
  expect(isOfContract(addressOf({ kind: 'p2sh', scriptHash: hash }))).toBe(false);
});

it('says nothing of other addresses, and of texts that are none', () => {
  const [hash] = hashes(1) as [string];
  for (const address of [
    addressOf({ kind: 'p2pkh', publicKeyHash: hash }),
    addressOf({ kind: 'p2sh', scriptHash: hash }),
    addressOf({ kind: 'p2c', contractId: hash }),
    '',
    '0OIl',
    'X',
  ])
    expect(multisigOf(address)).toBeUndefined();
});

import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { contractAddressOf, contractIdOf, groupOfContractId } from './contract-address.js';

// Of the vectors `addresses`.
it.each([
  ['d5ea81f7894f7d6fed6664b6b46ed5316c27dbb3359d468ce9206c6417b66900', '295zMNjTSpWs8GX4Zp6NKFsh1ndWtTGvGhkKAgAV6kL5d'],
  ['b8a86c02b338347a9b4512dcd3fcdddfea436aa1a1092c57ffc69fe659288701', '277n5j3qVvxWWvEP9Uof29GPXGQS2bSnWEM8nDVtrkdB6'],
  ['0e28f15ca290002c31d691aa008aa56ac12356b0380efb6c88fff929b6a26800', 'ueE2isDhUNxkJVkcdrmPm63BT84hc2wvHPxEhaAqpwAf'],
])('knows the address of the contract %s, and its id from the address', (id, address) => {
  expect([contractAddressOf(id), contractIdOf(address)]).toEqual([address, id]);
});

it('finds the id again in every address', () => {
  const hash = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 64, maxLength: 64 });
  fc.assert(fc.property(hash, (id) => expect(contractIdOf(contractAddressOf(id))).toBe(id)));
});

it('knows addresses that are of no contract', () => {
  const payers = ['1C2RAVWSuaXw8xtUxqVERR7ChKBE1XgscNFw73NSHE1v3', '1H7CmpbvGJwgyLzR91wzSJJSkiBC92WDPTWny4gmhQJQc'];
  for (const address of [...payers, '', '0', 'nonsense', 'z'.repeat(100_000)])
    expect([address, contractIdOf(address)]).toEqual([address, undefined]);
});

it('knows the group of a contract', () => {
  expect(groupOfContractId(`${'ab'.repeat(31)}03`)).toBe(3);
});

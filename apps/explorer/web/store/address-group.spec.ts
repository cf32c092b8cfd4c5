import { expect, it } from '@jest/globals';
import { groupOfAddress } from './address-group.js';

// Of the vectors `addresses`: keys, keys together, a script, contracts.
it.each([
  ['1C2RAVWSuaXw8xtUxqVERR7ChKBE1XgscNFw73NSHE1v3', 1, 2],
  ['1H7CmpbvGJwgyLzR91wzSJJSkiBC92WDPTWny4gmhQJQc', 1, 0],
  ['1DkrQMni2h8KYpvY8t7dECshL66gwnxiR5uD2Udxps6og', 0, 1],
  ['2jjvDdgGjC6X9HHMCMHohVfvp1uf3LHQrAGWaufR17P7AFwtxodTxSktqKc2urNEtaoUCy5xXpBUwpZ8QM8Q3e5BYCx', 1, 2],
  ['je9CrJD444xMSGDA2yr1XMvugoHuTc6pfYEaPYrKLuYa', 3, 0],
  ['eBrjfQNeyUCuxE4zpbfMZcbS3PuvbMJDQBCyk4HRHtX4', 0, 1],
  ['yya86C6UemCeLs5Ztwjcf2Mp2Kkt4mwzzRpBiG6qQ9kj', 0, 0],
  ['22sTaM5xer7h81LzaGA2JiajRwHwECpAv9bBuFUH5rrnr', undefined, undefined],
])('knows the group of %s, of four and of three', (address, ofFour, ofThree) => {
  expect([groupOfAddress(address, 4), groupOfAddress(address, 3)]).toEqual([ofFour, ofThree]);
});

it.each(['', '0', 'nonsense', '1', 'GOLD'])('knows that %j is no address', (text) => {
  expect(groupOfAddress(text, 4)).toBeUndefined();
});

import { describe, expect, it } from '@jest/globals';
import { addressOf } from '@shardnode/protocol/address';
import { chainOfBlockHash, groupOfAddress, groupOfContractId } from './index.js';

/** Accounts of the development network (decision 22), by group. */
const accounts = [
  '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH',
  '14UAjZ3qcmEVKdTo84Kwf4RprTQi86w2TefnnGFjov9xF',
  '15jjExDyS8q3Wqk9v29PCQ21jDqubDrD8WQdgn6VW2oi4',
  '17cBiTcWhung3WDLuc9ja5Y7BMus5Q7CD9wYBxS1r1P2R',
];
const contractId = (last: string): string => '00'.repeat(31) + last;

describe('finding the group', () => {
  it('of an address', () => {
    expect(accounts.map((address) => groupOfAddress(address, 4))).toEqual([0, 1, 2, 3]);
    expect(groupOfAddress('not an address', 4)).toBeUndefined();
    expect(groupOfAddress(addressOf({ kind: 'p2c', contractId: contractId('02') }), 4)).toBe(2);
    expect(groupOfAddress(addressOf({ kind: 'p2c', contractId: contractId('04') }), 4)).toBeUndefined();
  });

  it('of a contract id and of a block hash', () => {
    expect([groupOfContractId(contractId('03'), 4), groupOfContractId(contractId('ff'), 4)]).toEqual([3, undefined]);
    expect(chainOfBlockHash('0'.repeat(63) + '6', 4)).toEqual({ from: 1, to: 2 });
  });
});

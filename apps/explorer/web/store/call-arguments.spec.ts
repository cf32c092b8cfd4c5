import { describe, expect, it } from '@jest/globals';
import { argumentOf } from './call-arguments.js';

const most = (2n ** 256n - 1n).toString();
const contract = '22JXAaBPdvSV563kJQPWPv2gB4JfKD2JNoWA73s68uexh';
const id = '711e8297719d33d49e5f175f79b58e12bbea2fae9b03a737b474fe5a20235c02';

describe('a written argument', () => {
  it.each([
    ['Bool', 'true', true],
    ['Bool', ' false ', false],
    ['U256', '0', '0'],
    ['U256', '1,000 000_0', '10000000'],
    ['U256', most, most],
    ['I256', '-5', '-5'],
    ['I256', '+5', '5'],
    ['I256', (-(2n ** 255n)).toString(), (-(2n ** 255n)).toString()],
    ['ByteVec', '', ''],
    ['ByteVec', '0x00Ff', '00ff'],
    ['Address', contract, contract],
    ['Address', 'dev 0', '1abc'],
  ])('of %s: %j', (type, text, value) => {
    const addressNamed = (name: string) => (name === 'dev 0' ? '1abc' : undefined);
    expect(argumentOf(type, text, addressNamed)).toEqual({ type, value });
  });

  it('of a contract is its id, or its address', () => {
    expect(argumentOf('Token', contract)).toEqual({ type: 'ByteVec', value: id });
    expect(argumentOf('Token', id)).toEqual({ type: 'ByteVec', value: id });
  });

  it.each([
    ['Bool', 'yes'],
    ['U256', ''],
    ['U256', '-1'],
    ['U256', '1.5'],
    ['U256', '1,,0'],
    ['U256', (2n ** 256n).toString()],
    ['I256', (2n ** 255n).toString()],
    ['I256', '--1'],
    ['ByteVec', 'abc'],
    ['ByteVec', 'xy'],
    ['Address', 'dev 9'],
    ['Address', ''],
    ['Token', 'abcd'],
    ['Token', '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH'],
  ])('of %s is not %j', (type, text) => {
    expect(argumentOf(type, text)).toBeUndefined();
  });
});

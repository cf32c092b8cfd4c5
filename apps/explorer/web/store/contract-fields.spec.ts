import { describe, expect, it } from '@jest/globals';
import { type Val } from './contract-forms.js';
import { fieldsOf } from './contract-fields.js';

const u256 = (value: string): Val => ({ type: 'U256', value });
const mark: Val = { type: 'ByteVec', value: '414c50480001' };
const named = (name: string, isMutable = false, type = 'U256') => ({ name, isMutable, type });
const told = (...given: Parameters<typeof fieldsOf>) =>
  fieldsOf(...given).map(({ name, isMutable, position, val }) => [
    name ?? `${isMutable ? 'mut' : 'imm'} ${position}`,
    val.value,
  ]);

describe('fields of a contract', () => {
  const state = { immFields: [u256('1'), u256('2')], mutFields: [u256('3'), u256('4')] };

  it('have their names, in the order of the source', () => {
    const source = [named('a', true), named('b'), named('c'), named('d', true)];
    expect(told(state, source)).toEqual([
      ['a', '3'],
      ['b', '1'],
      ['c', '2'],
      ['d', '4'],
    ]);
  });

  it.each([
    ['without names', undefined],
    ['with too few', [named('a', true), named('b')]],
    ['with others of one kind', [named('a', true), named('b', true), named('c', true), named('d')]],
  ])('have positions %s, those that can change last', (_name, source) => {
    expect(told(state, source)).toEqual([
      ['imm 0', '1'],
      ['imm 1', '2'],
      ['mut 0', '3'],
      ['mut 1', '4'],
    ]);
  });

  it('have the mark of their interface at the end, which has no name', () => {
    const marked = { immFields: [u256('1'), mark], mutFields: [u256('3')] };
    const source = [named('a'), named('b', true)];
    for (const each of [source, [...source, named('__stdInterfaceId')]]) {
      expect(told(marked, each)).toEqual([
        ['a', '1'],
        ['b', '3'],
        ['imm 1', '414c50480001'],
      ]);
    }
    expect(fieldsOf(marked, source).map(({ isInterfaceMark }) => isInterfaceMark)).toEqual([false, false, true]);
    expect(fieldsOf(marked, undefined).map(({ isInterfaceMark }) => isInterfaceMark)).toEqual([false, false, true]);
  });

  it('are none of a contract without any', () => {
    expect(fieldsOf({ immFields: [], mutFields: [] }, [])).toEqual([]);
  });
});

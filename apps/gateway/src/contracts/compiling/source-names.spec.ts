import { describe, expect, it } from '@jest/globals';
import { compileContract, compileProject } from '@shardnode/compiler';
import { isSmall, namesOf } from './source-names.js';

const source = `
struct Point { x: I256, mut y: I256 }
struct Line { mut from: Point, mut ends: [Point; 2] }

Interface Token { pub fn symbol() -> ByteVec }

Contract Shape(owner: Address, mut line: Line, token: Token, mut counts: [[U256; 2]; 2]) {
  event Moved(by: I256, from: Address)
  enum ShapeError { TooFar = 3 }

  @using(preapprovedAssets = true, checkExternalCaller = false)
  pub fn move(by: Point, times: [U256; 2]) -> (Bool, Point) {
    assert!(times[0] < 9, ShapeError.TooFar)
    emit Moved(by.x, owner)
    return owner == callerAddress!() && token.symbol() == #, by
  }

  @using(updateFields = true)
  fn grow() -> () {
    counts[0][1] = counts[0][1] + 1
    line.from.y = line.ends[1].y
  }
}
`;
const project = compileProject(source, {});
const names = namesOf(project.contracts[0]!, project.structs);

describe('names of a source', () => {
  it('are those of the slots of fields, with what can change of structs and arrays', () => {
    expect(names.fields!.map(({ name, type, isMutable }) => `${isMutable ? 'mut ' : ''}${name}: ${type}`)).toEqual([
      'owner: Address',
      'line.from.x: I256',
      'mut line.from.y: I256',
      'line.ends[0].x: I256',
      'mut line.ends[0].y: I256',
      'line.ends[1].x: I256',
      'mut line.ends[1].y: I256',
      'token: Token',
      'mut counts[0][0]: U256',
      'mut counts[0][1]: U256',
      'mut counts[1][0]: U256',
      'mut counts[1][1]: U256',
    ]);
  });

  it('are those of functions and events by their indexes', () => {
    const slot = (name: string, type: string) => ({ name, type });
    expect(names.functions.map(({ name }) => name)).toEqual(['move', 'grow']);
    expect(names.functions[0]).toEqual({
      name: 'move',
      isPublic: true,
      usePreapprovedAssets: true,
      params: [slot('by.x', 'I256'), slot('by.y', 'I256'), slot('times[0]', 'U256'), slot('times[1]', 'U256')],
      returns: ['Bool', 'I256', 'I256'],
    });
    expect(names.events).toEqual([{ name: 'Moved', fields: [slot('by', 'I256'), slot('from', 'Address')] }]);
    expect(names.errorCodes).toEqual([['ShapeError.TooFar', '3']]);
  });

  it('are left out where the compiler does not tell a struct, and only there', () => {
    const { fields, functions, events } = namesOf(project.contracts[0]!, undefined);
    expect([fields, functions[0]!.params, functions[0]!.returns]).toEqual([undefined, undefined, undefined]);
    expect(events).toEqual(names.events);
    expect(functions[1]).toMatchObject({ params: [], returns: [] });
    const plain = compileContract('Contract C(a: [U256; 2]) { pub fn f() -> U256 { return a[0] } }', {});
    expect(namesOf(plain, undefined).fields!.map(({ name }) => name)).toEqual(['a[0]', 'a[1]']);
  });

  it('of structs without an end take no time and no memory', () => {
    const structs = Array.from({ length: 60 }, (_, i) => ({
      name: `S${i}`,
      fieldNames: i === 0 ? [] : ['a', 'b'],
      fieldTypes: i === 0 ? [] : [`S${i - 1}`, `[S${i - 1};65535]`],
      isMutable: [true, true],
    }));
    const fields = { names: ['huge'], types: ['S59'], isMutable: [true] };
    expect(namesOf({ ...project.contracts[0]!, fields }, structs).fields).toBeUndefined();
  });

  it('are retained up to a size', () => {
    expect(isSmall(names)).toBe(true);
    const long = { ...names, events: [{ name: 'x'.repeat(16 * 1024), fields: [] }] };
    expect(isSmall(long)).toBe(false);
    // Objects without long names: a source of 12 kB has thousands.
    const one = { name: '', isPublic: false, usePreapprovedAssets: false, params: [], returns: [] };
    expect(isSmall({ ...names, functions: Array.from({ length: 100 }, () => one) })).toBe(true);
    expect(isSmall({ ...names, functions: Array.from({ length: 250 }, () => one) })).toBe(false);
  });
});

import { describe, expect, it } from '@jest/globals';
import { readVectors } from '@shardnode/testing/vectors';
import { instructions } from '../../script/index.js';
import { implementationByCode, implementationTables } from './index.js';

interface OpcodeRow {
  readonly code: string;
  readonly name: string;
  readonly scope: string;
  readonly gas: string;
}
/** Only the original set has them: their source may not be copied. */
const opcodes = readVectors<{ opcodes?: { list: readonly OpcodeRow[] } }>('vm.json').opcodes?.list ?? [];

/** Fixed gas that is not charged first (protocol 05 §5.1 rule 2). */
const isChargedLate = (name: string): boolean =>
  ['MulModN', 'AddModN', 'ContractIdToAddress'].includes(name) || /^U256(To|From)\d+Byte$/.test(name);

/** What the table must say where the vectors give a formula: the part that is charged first. */
const firstPart: Readonly<Record<string, number | undefined>> = { formula: 200, '32000+': 32_000, '24000+': 24_000 };

describe('tables of implementations', () => {
  it('hold every instruction exactly once', () => {
    const names = implementationTables.flatMap((table) => Object.keys(table));
    expect(names.sort()).toEqual(instructions.map(({ name }) => name).sort());
  });

  it('are reached by every code that decodes, and by no other', () => {
    const reached = implementationByCode.flatMap((implementation, code) => (implementation ? [code] : []));
    expect(reached).toEqual(instructions.map(({ code }) => code));
  });
});

/** The copy of the project lacks the part. */
(opcodes.length > 0 ? describe : describe.skip)('the instruction table', () => {
  it('knows the codes of the vectors', () => {
    expect(instructions.map(({ code, name }) => [code, name])).toEqual(
      opcodes.map(({ code, name }) => [parseInt(code, 16), name]),
    );
  });

  it('has the gas and scope of the vectors', () => {
    const rows = opcodes.map(({ code, name, scope, gas }) => {
      const fixed = /^\d+$/.test(gas) ? Number(gas) : firstPart[gas];
      return [parseInt(code, 16), name, isChargedLate(name) ? undefined : fixed, scope === 'stateful'];
    });
    expect(instructions.map(({ code, name, gas, statefulOnly }) => [code, name, gas, statefulOnly])).toEqual(rows);
  });
});

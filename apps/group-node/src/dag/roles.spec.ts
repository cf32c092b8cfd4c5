import { describe, expect, it } from '@jest/globals';
import { bodyHoldersOf, importRoles, roleOf } from './roles.js';

describe('roles of chains (protocol 03 §6.1, §12.5)', () => {
  it('gives a node its 4 own chains, 3 in-chains, 1 copy, and 8 chains of headers', () => {
    const roles = [0, 1, 2, 3].map((from) => [0, 1, 2, 3].map((to) => roleOf({ from, to }, 1, 4)));
    expect(roles).toEqual([
      ['incoming', 'incoming', 'foreign', 'foreign'],
      ['own', 'own', 'own', 'own'],
      ['foreign', 'incoming', 'foreign', 'foreign'],
      ['foreign', 'incoming', 'foreign', 'foreign'],
    ]);
  });

  it('stores every body at two different groups', () => {
    for (const from of [0, 1, 2, 3]) {
      for (const to of [0, 1, 2, 3]) {
        const [owner, second] = bodyHoldersOf({ from, to }, 4);
        expect(owner).toBe(from);
        expect(second).not.toBe(owner);
        expect(roleOf({ from, to }, second, 4)).toBe('incoming');
      }
    }
  });

  it('executes own blocks only', () => {
    expect(Object.entries(importRoles).flatMap(([role, row]) => (row.executes ? [role] : []))).toEqual(['own']);
  });
});

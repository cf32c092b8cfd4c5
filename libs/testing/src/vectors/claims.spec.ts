import { describe, expect, it } from '@jest/globals';
import { gapsOf, onlyInWholeSet, vectorClaims } from './claims.js';
import { readVectors, vectorOrigin } from './vector-files.js';

describe('claims on the vector files', () => {
  it.each(Object.keys(vectorClaims))('every section of %s belongs to one floor', (file) => {
    const sections = Object.keys(readVectors(file));
    const claimed = Object.keys(vectorClaims[file]!);
    expect(sections.filter((section) => !claimed.includes(section))).toEqual([]);
    // The project's own copies lack some sections, so only the whole set shows a claim on nothing.
    if (vectorOrigin === 'original') expect([...claimed].sort()).toEqual([...sections].sort());
  });

  it.each(Object.keys(vectorClaims))('%s has cases in every section', (file) => {
    const allowed = vectorOrigin === 'original' ? [] : (onlyInWholeSet[file] ?? []);
    expect({ file, withoutCases: gapsOf(file, readVectors(file)) }).toEqual({ file, withoutCases: allowed });
  });

  it('a section that is missing, a section without cases and a part without cases are gaps', () => {
    const vectors = { djb: [1], base58: [], sign: { good: [1], bad: [] }, about: 'text' };
    const gaps = gapsOf('encoding.json', vectors);
    expect(gaps).toEqual(expect.arrayContaining(['base58', 'sign.bad', 'hashes']));
    expect(gaps).not.toContain('djb');
  });
});

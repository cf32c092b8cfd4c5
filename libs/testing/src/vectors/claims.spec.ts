import { describe, expect, it } from '@jest/globals';
import { vectorClaims } from './claims.js';
import { readVectors, vectorOrigin } from './vector-files.js';

describe('claims on the vector files', () => {
  it.each(Object.keys(vectorClaims))('every section of %s belongs to one floor', (file) => {
    const sections = Object.keys(readVectors(file));
    const claimed = Object.keys(vectorClaims[file]!);
    expect(sections.filter((section) => !claimed.includes(section))).toEqual([]);
    // The project's own copies lack some sections, so only the original set shows a claim on nothing.
    if (vectorOrigin === 'original') expect([...claimed].sort()).toEqual([...sections].sort());
  });
});

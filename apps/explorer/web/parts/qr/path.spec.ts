import { expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { modulesPath, svgFile } from './path.js';

it('covers the dark modules, each once, and no light one', () => {
  const squares = fc
    .integer({ min: 1, max: 12 })
    .chain((size) => fc.array(fc.boolean(), { minLength: size * size, maxLength: size * size }));
  fc.assert(
    fc.property(squares, (dark) => {
      const size = Math.sqrt(dark.length);
      const covered = dark.map(() => 0);
      const path = modulesPath({ size, get: (x, y) => dark[y * size + x]! });
      for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
        for (let i = 0; i < Number(width); i++) covered[Number(y) * size + Number(x) + i]! += 1;
      expect(covered).toEqual(dark.map(Number));
    }),
  );
});

it('is a file with light around the code', () => {
  expect(svgFile('M0 0h1v1h-1z', 9)).toBe(
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="-4 -4 9 9" width="72" height="72">' +
      '<rect x="-4" y="-4" width="9" height="9" fill="white"/><path d="M0 0h1v1h-1z"/></svg>',
  );
});

import { expect, it } from '@jest/globals';
import { fc, seed } from './index.js';

it('a property sees the same values in every run of a seed, and others with another one', () => {
  const seen = (options?: { readonly seed: number }): number[] => {
    const values: number[] = [];
    fc.assert(
      fc.property(fc.integer(), (value) => void values.push(value)),
      options,
    );
    return values;
  };
  expect(seen()).toEqual(seen({ seed }));
  expect(seen()).not.toEqual(seen({ seed: seed + 1 }));
});

it('a property that fails names its seed', () => {
  expect(() => fc.assert(fc.property(fc.integer(), () => false))).toThrow(`seed: ${seed}`);
});

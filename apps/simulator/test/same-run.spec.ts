import { expect, it } from '@jest/globals';
import { failuresOf, patience, simulated } from './support/simulated.js';

it(
  'is the same run twice in one process, and again in another; another seed is another run',
  async () => {
    const [[first, second, other], [again]] = await Promise.all([
      simulated('--seeds', '7,7,8', '--rounds', '2'),
      simulated('--seeds', '7', '--rounds', '2'),
    ]);
    expect(failuresOf([first!, second!, other!, again!])).toEqual([]);
    expect(first!.events).toBeGreaterThan(1_000);
    expect(second!.hash).toBe(first!.hash);
    expect(again!.hash).toBe(first!.hash);
    expect(other!.hash).not.toBe(first!.hash);
  },
  patience,
);

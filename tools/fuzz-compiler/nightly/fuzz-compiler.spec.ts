import { describe, expect, it } from '@jest/globals';
import { fuzzSources, runCompilerFuzz } from '@shardnode/testing/compiler-fuzz';
import { parseOptions } from '../options.js';

const isLong = process.env.LONG === '1';
const seed = 20_261_125;
const inOneTest = isLong ? 25_000 : 2_000;
const chunks = Array.from({ length: isLong ? 40 : 3 }, (_, i) => i * inOneTest);

describe('random and changed sources', () => {
  it.each(chunks)(`end as they should: ${inOneTest} from number %i on`, (from) => {
    const { violations, slow } = runCompilerFuzz({ seed, from, count: inOneTest });
    expect(violations).toEqual([]);
    // Time is no test: others use the processor, too.
    if (slow.length > 0) console.log(slow.join('\n'));
  });

  it('are accepted if they were made as programs, and of every ending if they were changed', () => {
    const { endings } = runCompilerFuzz({ seed, from: 0, count: 1_000 });
    expect(endings.get('random')!.get('accepted')).toBeGreaterThan(450);
    expect([...endings.get('changed')!.keys()].sort()).toEqual([
      'Compilation error',
      'Syntax error',
      'Type error',
      'accepted',
    ]);
  });

  it('are the same ones for the same seed, and others for another', () => {
    const texts = (of: number) => Array.from({ length: 20 }, (_, i) => fuzzSources(of)(i).text);
    expect(texts(1)).toEqual(texts(1));
    expect(texts(1)).not.toEqual(texts(2));
  });
});

describe('the command', () => {
  it('knows its options', () => {
    expect(parseOptions([])).toEqual({ sources: 100_000, seed: 1, from: 0 });
    expect(parseOptions(['--sources', '10', '--seed', '7', '--from', '3'])).toEqual({ sources: 10, seed: 7, from: 3 });
    expect(() => parseOptions(['--sources', 'many'])).toThrow('--sources expects a whole number, got many');
  });
});

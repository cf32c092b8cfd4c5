import { afterAll, describe, expect, it } from '@jest/globals';
import { cpuBound, type FuzzTally, runFuzzCampaign } from '@shardnode/testing/machine-fuzz';
import { parseOptions } from '../options.js';
import { comparePlainEngines } from '../plain-run.js';
import { slowestTable, summaryTable } from '../report.js';

const isLong = process.env.LONG === '1';
const seed = 20_261_122;
const inOneTest = isLong ? 25_000 : 1_000;
const chunks = Array.from({ length: isLong ? 40 : 10 }, (_, i) => i * inOneTest);
/** Plain JavaScript takes its time for signatures. */
const inPlain = isLong ? 10_000 : 1_000;

describe('random programs', () => {
  const tallies: FuzzTally[] = [];

  it.each(chunks)(`end as they should: ${inOneTest} from number %i on`, (from) => {
    const tally = runFuzzCampaign({ seed, from, count: inOneTest });
    tallies.push(tally);
    expect(tally.violations).toEqual([]);
  });

  it('end the same with plain engines', async () => {
    const digests = (tallies[0] ?? runFuzzCampaign({ seed, from: 0, count: inPlain })).digests.slice(0, inPlain);
    expect(await comparePlainEngines(seed, 0, digests)).toEqual([]);
  });

  it('are of every kind, and many of them run to the end', () => {
    const endings = [...(tallies[0] ?? runFuzzCampaign({ seed, from: 0, count: 1_000 })).endings];
    expect(endings.map(([row]) => row).sort()).toEqual(
      ['typed, changed', 'typed', 'vector, changed'].flatMap((origin) =>
        ['contract', 'script', 'unlock'].map((kind) => `${origin}: ${kind}`),
      ),
    );
    for (const [, counts] of endings) expect(counts.get('succeeded') ?? 0).toBeGreaterThan(1);
  });

  it('are the same ones for the same seed, and others for another', () => {
    const digests = (of: number) => runFuzzCampaign({ seed: of, from: 10, count: 30 }).digests;
    expect(digests(1)).toEqual(digests(1));
    expect(digests(1)).not.toEqual(digests(2));
  });

  // Time is no test: others use the processor, too.
  afterAll(() => {
    const slow = tallies.flatMap(({ slowest }) => slowest).filter(({ cpu }) => cpu > cpuBound);
    if (slow.length > 0) console.log(`seed ${seed}, above 50 ms: ${JSON.stringify(slow)}`);
  });
});

describe('the command', () => {
  it('knows its options', () => {
    expect(parseOptions([])).toEqual({ programs: 100_000, seed: 1, from: 0, plain: 10_000 });
    expect(parseOptions(['--programs', '10', '--seed', '7', '--from', '3', '--plain', '99'])).toEqual({
      programs: 10,
      seed: 7,
      from: 3,
      plain: 10,
    });
    expect(() => parseOptions(['--programs', 'many'])).toThrow('--programs expects a whole number, got many');
  });

  it('reports how programs ended and which took longest', () => {
    const tally: FuzzTally = {
      runs: 8,
      endings: new Map([
        [
          'typed: script',
          new Map([
            ['succeeded', 5],
            ['OutOfGas', 2],
          ]),
        ],
        ['typed: unlock', new Map([['aborted', 1]])],
      ]),
      violations: [],
      slowest: [{ index: 3, cpu: 51_200, ending: 'OutOfGas' }],
      overBound: 1,
      digests: [],
    };
    expect(summaryTable(tally).split('\n')).toEqual([
      'programs       runs  ended',
      '-------------  ----  -----------------------',
      'typed: script     7  succeeded 5, OutOfGas 2',
      'typed: unlock     1  aborted 1',
    ]);
    expect(slowestTable(tally)).toBe('1 above 50 ms of processor time; the slowest:\n  program 3: 51.2 ms, OutOfGas');
  });
});

import { parseArgs } from 'node:util';
import { numberOf } from '../fuzz-machine/options.js';

export interface CompilerFuzzSettings {
  readonly sources: number;
  readonly seed: number;
  /** Number of the first source. */
  readonly from: number;
}

export const usage = `npm run fuzz:compiler -- [options]

Compiles random sources: typed programs with contracts, parents and scripts, and sources of the vectors with words exchanged,
deleted, doubled, mixed or cut. Each is compiled twice. Exit code 1 on another exception than a compile error, another result
the second time, code that does not survive decoding and encoding or that no contract may have, and a patch that does not make
the debug code. Sources above 500 ms of processor time are shown.

  --sources N    how many (default 100000)
  --seed S       decides all sources (default 1)
  --from N       number of the first one (default 0): --from 4711 --sources 1 shows and repeats one
  --help         this text`;

/** Options from the command line. Throws an Error whose message names the mistake. */
export const parseOptions = (args: readonly string[]): CompilerFuzzSettings => {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { sources: text, seed: text, from: text } });
  return {
    sources: numberOf(values.sources, 'sources', 100_000),
    seed: numberOf(values.seed, 'seed', 1),
    from: numberOf(values.from, 'from', 0),
  };
};

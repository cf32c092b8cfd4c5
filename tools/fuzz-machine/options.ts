import { parseArgs } from 'node:util';

export interface FuzzOptions {
  readonly programs: number;
  readonly seed: number;
  /** Number of the first program. */
  readonly from: number;
  /** How many of them run with plain engines, too. */
  readonly plain: number;
}

export const usage = `npm run fuzz:machine -- [options]

Runs random programs on the machine: typed ones, and code of the vectors and of such programs with bytes or instructions
changed; as unlock scripts, transaction scripts and contracts. Each runs at least twice. Exit code 1 on a crash, another
result the second time or with plain engines, code that does not survive decoding and encoding, assets lost or made,
negative gas, changes of a failed run, 64 MB held. Programs above 50 ms of processor time are counted and shown.

  --programs N   how many (default 100000)
  --seed S       decides all programs (default 1)
  --from N       number of the first one (default 0): --from 4711 --programs 1 repeats one
  --plain N      how many of them run once more without native code and WebAssembly (default: a tenth)
  --help         this text`;

/** The whole number that an option names. Throws a RangeError for another text. */
export const numberOf = (text: string | undefined, name: string, otherwise: number): number => {
  if (text === undefined) return otherwise;
  if (!/^[0-9]{1,9}$/.test(text)) throw new RangeError(`--${name} expects a whole number, got ${text}`);
  return Number(text);
};

/** Options from the command line. Throws an Error whose message names the mistake. */
export const parseOptions = (args: readonly string[]): FuzzOptions => {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({ args: [...args], options: { programs: text, seed: text, from: text, plain: text } });
  const programs = numberOf(values.programs, 'programs', 100_000);
  return {
    programs,
    seed: numberOf(values.seed, 'seed', 1),
    from: numberOf(values.from, 'from', 0),
    plain: Math.min(programs, numberOf(values.plain, 'plain', Math.ceil(programs / 10))),
  };
};

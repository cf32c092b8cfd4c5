import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { type Mutant, mutantsOf } from './mutants.js';

const usage = `npm run test:mutation -- FILES [options]

Makes small changes in the files, or in all files below folders, one at a time, and runs the specs that import the
changed file by its path. Survivors are listed at the end. Exit code 1 when the specs fail without a change. Nothing is
written to the files; processes and threads that specs start do not see the change.

  --sample N       how many changes (default 40)
  --seed S         decides which (default 1)
  --only N,N       only these numbers of the sample
  --specs PATTERN  the specs whose path matches, instead of those that import the file
  --projects A,B   projects of Jest (default unit,integration)`;

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const seconds = (milliseconds: number): string => `${(milliseconds / 1000).toFixed(1)} s`;

const sourcesBelow = (path: string): string[] => {
  if (!statSync(path).isDirectory()) return [path];
  const names = readdirSync(path, { recursive: true, encoding: 'utf8' }).sort();
  return names.filter((name) => /(?<!\.spec|\.d)\.ts$/.test(name) && !/generated/.test(name)).map((n) => join(path, n));
};

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    specs: { type: 'string', default: '' },
    projects: { type: 'string', default: 'unit,integration' },
  },
});

/** Milliseconds, and whether the specs failed; more than `limit` milliseconds are a failure. */
const runSpecs = (files: readonly string[], mutant: Mutant | undefined, limit: number) => {
  const began = performance.now();
  const jest = ['--no-warnings', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', '--runInBand', '--bail'];
  const which =
    options.specs === ''
      ? ['--passWithNoTests', '--findRelatedTests', ...files]
      : ['--testPathPatterns', options.specs];
  const chosen = ['--selectProjects', ...options.projects.split(','), ...which];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...jest, '--forceExit', '--config', 'tools/mutation/jest.config.mjs', ...chosen],
    { env: { ...process.env, MUTANT: mutant && JSON.stringify(mutant) }, timeout: limit, encoding: 'utf8' },
  );
  return { failed: status !== 0, milliseconds: performance.now() - began, output: stderr };
};

const main = (): void => {
  if (positionals.length === 0) return say(usage);
  const random = seededRandom(Number(options.seed));
  const all = positionals.flatMap(sourcesBelow).flatMap((path) => mutantsOf(path, readFileSync(path, 'utf8')));
  const ranked = all.map((mutant) => ({ mutant, rank: random() })).sort((a, b) => a.rank - b.rank);
  const numbers = new Set(options.only?.split(',').map(Number));
  const sample = ranked
    .slice(0, Number(options.sample))
    .map(({ mutant }, i) => ({ mutant, number: i + 1 }))
    .filter(({ number }) => numbers.size === 0 || numbers.has(number));
  const plain = runSpecs([...new Set(sample.map(({ mutant }) => mutant.path))], undefined, 3_600_000);
  if (plain.failed) throw new Error(`the specs fail without a change:\n${plain.output}`);
  say(`${all.length} mutants; the specs take ${seconds(plain.milliseconds)} without one`);
  const survivors: string[] = [];
  for (const { mutant, number } of sample) {
    const [from, to] = [mutant.from, mutant.to].map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 60));
    const row = `${String(number).padStart(3)}  ${mutant.path}:${mutant.line}  ${from}  ->  ${to}`;
    const { failed, milliseconds } = runSpecs([mutant.path], mutant, 30_000 + Math.round(2 * plain.milliseconds));
    say(`${failed ? 'noticed ' : 'SURVIVED'} ${seconds(milliseconds).padStart(7)} ${row}`);
    if (!failed) survivors.push(row);
  }
  const noticed = sample.length - survivors.length;
  say([`\n${noticed} of ${sample.length} noticed`, ...survivors].join('\n'));
};

try {
  main();
} catch (error) {
  say((error as Error).message);
  process.exitCode = 1;
}

import { fuzzSources, runCompilerFuzz } from '@shardnode/testing/compiler-fuzz';
import { progressLine, summaryTable } from '../fuzz-machine/report.js';
import { type CompilerFuzzSettings, parseOptions, usage } from './options.js';

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const fuzz = ({ sources, seed, from }: CompilerFuzzSettings): boolean => {
  if (sources === 1) say(fuzzSources(seed)(from).text);
  const tally = runCompilerFuzz({ seed, from, count: sources, onSource: progressLine('sources', sources) });
  say(summaryTable(tally, 'sources'));
  for (const text of tally.slow.slice(0, 20)) say(text);
  say(`${tally.violations.length} violations`);
  for (const violation of tally.violations.slice(0, 20)) say(violation);
  return tally.violations.length === 0;
};

const args = process.argv.slice(2);
if (args.includes('--help')) say(usage);
else {
  try {
    if (!fuzz(parseOptions(args))) process.exitCode = 1;
  } catch (error) {
    say(`${(error as Error).message}\n\n${usage}`);
    process.exitCode = 2;
  }
}

import { compileOnce } from './compile-once.js';
import { planOf } from './plan.js';
import { readSources } from './read-sources.js';
import { shownPath } from './report.js';
import { usage, UsageError } from './usage.js';
import { watchSources } from './watch-sources.js';

const run = (words: readonly string[], from: string): number => {
  const plan = planOf(words, from);
  if (!plan) {
    process.stdout.write(`${usage}\n`);
    return 0;
  }
  if (plan.watch) {
    watchSources(plan, from);
    return 0;
  }
  const read = readSources(plan);
  if (read.sources.length === 0) {
    throw new UsageError(`There are no sources (.ral) in ${shownPath(plan.sourceFolder, from)}.`);
  }
  return compileOnce(plan, read, from) ? 0 : 1;
};

const exitCode = (words: readonly string[], from: string): number => {
  try {
    return run(words, from);
  } catch (error) {
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\nshardnode-compile --help lists what it takes.\n`);
      return 2;
    }
    // Of the file system: the message names the path.
    if (error instanceof Error && 'code' in error) {
      process.stderr.write(`${error.message}\n`);
      return 1;
    }
    throw error;
  }
};

process.exitCode = exitCode(process.argv.slice(2), process.cwd());

import { countText } from '@shardnode/core/terminal';
import { filesOf } from './artifacts.js';
import { paintFor } from './colour.js';
import { compileSources } from './compile-sources.js';
import { type Plan } from './plan.js';
import { type Problem, type ReadSources } from './read-sources.js';
import { problemText, resultTable, warningsText } from './report.js';
import { writeFiles } from './write-files.js';

const reportProblems = (problems: readonly Problem[], from: string): void => {
  const paint = paintFor(process.stderr);
  for (const problem of problems) process.stderr.write(`${problemText(problem, from, paint)}\n`);
  process.stderr.write(`${countText(problems.length, 'error')}, nothing written\n`);
};

/**
 * Compiles sources, reports to the terminal and writes artifacts, unless there are errors.
 *
 * @returns whether it compiled
 * @throws Error of the file system
 */
export const compileOnce = (plan: Plan, { sources, problems }: ReadSources, from: string): boolean => {
  const compiled = problems.length > 0 ? problems : compileSources(sources);
  if (!('result' in compiled)) {
    reportProblems(compiled, from);
    return false;
  }
  const files = filesOf(plan, compiled);
  writeFiles(plan, files);
  const { result } = compiled;
  process.stderr.write(warningsText(result, paintFor(process.stderr)));
  const count = countText(result.contracts.length + result.scripts.length, 'artifact');
  process.stdout.write(`${resultTable(result, paintFor(process.stdout))}${count} in ${plan.artifactFolder}\n`);
  return true;
};

/** The table of docs/http-costs.md: one line for each commit that was measured. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { markdownRows } from './rows.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const file = fileURLToPath(new URL('../docs/http-costs.md', import.meta.url));

const introduction = `# What a request costs, commit by commit

\`npm run bench http\` adds a line: requests a second at 32 connections to a network of one process, and microseconds of its processor for one. Compare the microseconds: rates vary by up to 1.6 between days, and the load generator shares the machine.
`;

const git = (...words: string[]): string => spawnSync('git', words, { cwd: root, encoding: 'utf8' }).stdout.trim();

/**
 * Adds the line of this commit. A table whose columns differ ends, and another one begins below it.
 * @param costs by the name of the request: requests a second, microseconds
 */
export const keepCosts = async (
  costs: ReadonlyMap<string, { readonly rate: number; readonly cost: number }>,
): Promise<void> => {
  const isChanged = git('status', '--porcelain', '--', 'apps', 'libs', 'package-lock.json') !== '';
  const commit = git('rev-parse', '--short=8', 'HEAD') + (isChanged ? ' and changes' : '');
  const titles = ['commit', 'day', 'Node', ...costs.keys()];
  const figures = [...costs.values()].map(
    ({ rate, cost }) => `${Math.round(rate).toLocaleString('en-US')}, ${cost.toFixed(0)} µs`,
  );
  const day = new Date().toISOString().slice(0, 10);
  const line = [commit, day, process.versions.node, ...figures];
  const kept = existsSync(file) ? readFileSync(file, 'utf8').trimEnd() : introduction.trimEnd();
  const headings = kept.split('\n').filter((text) => text.startsWith('| commit'));
  const lastTitles = headings
    .at(-1)
    ?.split('|')
    .slice(1, -1)
    .map((title) => title.trim());
  const isSameTable = lastTitles?.join() === titles.join();
  const heading = [titles, titles.map((_, i) => (i < 3 ? '---' : '--:'))];
  const text = `${kept}${isSameTable ? '\n' : '\n\n'}${markdownRows([...(isSameTable ? [] : heading), line])}\n`;
  writeFileSync(file, await format(text, { ...(await resolveConfig(file)), filepath: file }));
};

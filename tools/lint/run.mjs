/** npm run lint: the project graph that the boundary rule reads, the fixtures, ESLint, formatting. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

const environment = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true' };
const run = (command, ...args) => {
  const { status } = spawnSync(command === 'node' ? process.execPath : `node_modules/.bin/${command}`, args, {
    stdio: ['ignore', command === 'nx' ? 'ignore' : 'inherit', 'inherit'],
    env: environment,
    shell: false,
  });
  if (status !== 0) process.exit(status ?? 1);
};
/** ESLint's cache looks at the file, the boundary rule at all arrows between our projects: other arrows, another cache. */
const cacheOfArrows = () => {
  const { dependencies } = JSON.parse(readFileSync('.nx/workspace-data/project-graph.json', 'utf8'));
  const ours = Object.entries(dependencies).filter(([source]) => !source.startsWith('npm:'));
  const arrows = ours.map(([source, all]) => `${source} ${[...new Set(all.map(({ target }) => target))].sort()}`);
  const digest = createHash('sha256').update(arrows.sort().join('\n')).digest('hex');
  return `node_modules/.cache/eslint-${digest.slice(0, 12)}`;
};
run('nx', 'show', 'projects');
run('node', 'tools/lint/check-fixtures.mjs');
run('node', 'tools/lint/check-cycles.mjs');
run('eslint', '.', '--max-warnings', '0', '--cache', '--cache-location', cacheOfArrows());
run('prettier', '--check', '--log-level', 'warn', '.');
console.log('lint: clean');

/** npm run lint: the project graph that the boundary rule reads, the fixtures, ESLint, formatting. */
import { spawnSync } from 'node:child_process';

const environment = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true' };
const run = (command, ...args) => {
  const { status } = spawnSync(command === 'node' ? process.execPath : `node_modules/.bin/${command}`, args, {
    stdio: ['ignore', command === 'nx' ? 'ignore' : 'inherit', 'inherit'],
    env: environment,
    shell: false,
  });
  if (status !== 0) process.exit(status ?? 1);
};
run('nx', 'show', 'projects');
run('node', 'tools/lint/check-fixtures.mjs');
run('node', 'tools/lint/check-cycles.mjs');
run('eslint', '.', '--max-warnings', '0', '--cache', '--cache-location', 'node_modules/.cache/eslint');
run('prettier', '--check', '--log-level', 'warn', '.');
console.log('lint: clean');

/**
 * Fails when a spec file belongs to no size of test or to several (jest.config.mjs, at full length), or when no command
 * runs its size.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import config from '../../jest.config.mjs';

const root = new URL('../../', import.meta.url).pathname;

const filesOf = (size) => {
  const args = [
    '--experimental-vm-modules',
    'node_modules/jest/bin/jest.js',
    '--listTests',
    '--json',
    '--selectProjects',
    size,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, LONG: '1' },
  });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout.slice(stdout.indexOf('['))).map((path) => path.slice(root.length));
};

const sizesOf = new Map();
for (const { displayName } of config.projects)
  for (const file of filesOf(displayName)) sizesOf.set(file, [...(sizesOf.get(file) ?? []), displayName]);

const specs = ['apps', 'libs', 'tools', 'e2e', 'bench'].flatMap((folder) =>
  readdirSync(`${root}${folder}`, { recursive: true })
    .filter((name) => name.endsWith('.spec.ts') && !/(^|\/)(dist|node_modules)\//.test(name))
    .map((name) => `${folder}/${name}`),
);
const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'));
const commands = `${scripts.test} ${scripts['test:cluster']}`.split(' ');
// Targets have the names of sizes; `test` is the usual one for unit tests.
const isRun = (size) => commands.includes(size === 'unit' ? 'test' : size);

const problems = [
  ...specs
    .filter((file) => sizesOf.get(file)?.length !== 1)
    .map((file) => `${file}: expected one size of test, got ${sizesOf.get(file)?.join(' and ') ?? 'none'}`),
  ...config.projects
    .filter(({ displayName }) => !isRun(displayName))
    .map(({ displayName }) => `${displayName}: neither npm test nor npm run test:cluster runs it`),
];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`each of ${specs.length} spec files is run by one command`);

/**
 * npm run bench [name ...]: runs the benchmarks of this folder one after another; BENCH_SECONDS bounds each measurement. One that
 * fails is tried once more after the others: on a busy machine a network may have had no time for it.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const folder = new URL('.', import.meta.url).pathname;
const chosen = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .filter((name) => chosen.length === 0 || chosen.includes(name));

const succeeds = (name, remark = '') => {
  console.log(`\n## ${name}${remark}`);
  const options = ['--import', new URL('../tools/source/register.mjs', import.meta.url).href, '--no-warnings'];
  const { status } = spawnSync('node', [...options, `${folder}${name}.bench.ts`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0;
};

const failed = names.filter((name) => !succeeds(name)).filter((name) => !succeeds(name, ', again'));
if (failed.length > 0) console.error(`${failed.length} of ${names.length} benchmarks failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

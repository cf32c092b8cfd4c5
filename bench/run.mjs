/**
 * npm run bench [name ...]: runs the benchmarks of this folder one after another; BENCH_SECONDS bounds each measurement.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const sourceFlags = ['--no-warnings', '--conditions=@shardnode/source', '--import', '@swc-node/register/esm-register'];
const folder = new URL('.', import.meta.url).pathname;
const chosen = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .filter((name) => chosen.length === 0 || chosen.includes(name));

const succeeds = (name) => {
  console.log(`\n## ${name}`);
  const { status } = spawnSync(process.execPath, [...sourceFlags, `${folder}${name}.bench.ts`], {
    cwd: new URL('..', import.meta.url).pathname,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0;
};

const failed = names.filter((name) => !succeeds(name));
if (failed.length > 0) console.error(`${failed.length} of ${names.length} benchmarks failed: ${failed.join(', ')}`);
process.exit(failed.length === 0 ? 0 : 1);

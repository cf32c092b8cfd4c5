/** npm run bench [name ...]: runs the benchmarks of this folder one after another; BENCH_SECONDS bounds each measurement. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const folder = new URL('.', import.meta.url).pathname;
const chosen = process.argv.slice(2);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.bench.ts'))
  .map((file) => file.slice(0, -'.bench.ts'.length))
  .filter((name) => chosen.length === 0 || chosen.includes(name));
let failed = 0;
for (const name of names) {
  console.log(`\n## ${name}`);
  const options = ['--import', new URL('../tools/source/register.mjs', import.meta.url).href, '--no-warnings'];
  const { status } = spawnSync('node', [...options, `${folder}${name}.bench.ts`], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) failed += 1;
}
if (failed > 0) console.error(`${failed} of ${names.length} benchmarks failed`);
process.exit(failed === 0 ? 0 : 1);

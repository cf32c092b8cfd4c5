// npm run containers: runs tools/containers/main.ts straight from the sources, so that no build is needed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('./containers/main.ts', import.meta.url));
const flags = ['--no-warnings', '--import', new URL('./source/register.mjs', import.meta.url).href];
const { status } = spawnSync(process.execPath, [...flags, main, ...process.argv.slice(2)], { stdio: 'inherit' });
process.exitCode = status ?? 1;

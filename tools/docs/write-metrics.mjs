// node tools/docs/write-metrics.mjs: writes docs/metrics.md straight from the sources, so that no build is needed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const flags = ['--no-warnings', '--import', new URL('../source/register.mjs', import.meta.url).href];
const { status } = spawnSync(process.execPath, [...flags, pathOf('./write-metrics.ts')], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;

// node tools/docs/write-errors.mjs: writes docs/errors.md straight from the sources, so that no build is needed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const flags = ['--no-warnings', '--conditions=@shardnode/source', '--import', '@swc-node/register/esm-register'];
const { status } = spawnSync(process.execPath, [...flags, pathOf('./write-errors.ts')], {
  stdio: 'inherit',
  // Tells the loader that decorators are on; the root tsconfig.json has no compiler options.
  env: { ...process.env, SWC_NODE_PROJECT: pathOf('../../tsconfig.base.json') },
});
process.exitCode = status ?? 1;

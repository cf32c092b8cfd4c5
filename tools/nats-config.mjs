// npm run nats-config: runs tools/nats-config/main.ts straight from the sources, so that no build is needed.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('./nats-config/main.ts', import.meta.url));
const flags = ['--no-warnings', '--conditions=@shardnode/source', '--import', '@swc-node/register/esm-register'];
const { status } = spawnSync(process.execPath, [...flags, main, ...process.argv.slice(2)], {
  stdio: 'inherit',
  // Tells the loader that decorators are on; the root tsconfig.json has no compiler options.
  env: { ...process.env, SWC_NODE_PROJECT: fileURLToPath(new URL('../tsconfig.base.json', import.meta.url)) },
});
process.exitCode = status ?? 1;

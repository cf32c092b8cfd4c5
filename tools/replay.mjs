// npm run replay -- DIR: runs tools/replay/main.ts straight from the sources, so that no build is needed.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('./replay/main.ts', import.meta.url));
const flags = ['--no-warnings', '--import', new URL('./source/register.mjs', import.meta.url).href];
const child = spawn(process.execPath, [...flags, main, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
// A Ctrl-C reaches the child, too, which removes what it has started; its exit code is ours.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});

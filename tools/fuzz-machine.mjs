// npm run fuzz:machine -- --programs N --seed S: runs tools/fuzz-machine/main.ts straight from the sources.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('./fuzz-machine/main.ts', import.meta.url));
const flags = ['--no-warnings', '--expose-gc', '--import', new URL('./source/register.mjs', import.meta.url).href];
const child = spawn(process.execPath, [...flags, main, ...process.argv.slice(2)], { stdio: 'inherit' });
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => child.kill('SIGTERM'));
child.on('exit', (code, signal) => {
  process.exitCode = signal ? 1 : (code ?? 1);
});

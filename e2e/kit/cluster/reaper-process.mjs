/**
 * Ends what a test run leaves behind, however the run itself ended (Ctrl-C, SIGKILL, --forceExit): it is told on standard
 * input which processes were started (`+pid`), which have ended (`-pid`) and which folders there are (`+/folder`), and
 * acts when that input ends.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const known = new Set();
for await (const line of createInterface({ input: process.stdin })) {
  if (line.startsWith('+')) known.add(line.slice(1));
  else known.delete(line.slice(1));
}
const isFolder = (entry) => entry.startsWith('/');
for (const entry of known) {
  if (isFolder(entry)) continue;
  try {
    process.kill(Number(entry), 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
// A server's last children end with it, and may write until then.
for (const folder of [...known].filter(isFolder)) {
  // A small disk (small-disk.ts), which may not be mounted any more.
  const disk = join(folder, 'disk');
  if (existsSync(disk)) spawnSync('umount', ['--lazy', disk], { stdio: 'ignore' });
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
}

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtProgram } from '@shardnode/testing/built-program';
import { repository } from '@shardnode/testing/source-process';
import { until } from '@shardnode/testing/waiting';

const program = fileURLToPath(new URL('../bin/shardnode-compile.js', import.meta.url));
export const faucetProject = fileURLToPath(new URL('./fixtures/faucet/', import.meta.url));

/** Nothing of the terminal that runs the tests. */
const environment = { PATH: process.env.PATH };

/** A folder of sources on disk, and runs of the command in it. */
export class Workshop {
  readonly folder = mkdtempSync(join(tmpdir(), 'compile-'));
  private readonly started: ChildProcess[] = [];

  /** Writes files by their relative paths. */
  write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, name)), { recursive: true });
      writeFileSync(join(this.folder, name), text);
    }
  }

  /** The faucet's sources, and the packages that they import from. */
  writeFaucet(): void {
    cpSync(join(faucetProject, 'contracts'), join(this.folder, 'contracts'), { recursive: true });
    symlinkSync(join(repository, 'node_modules'), join(this.folder, 'node_modules'));
  }

  read(name: string): string {
    return readFileSync(join(this.folder, name), 'utf8');
  }

  run(...words: readonly string[]) {
    builtProgram('compiler-command');
    const options = { cwd: this.folder, encoding: 'utf8', env: environment } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], options);
    return { status, stdout, stderr };
  }

  /** A run that goes on; `shows` waits for a text behind the last one that was waited for. */
  watch(...words: readonly string[]) {
    const child = spawn(process.execPath, [program, ...words, '--watch'], { cwd: this.folder, env: environment });
    this.started.push(child);
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += String(data)));
    const shows = async (text: string): Promise<void> => {
      await until(`${text} in ${output}`, () => output.includes(text));
      output = output.slice(output.indexOf(text) + text.length);
    };
    return { shows, isRunning: () => child.exitCode === null && child.signalCode === null };
  }

  remove(): void {
    for (const child of this.started) child.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Texts of all files below a folder, by relative path. */
export const filesBelow = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(folder, path), readFileSync(path, 'utf8')]),
  );

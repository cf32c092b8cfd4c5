import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Bytes: large pieces first, then what is left of the disk. */
const pieces = [1 << 20, 1 << 12];
/** Milliseconds between two looks whether a full disk has room again: a server deletes files of its own. */
const pause = 25;

const isFull = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOSPC';

/** A disk in memory that a test can fill to the last byte, without filling one that others use. */
export class SmallDisk {
  private readonly ballast: string;
  private filling: NodeJS.Timeout | undefined;

  private constructor(readonly folder: string) {
    this.ballast = join(folder, 'ballast');
  }

  /**
   * Mounts it at the folder. Undefined, which is printed, where this is not permitted: it needs root on Linux, and a container
   * that lets root mount.
   */
  static mount(folder: string, megabytes: number): SmallDisk | undefined {
    mkdirSync(folder, { recursive: true });
    try {
      const options = `size=${megabytes}m,mode=0711`;
      execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'shardnode-test', folder], { stdio: 'pipe' });
    } catch {
      process.stderr.write(
        'skipped: a full disk; mounting a small one is not permitted here, it needs root on Linux\n',
      );
      return undefined;
    }
    return new SmallDisk(folder);
  }

  /** Whether this machine lets us mount one. */
  static isPermitted(): boolean {
    const folder = mkdtempSync(join(tmpdir(), 'shardnode-mount-'));
    const disk = SmallDisk.mount(folder, 1);
    disk?.unmount();
    rmSync(folder, { recursive: true, force: true });
    return disk !== undefined;
  }

  /** Nothing fits any more, until `free`. */
  fill(): void {
    this.fillOnce();
    this.filling ??= setInterval(() => this.fillOnce(), pause);
  }

  free(): void {
    clearInterval(this.filling);
    this.filling = undefined;
    rmSync(this.ballast, { force: true });
  }

  /** What is on it is gone. At once for everybody, and for good when the last one has let go of it. */
  unmount(): void {
    this.free();
    execFileSync('umount', ['--lazy', this.folder], { stdio: 'pipe' });
  }

  private fillOnce(): void {
    const file = openSync(this.ballast, 'a');
    try {
      for (const size of pieces) this.fillWith(file, Buffer.alloc(size, 1));
    } finally {
      closeSync(file);
    }
  }

  private fillWith(file: number, piece: Buffer): void {
    try {
      // A piece of which only a part fits is the last one of its size.
      while (writeSync(file, piece) === piece.length);
    } catch (error) {
      if (!isFull(error)) throw error;
    }
  }
}

import { afterAll, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeDataFolder } from './data-folder.js';

const folder = mkdtempSync(join(tmpdir(), 'shardnode-folder-'));
const file = join(folder, 'file');
writeFileSync(file, '');
symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the data folder', () => {
  it('is created with its parents, and may exist', () => {
    const path = join(folder, 'a/b/c');
    makeDataFolder(path);
    makeDataFolder(path);
    expect(statSync(path).isDirectory()).toBe(true);
  });

  it.each([
    ['below a folder of the kernel', '/proc/x'],
    ['deeper there', '/proc/x/y'],
    ['a file', file],
    ['below a file', join(file, 'data')],
    ['below a link to nowhere', join(folder, 'dangling/data')],
  ])('%s: one sentence', (_, path) => {
    expect(() => makeDataFolder(path)).toThrow(
      new RegExp(`^The data folder ${path} cannot be written: [a-z ]+\\. .* DATA_DIR\\.$`),
    );
  });

  it('that this user may not write to: the same', () => {
    const path = join(folder, 'read-only');
    makeDataFolder(path);
    chmodSync(path, 0o500);
    const made = (): void => makeDataFolder(path);
    // Root may write there, too.
    if (process.getuid?.() === 0) made();
    else expect(made).toThrow(/cannot be written: permission denied\./);
  });
});

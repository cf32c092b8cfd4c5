import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const script = fileURLToPath(new URL('runtime-libraries.sh', import.meta.url));
const lacksLibrary = 'node: error while loading shared libraries: libatomic.so.1: cannot open shared object file';

/** The script beside programs that a machine may have: a Node that starts once the library is there, apt-get, id. */
describe('libraries of the runtime', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'runtime-libraries-'));
    program('node', `[ -e ${folder}/libatomic.so.1 ] || { echo '${lacksLibrary}' >&2; exit 127; }`);
    program('apt-get', `echo "$@" >> ${folder}/asked; case "$*" in install*) touch ${folder}/libatomic.so.1;; esac`);
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const program = (name: string, body: string): void => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${body}\n`);
    chmodSync(join(folder, name), 0o755);
  };
  const run = () => spawnSync('/bin/sh', [script], { encoding: 'utf8', env: { PATH: `${folder}:/usr/bin:/bin` } });

  it('installs the library as root where apt-get is', () => {
    program('id', 'echo 0');
    const { status, stdout, stderr } = run();
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain('installing the package libatomic1');
  });

  it('asks for the lists of packages when the first try fails', () => {
    program('id', 'echo 0');
    program(
      'apt-get',
      `case "$*" in update) touch ${folder}/lists;; *) [ -e ${folder}/lists ] && touch ${folder}/libatomic.so.1;; esac`,
    );
    expect(run().status).toBe(0);
  });

  it('names the command for everybody else, and installs nothing', () => {
    program('id', 'echo 1000');
    const { status, stdout, stderr } = run();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(lacksLibrary);
    expect(stderr).toContain('sudo apt-get install -y libatomic1');
  });

  it('installs nothing for a Node that fails for another reason', () => {
    program('id', 'echo 0');
    program('node', 'echo "cannot execute: required file not found" >&2; exit 127');
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).toContain('required file not found');
    expect(stderr).toContain('glibc');
  });
});

import { spawnSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { repository } from '@shardnode/testing/source-process';
import { Workshop } from './command-run.js';

const good = 'Contract A() {\n  pub fn a() -> U256 { return 1 }\n}\n';
const wrongType = 'Contract B() {\n  pub fn b() -> U256 {\n    return true\n  }\n}\n';

describe('shardnode-compile', () => {
  let workshop: Workshop;
  beforeEach(() => {
    workshop = new Workshop();
  });
  afterEach(() => workshop.remove());

  it('shows a table of contracts and scripts, and warnings by contract', () => {
    workshop.writeFaucet();
    const { status, stdout, stderr } = workshop.run();
    expect(status).toBe(0);
    expect(stdout.split('\n').map((line) => line.replace(/[0-9a-f]{64}/, 'HASH').split(/ +/))).toEqual([
      ['name', 'kind', 'methods', 'bytes', 'code', 'hash', 'warnings'],
      expect.anything(),
      ['Clock', 'contract', '1', '16', 'HASH', '0'],
      ['Registry', 'contract', '1', expect.anything(), 'HASH', '2'],
      ['TokenFaucet', 'contract', '6', expect.anything(), 'HASH', '0'],
      ['Withdraw', 'script', '1', '11', '-', '0'],
      ['4', 'artifacts', 'in', `${workshop.folder}/artifacts`],
      [''],
    ]);
    expect(stderr).toBe(
      [
        'warning: Registry',
        '  Found unused variables in Registry: register.unused',
        '  Found unused constants in Registry: Label, LongestPause',
        '',
      ].join('\n'),
    );
  });

  it('shows an error at its place in its file, though sources are compiled as one', () => {
    workshop.write({ 'contracts/a.ral': good, 'contracts/deep/b.ral': wrongType });
    expect(workshop.run()).toEqual({
      status: 1,
      stdout: '',
      stderr: [
        'contracts/deep/b.ral:3:5: Compilation error: Invalid return types "List(Bool)" for func b, expected "List(U256)"',
        '3 |    return true',
        '  |    ^^^^^^^^^^^',
        '',
        '1 error, nothing written',
        '',
      ].join('\n'),
    });
  });

  it('shows the syntax errors of all files', () => {
    workshop.write({
      'contracts/a.ral': 'Contract A() {\n',
      'contracts/b.ral': '\ncontract B() {}\n',
      'contracts/c.ral': good,
    });
    const { status, stderr } = workshop.run();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^contracts\/a\.ral:2:1: Syntax error: Expected "}"\n/);
    expect(stderr).toMatch(/\ncontracts\/b\.ral:2:1: Syntax error: Expected /);
    expect(stderr).toMatch(/\n2 errors, nothing written\n$/);
  });

  it('counts lines as in the file below an import, and after CR LF', () => {
    workshop.write({ 'contracts/a.ral': good, 'contracts/b.ral': wrongType.replaceAll('\n', '\r\n') });
    expect(workshop.run().stderr).toMatch(/^contracts\/b\.ral:3:5: /);
    workshop.write({
      'contracts/b.ral': `import "pack/c"\n${wrongType}`,
      'node_modules/pack/c.ral': good.replace('A', 'C'),
    });
    expect(workshop.run().stderr).toMatch(/^contracts\/b\.ral:4:5: /);
  });

  it('shows an error without a place at the definition that it names', () => {
    const script = 'TxScript Spend(x: U256) {\n  let mut y = 1\n}\n';
    workshop.write({ 'contracts/a.ral': good, 'contracts/spend.ral': `// One script.\n${script}` });
    expect(workshop.run().stderr).toBe(
      [
        'contracts/spend.ral:2:10: Compilation error: There are unassigned mutable local vars in function Spend.main: main.y',
        '2 |TxScript Spend(x: U256) {',
        '  |         ^^^^^',
        '  = hint: A name that is never assigned is declared without `mut`.',
        '',
        '1 error, nothing written',
        '',
      ].join('\n'),
    );
  });

  it('shows carets below tabs, and nothing that a terminal obeys', () => {
    workshop.write({ 'a.ral': 'Contract A() {\n\tpub fn a() -> U256 { return z } // \u001b[2J\n}\n' });
    expect(workshop.run('a.ral').stderr.split('\n').slice(1, 3)).toEqual([
      '2 | pub fn a() -> U256 { return z } //  [2J',
      '  |                             ^',
    ]);
  });

  it('names the import that no package has, and one that is no import', () => {
    workshop.write({ 'contracts/a.ral': `import "std/nothing"\nimport "./b"\n${good}` });
    const { status, stderr } = workshop.run();
    expect(status).toBe(1);
    expect(stderr).toContain('contracts/a.ral:1:1: Compilation error: No package has the imported file: std/nothing\n');
    expect(stderr).toContain('contracts/a.ral:2:1: Compilation error: An import names a package and a file in it');
  });

  it.each([
    [['--colour'], "Unknown option '--colour'"],
    [['absent'], 'There is no file or folder absent.'],
    [['notes.txt'], 'notes.txt is no source: names of sources end in .ral.'],
    [['empty', 'notes.txt'], 'empty is a folder: give one folder, or files.'],
    [['empty'], 'There are no sources (.ral) in empty.'],
    [['a.ral', '--out', 'notes.txt'], '--out must be a folder: '],
    [['--out'], "Option '--out <value>' argument missing"],
  ])('ends with 2 and names the help: %j', (words, text) => {
    workshop.write({ 'notes.txt': '', 'a.ral': good, 'empty/notes.txt': '' });
    const { status, stderr, stdout } = workshop.run(...words);
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toContain(text);
    expect(stderr).toContain('shardnode-compile --help');
  });

  it('fits its help into 100 columns', () => {
    const { status, stdout } = workshop.run('--help');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^shardnode-compile \[/);
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
  });

  it('writes no colour into a pipe', () => {
    workshop.writeFaucet();
    const { stdout, stderr } = workshop.run();
    workshop.write({ 'contracts/b.ral': wrongType });
    expect(stdout + stderr + workshop.run().stderr).not.toContain('\u001b');
  });

  it('is a command of the workspace and a script of npm', () => {
    workshop.write({ 'a.ral': good });
    const words = [`${workshop.folder}/a.ral`, '--out', `${workshop.folder}/out`];
    const npx = spawnSync('npx', ['--no', 'shardnode-compile', ...words], { cwd: repository, encoding: 'utf8' });
    expect(npx).toMatchObject({ status: 0, stdout: expect.stringContaining('1 artifact in ') });
    const npm = spawnSync('npm', ['run', 'compile', '--', ...words], { cwd: repository, encoding: 'utf8' });
    expect(npm).toMatchObject({ status: 0, stdout: expect.stringContaining('1 artifact in ') });
  });
});

describe('shardnode-compile --watch', () => {
  let workshop: Workshop;
  beforeEach(() => {
    workshop = new Workshop();
  });
  afterEach(() => workshop.remove());

  it('compiles again after each change, names it, and stays after errors', async () => {
    workshop.write({ 'contracts/a.ral': good });
    const watched = workshop.watch();
    await watched.shows(`1 artifact in ${workshop.folder}/artifacts`);
    await watched.shows('watching for changes');
    workshop.write({ 'contracts/deep/b.ral': wrongType });
    await watched.shows('added: contracts/deep/b.ral');
    await watched.shows('contracts/deep/b.ral:3:5: Compilation error');
    await watched.shows('nothing written');
    workshop.write({ 'contracts/deep/b.ral': wrongType.replace('true', '2') });
    await watched.shows('changed: contracts/deep/b.ral');
    await watched.shows(`2 artifacts in ${workshop.folder}/artifacts`);
    expect(JSON.parse(workshop.read('artifacts/deep/B.ral.json'))).toMatchObject({ name: 'B' });
    expect(watched.isRunning()).toBe(true);
  });

  it('stays when its folder of sources disappears, and goes on when it is back', async () => {
    workshop.write({ 'contracts/a.ral': good });
    const watched = workshop.watch();
    await watched.shows('watching for changes');
    renameSync(`${workshop.folder}/contracts`, `${workshop.folder}/away`);
    await watched.shows('ENOENT');
    renameSync(`${workshop.folder}/away`, `${workshop.folder}/contracts`);
    await watched.shows(`1 artifact in ${workshop.folder}/artifacts`);
    expect(watched.isRunning()).toBe(true);
  });
});

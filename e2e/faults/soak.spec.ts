import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repository } from '@shardnode/testing/source-process';
import { startProcess, type StartedProcess } from '../kit/child-process.js';
import { runningNames } from '../soak/faults.js';
import { type SoakReport } from '../soak/soak.js';
import { describeCluster } from '../kit/deployment-under-test.js';

const { scripts } = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
/** The words of `npm run soak` after `node`. */
const words = scripts['soak']!.split(' ').slice(1);

/** The command itself, as short as it goes. What fails it: `e2e/soak/*.spec.ts`. */
describeCluster('npm run soak', () => {
  let out: string;
  let command: StartedProcess | undefined;
  const run = (...args: readonly string[]): StartedProcess =>
    (command = startProcess(process.execPath, [...words, ...args], {}, repository));

  beforeAll(() => {
    out = mkdtempSync(join(tmpdir(), 'shardnode-soak-spec-'));
  });
  afterAll(async () => {
    command?.signal('SIGKILL');
    await command?.ended;
    rmSync(out, { recursive: true, force: true });
  });

  it('refuses numbers that make no sense with code 2, and shows its help', async () => {
    const wrong = run('--hours', 'some');
    expect(await wrong.ended).toEqual({ code: 2, signal: null });
    expect(wrong.standardError()).toBe('--hours must be a number above 0, not some\n');
    const help = run('--help');
    expect(await help.ended).toEqual({ code: 0, signal: null });
    expect(help.standardOutput()).toMatch(/^npm run soak .*--seed S/s);
  });

  it('harms a cluster under load, and finds that all is well: code 0, tables and a report', async () => {
    const soak = run('--hours', '0.0125', '--every', '5', '--seed', '5', '--out', out);
    const { code } = await soak.ended;
    const said = soak.standardOutput() + soak.standardError();
    // What failed is in what it said.
    if (code !== 0) process.stderr.write(said);
    expect(code).toBe(0);
    const report = JSON.parse(readFileSync(join(out, 'report.json'), 'utf8')) as SoakReport;
    expect(report).toMatchObject({ seed: 5, isOk: true });
    expect(report.checks.filter(({ isOk }) => !isOk)).toEqual([]);
    expect(report.checks.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['nothing acknowledged is lost', 'supply audit', 'ledger oracle', 'memory is flat']),
    );
    expect(report.faults.length).toBeGreaterThan(0);
    expect(report.acknowledged).toBeGreaterThan(0);
    expect(report.samples.length).toBeGreaterThan(0);
    expect(runningNames).toEqual(expect.arrayContaining(report.samples.map(({ process }) => process)));
    expect(readdirSync(join(out, 'logs')).length).toBe(runningNames.length);
    expect(said).toMatch(/fault +count +median recovery[\s\S]*memory, MB[\s\S]*ledger oracle +ok/);
  });
});

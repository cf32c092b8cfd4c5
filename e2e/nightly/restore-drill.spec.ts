import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { type Environment, startProcess, type StartedProcess } from '../kit/child-process.js';
import { matchesExpected, readCommandBlocks, runBlocks } from '../kit/readme-commands.js';

const project = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const blocks = readCommandBlocks(readFileSync(join(project, 'docs/operations.md'), 'utf8'));
const documentedUrl = 'http://127.0.0.1:22973';

describeWithServers(['postgres', 'nats', 'redis'], 'the restore drill of docs/operations.md', () => {
  /** A project folder of its own, so that `data/cluster` of the commands is nobody else's. */
  let folder: string;
  let environment: Environment;
  let cluster: StartedProcess;
  let baseUrl: string;
  let outputs: readonly string[] = [];
  let errors = '';

  const operator = async (...words: readonly string[]): Promise<string> => {
    const started = startProcess(process.execPath, ['apps/operator/dist/main.js', ...words], {}, folder);
    const { code } = await started.ended;
    return `${code}: ${started.standardOutput()}${started.standardError()}`;
  };

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shardnode-drill-'));
    // PostgreSQL, which root may not run, goes through it as another user.
    chmodSync(folder, 0o755);
    for (const name of ['apps', 'libs', 'node_modules', 'package.json']) {
      symlinkSync(join(project, name), join(folder, name));
    }
    const { PATH = '', HOME = '' } = process.env;
    environment = { PATH, HOME };
    const settings = { PORT: String(await freePort()), HEALTH_PORT: '0', EXPLORER_PORT: '0' };
    const words = ['apps/localnet/dist/cluster/main.js', '--servers', '--json'];
    cluster = startProcess(process.execPath, words, settings, folder);
    const line = await cluster.line((text) => text.startsWith('{"baseUrl"'), 120_000);
    ({ baseUrl } = JSON.parse(line) as { baseUrl: string });
    const replace = [[documentedUrl, baseUrl]] as const;
    ({ outputs, errors } = await runBlocks(blocks, { replace, folder, environment, timeoutMs: 120_000 }));
  }, 300_000);
  afterAll(async () => {
    cluster?.signal('SIGTERM');
    await cluster?.ended;
    rmSync(folder, { recursive: true, force: true });
  });

  it('has commands that all succeed', () => {
    expect(errors).toBe('');
    expect(outputs.length - 1).toBe(blocks.length);
    expect(blocks.length).toBeGreaterThanOrEqual(7);
  });

  it.each(blocks.map((block, index) => ({ ...block, index })))(
    'line $line prints what stands below it',
    ({ index, expected, commands }) => {
      const output = (outputs[index] ?? '').trim();
      if (!matchesExpected(output, expected ?? '…')) expect(`${commands}\n${output}`).toBe(`${commands}\n${expected}`);
    },
  );

  it('leaves secrets in their files alone', () => {
    const credentials = join(folder, 'data/cluster/credentials');
    const files = readdirSync(credentials, { recursive: true, withFileTypes: true }).filter(
      (entry) =>
        entry.isFile() && /\/(database|nats|redis)$/.test(entry.parentPath) && !/\.(conf|acl)$/.test(entry.name),
    );
    const secrets = files.map(({ parentPath, name }) => readFileSync(join(parentPath, name), 'utf8').trim());
    expect(secrets.length).toBeGreaterThanOrEqual(12);
    const access = join(folder, 'data/cluster/cluster.json');
    const text = [...outputs, readFileSync(access, 'utf8'), cluster.standardOutput(), cluster.standardError()].join();
    expect(secrets.filter((secret) => text.includes(secret))).toEqual([]);
    for (const name of ['cluster.json', 'control.sock']) {
      expect(statSync(join(folder, 'data/cluster', name)).mode & 0o777).toBe(0o600);
    }
  });

  it('is told by the cluster, which took the stop for no failure', () => {
    const told = cluster.standardError().split('\n');
    expect(told.filter((line) => line.includes('group-node-1') && line.startsWith('operator:'))).toHaveLength(2);
    expect(told.filter((line) => line.includes('started again'))).toEqual([]);
  });

  it('refuses what it cannot do, and says what to do', async () => {
    expect(await operator('hold', 'group-node-9')).toMatch(
      /^1: There is no service "group-node-9"\. There are:\n {2}group-node-0, .*, wallet-service, gateway\n$/,
    );
    expect(await operator('release', 'gateway')).toMatch(/^1: gateway is not held\. To stop and start it: npm run /);
    expect(await operator('restart', 'gateway')).toMatch(/^0: gateway runs again, on port \d+, after \d+ ms\.\n$/);
    expect((await fetch(`${baseUrl}/health/live`)).status).toBe(200);
    expect(await operator('doctor', '--cluster', 'elsewhere')).toMatch(/^1: elsewhere is no data folder of a cluster/);
  });

  it('is over with the cluster', async () => {
    cluster.signal('SIGTERM');
    expect(await cluster.ended).toEqual({ code: 0, signal: null });
    expect(await operator('hold', 'gateway')).toMatch(/^1: No cluster runs in data\/cluster\.\nTo start it: npm run /);
    expect(await operator('status', '--cluster', 'data/cluster')).toMatch(/^1: No cluster runs in data\/cluster, and /);
  });
});

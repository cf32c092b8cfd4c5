import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { freePort } from '@shardnode/core/servers';
import { builtProgram } from '@shardnode/testing/built-program';

interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly errors: string;
}

/** Runs a service with exactly this environment; `heard` gets what it says on standard error. */
const runService = (
  app: string,
  environment: Record<string, string>,
  heard: (text: string, stop: () => void) => void = () => undefined,
): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [builtProgram(app)], { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
      heard(errors, () => child.kill('SIGTERM'));
    });
    child.once('close', (code) => resolve({ code, output, errors }));
  });

const database = 'postgresql://role:very-secret@127.0.0.1';

describe('a service as a process', () => {
  it.each([
    ['group-node', {}, ['GROUP is not set', 'DATABASE_URL is not set']],
    ['group-node', { GROUP: '9', DATABASE_URL: database }, ['GROUP must be below 4']],
    ['wallet-service', { WALLET_LOCK_TIMEOUT: 'soon' }, ['WALLET_LOCK_TIMEOUT must be', 'DATABASE_URL is not set']],
    ['gateway', { HOST: '0.0.0.0' }, ['can be reached from outside']],
    ['gateway', { NATS_URL: 'here', PORT: 'http' }, ['NATS_URL must be', 'PORT must be']],
  ])('%s with %j says what is wrong and ends with 1', async (app, environment, says) => {
    const { code, output, errors } = await runService(app, environment as Record<string, string>);
    expect({ code, output }).toEqual({ code: 1, output: '' });
    for (const text of says) expect(errors).toContain(text);
    expect(errors.trim().split('\n')).toHaveLength(says.length);
    expect(errors).not.toMatch(/very-secret| {4}at /);
  });

  it.each([
    ['group-node', { GROUP: '0' }, 'DATABASE_URL', 'The database'],
    ['wallet-service', {}, 'DATABASE_URL', 'The database'],
    ['gateway', {}, 'NATS_URL', 'NATS'],
  ])(
    '%s waits for a server that does not answer, says so, and stops in order meanwhile',
    async (app, own, name, server) => {
      const port = await freePort();
      const url = name === 'NATS_URL' ? `nats://127.0.0.1:${port}` : `${database}:${port}/x`;
      const { code, output, errors } = await runService(app, { ...own, [name]: url }, (text, stop) => {
        if (text.includes('waiting for a server')) stop();
      });
      expect(errors).toContain(`"server":"${server}"`);
      expect(errors).not.toContain('very-secret');
      expect({ code, output }).toEqual({ code: 0, output: '' });
      const lines = errors
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as { readonly msg: string; readonly service: string });
      expect(lines[0]).toMatchObject({ msg: 'starting', version: expect.any(String), settings: expect.any(Object) });
      expect(lines.slice(-2)).toMatchObject([
        { msg: 'stopping', why: 'SIGTERM' },
        { msg: 'stopped', tookMs: expect.any(Number) },
      ]);
      for (const line of lines) expect(line.service).toMatch(/^(group-node-0|wallet-service|gateway)$/);
    },
  );

  it.each(['group-node', 'wallet-service', 'gateway', 'explorer', 'localnet'])(
    '%s refuses to start on a Node without security fixes, in one line',
    async (app) => {
      const claimed = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
      const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(claimed)}`;
      const { code, output, errors } = await runService(app, { NODE_OPTIONS });
      expect({ code, output }).toEqual({ code: 1, output: '' });
      expect(errors).toMatch(/^This is Node 20\.20\.2, which is not supported: .*\n$/);
    },
  );

  it('ends with one sentence when something else listens where NATS should be, or on its port', async () => {
    const taken = createServer(
      (socket) => void socket.end('INFO {"max_payload":1}\r\n-ERR \'Authorization Violation\'\r\n'),
    );
    taken.on('error', () => undefined);
    const port = await freePort();
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
    const { code, errors } = await runService('gateway', { NATS_URL: `nats://127.0.0.1:${port}` });
    taken.close();
    expect(code).toBe(1);
    expect(errors).not.toMatch(/ {4}at /);
    const [refused, sentence] = errors.trim().split('\n').slice(-2);
    expect(sentence).toMatch(/NATS/);
    expect(JSON.parse(refused!)).toMatchObject({ level: 40, msg: 'the start was refused', reason: sentence });
  });
});

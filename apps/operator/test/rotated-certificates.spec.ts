import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { chownSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { connect as connectPlain } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import pg from 'pg';
import { withRedis } from '@shardnode/core/credentials';
import { freePort, type ServerProcess, startNats, startPostgres, startRedis } from '@shardnode/core/servers';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';
import { runCredentials } from '../src/credentials/commands.js';

/** Of the certificate that a server shows now; `hello` is what goes over the plain connection before TLS. */
const shownBy = (port: number, hello?: (socket: ReturnType<typeof connectPlain>) => Promise<void>): Promise<string> =>
  new Promise((resolve, reject) => {
    const plain = connectPlain(port, '127.0.0.1');
    plain.once('error', reject);
    plain.once('connect', () => {
      void (hello?.(plain) ?? Promise.resolve()).then(() => {
        const socket: TLSSocket = connect({ socket: plain, rejectUnauthorized: false }, () => {
          resolve(new X509Certificate(socket.getPeerCertificate().raw).serialNumber);
          socket.destroy();
        });
        socket.once('error', reject);
      });
    });
  });

/** The server of PostgreSQL is asked for TLS first, and agrees with `S`; that of NATS speaks first. */
const askForTls = (socket: ReturnType<typeof connectPlain>): Promise<void> =>
  new Promise((resolve) => {
    socket.once('data', () => resolve());
    socket.write(Buffer.from([0, 0, 0, 8, 4, 210, 22, 47]));
  });
const firstLine = (socket: ReturnType<typeof connectPlain>): Promise<void> =>
  new Promise((resolve) => socket.once('data', () => resolve()));

const portOf = (url: string): number => Number(new URL(url).port);

describeWithServers(['postgres', 'nats', 'redis'], 'certificates that are rotated while the servers run', () => {
  const base = mkdtempSync(join(tmpdir(), 'shardnode-certificates-'));
  const folder = join(base, 'credentials');
  const servers: ServerProcess[] = [];
  const file = (name: string): string => join(folder, 'tls', name);
  let environment: Record<string, string>;
  let redisTls: number;
  let said: string;

  const run = async (...words: readonly string[]): Promise<void> => {
    said = '';
    const spy = jest.spyOn(process.stdout, 'write').mockImplementation((text) => {
      said += String(text);
      return true;
    });
    await runCredentials({ words: [...words, '--folder', folder], environment }).finally(() => spy.mockRestore());
  };
  const inFolder = (server: string): string => new X509Certificate(readFileSync(file(`${server}.crt`))).serialNumber;
  const shown = async (): Promise<Record<string, string>> => ({
    postgres: await shownBy(portOf(environment['POSTGRES_URL']!), askForTls),
    nats: await shownBy(portOf(servers[1]!.url), firstLine),
    redis: await shownBy(redisTls),
  });
  const current = (): Record<string, string> =>
    Object.fromEntries(['postgres', 'nats', 'redis'].map((server) => [server, inFolder(server)]));

  /** Servers are told, and do it in their own time. */
  const untilShown = (expected: Readonly<Record<string, string>>): Promise<void> =>
    until('the servers to show these certificates', async () => {
      const now = await shown();
      return Object.entries(expected).every(([server, number]) => now[server] === number);
    });

  /** PostgreSQL wants files that are its own. */
  const copyForPostgres = async (): Promise<void> => {
    const client = new pg.Client({ connectionString: servers[0]!.url });
    await client.connect();
    const { rows } = await client.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder");
    for (const end of ['crt', 'key']) {
      const target = join(rows[0]!.folder, `server.${end}`);
      copyFileSync(file(`postgres.${end}`), target);
      chownSync(target, statSync(rows[0]!.folder).uid, statSync(rows[0]!.folder).gid);
    }
    await client.query("ALTER SYSTEM SET ssl = 'on'");
    await client.query('SELECT pg_reload_conf()');
    await client.end();
  };

  beforeAll(async () => {
    environment = {};
    await run('generate', '--tls');
    servers.push(await startPostgres({ folder: join(base, 'postgres'), settings: { fsync: 'off' } }));
    const tls = `tls { cert_file: "${file('nats.crt')}", key_file: "${file('nats.key')}" }`;
    servers.push(await startNats({ folder: join(base, 'nats'), configuration: tls }));
    servers.push(await startRedis({ folder: join(base, 'redis') }));
    redisTls = await freePort();
    const password = readFileSync(join(folder, 'redis/admin'), 'utf8').trim();
    await withRedis({ url: servers[2]!.url }, async (ask) => {
      await ask('ACL', 'SETUSER', 'admin', 'on', `>${password}`, '~*', '&*', '+@all');
      await ask(
        ...['CONFIG', 'SET', 'tls-cert-file', file('redis.crt'), 'tls-key-file', file('redis.key')],
        ...['tls-ca-cert-file', file('ca.crt'), 'tls-auth-clients', 'no', 'tls-port', String(redisTls)],
      );
    });
    environment = { POSTGRES_URL: servers[0]!.url, REDIS_URL: servers[2]!.url, NATS_PID_FILE: join(base, 'nats.pid') };
    writeFileSync(environment['NATS_PID_FILE']!, `${servers[1]!.pid}\n`);
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.remove()));
    rmSync(base, { recursive: true, force: true });
  });

  it('are shown by NATS and Redis at once, and what PostgreSQL has a copy of is told', async () => {
    // Where PostgreSQL has no certificate at all, too.
    await run('rotate', 'tls');
    expect(said).toContain('PostgreSQL: put');
    await copyForPostgres();
    const before = current();
    await untilShown(before);
    await run('rotate', 'tls');
    const after = current();
    for (const server of Object.keys(before)) expect(after[server]).not.toBe(before[server]);
    await untilShown({ ...after, postgres: before['postgres']! });
    expect(said).toContain('PostgreSQL: put tls/postgres.crt and tls/postgres.key where its ssl_cert_file');
    expect(said).not.toMatch(/NATS: put|Redis: put/);
    await copyForPostgres();
    await untilShown(after);
  });
});

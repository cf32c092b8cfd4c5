import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { openNatsNetwork } from '@shardnode/core/bus';
import { openRedisCache } from '@shardnode/core/cache';
import { createAuthority, createCertificate, withRedis } from '@shardnode/core/credentials';
import { openDatabaseServer } from '@shardnode/core/database';
import { createLogger, silentLogger } from '@shardnode/core/observability';
import { redisAnswers } from '@shardnode/core/process';
import { freePort, type ServerProcess, startNats, startPostgres, startRedis } from '@shardnode/core/servers';
import { tlsReader } from '@shardnode/core/tls';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';

const folder = mkdtempSync(join(tmpdir(), 'shardnode-tls-'));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
};
const file = (name: string): string => join(folder, name);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(() => {
  chmodSync(folder, 0o711);
  const [authority, stranger] = [createAuthority('ours'), createAuthority('somebody')];
  write('ca.crt', authority.cert);
  write('stranger.crt', stranger.cert);
  for (const [name, hosts] of [
    ['server', ['127.0.0.1', 'localhost']],
    ['elsewhere', ['elsewhere.example']],
    ['client', ['gateway']],
  ] as const) {
    const { cert, key } = createCertificate(authority, hosts);
    write(`${name}.crt`, cert);
    write(`${name}.key`, key);
  }
});

describe('certificates', () => {
  it('are what others take for certificates of their authority, and of no other', () => {
    const verify = (ca: string): string =>
      execFileSync('openssl', ['verify', '-x509_strict', '-CAfile', file(ca), file('server.crt')], {
        encoding: 'utf8',
        stdio: 'pipe',
      });
    expect(verify('ca.crt')).toContain('OK');
    expect(() => verify('stranger.crt')).toThrow();
  });

  it('that are not there stop the start with their setting', () => {
    const read = (files: { ca?: string; cert?: string; key?: string }) => () =>
      tlsReader('NATS_TLS', { ca: undefined, cert: undefined, key: undefined, ...files });
    expect(read({ ca: file('none') })).toThrow(`NATS_TLS_CA: the file ${file('none')} is not there.`);
    expect(read({ cert: file('client.crt') })).toThrow('NATS_TLS_CERT and NATS_TLS_KEY belong together; set both.');
    expect(read({})()).toBeUndefined();
  });

  it('that are replaced count from the next connection on', () => {
    const changing = write('changing.crt', 'first\n');
    const read = tlsReader('DATABASE_TLS', { ca: changing })!;
    write('changing.crt', 'second\n');
    expect(read()).toEqual({ ca: 'second\n' });
    rmSync(changing);
    expect(read()).toEqual({ ca: 'second\n' });
  });
});

const trusting = (ca: string) => tlsReader('X', { ca: file(ca) });

describeWithServers(['nats'], 'the bus with TLS', () => {
  const servers: ServerProcess[] = [];
  const start = async (...lines: readonly string[]): Promise<string> => {
    const server = await startNats({ folder: mkdtempSync(join(folder, 'nats-')), configuration: lines.join('\n') });
    servers.push(server);
    return server.url;
  };
  const tls = (name: string, more = ''): string =>
    `tls { cert_file: "${file(`${name}.crt`)}", key_file: "${file(`${name}.key`)}"${more} }`;
  const join_ = async (url: string, access: object): Promise<boolean> => {
    const network = openNatsNetwork({ servers: [url], logger: silentLogger, connectWithinMs: 3_000, ...access });
    try {
      return (await network.join({ sender: { service: 'gateway' }, logger: silentLogger })).isConnected;
    } finally {
      await network.close();
    }
  };
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.remove()));
  });

  it('lets in who knows the authority', async () => {
    expect(await join_(await start(tls('server')), { tls: trusting('ca.crt') })).toBe(true);
  });

  it('says what is wrong with another authority, another name, and a server without TLS', async () => {
    const url = await start(tls('server'));
    const where = `there is no secure connection to the NATS server at ${url}`;
    await expect(join_(url, { tls: trusting('stranger.crt') })).rejects.toThrow(
      `${where}: its certificate comes from an authority that is not trusted here; look at NATS_TLS_CA`,
    );
    await expect(join_(url, {})).rejects.toThrow(`${where}: its certificate comes from an authority`);
    const elsewhere = await start(tls('elsewhere'));
    await expect(join_(elsewhere, { tls: trusting('ca.crt') })).rejects.toThrow('its certificate is for another name');
    await expect(join_(await start(), { tls: trusting('ca.crt') })).rejects.toThrow('it does not speak TLS');
  });

  it('wants a certificate of the other side, where it is told so', async () => {
    const url = await start(tls('server', `, ca_file: "${file('ca.crt')}", verify: true`));
    const files = { ca: file('ca.crt'), cert: file('client.crt'), key: file('client.key') };
    expect(await join_(url, { tls: tlsReader('X', files) })).toBe(true);
    await expect(join_(url, { tls: trusting('ca.crt') })).rejects.toThrow(
      /wants a certificate|does not answer|no NATS server answers/,
    );
  });
});

describeWithServers(['postgres'], 'the database with TLS', () => {
  let server: ServerProcess;
  const use = async (name: string): Promise<void> => {
    const client = new pg.Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query<{ folder: string }>("SELECT current_setting('data_directory') AS folder");
    const data = rows[0]!.folder;
    for (const end of ['crt', 'key']) {
      const target = join(data, `${name}.${end}`);
      execFileSync('cp', [file(`${name}.${end}`), target]);
      chownSync(target, statSync(data).uid, statSync(data).gid);
    }
    await client.query(`ALTER SYSTEM SET ssl_cert_file = '${name}.crt'`);
    await client.query(`ALTER SYSTEM SET ssl_key_file = '${name}.key'`);
    await client.query("ALTER SYSTEM SET ssl = 'on'");
    await client.query('SELECT pg_reload_conf()');
    await client.end();
  };
  const isSecure = async (access: object): Promise<boolean> => {
    const host = openDatabaseServer({ url: server.url, applicationName: 'test', logger: silentLogger, ...access });
    try {
      await host.check();
      const text = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      const rows = await host.service('public').query<{ ssl: boolean }>('secure', text);
      return rows[0]!.ssl;
    } finally {
      await host.close();
    }
  };
  beforeAll(async () => {
    server = await startPostgres({ folder: join(folder, 'postgres') });
  });
  afterAll(() => server.remove());

  it('is refused before there is any, then used; never with another authority or name', async () => {
    await expect(isSecure({ tls: trusting('ca.crt') })).rejects.toMatchObject({
      code: 'AccessRefused',
      message: expect.stringMatching(
        /^There is no secure connection to PostgreSQL at .*: it does not speak TLS\. Look at DATABASE_TLS_CA/,
      ),
    });
    expect(await isSecure({})).toBe(false);
    await use('server');
    await until('the new settings', () => isSecure({ tls: trusting('ca.crt') }).catch(() => false));
    await expect(isSecure({ tls: trusting('stranger.crt') })).rejects.toThrow(
      'its certificate comes from an authority that is not trusted here',
    );
    await use('elsewhere');
    await until('the other name', () =>
      isSecure({ tls: trusting('ca.crt') }).then(
        () => false,
        (error: Error) => error.message.includes('its certificate is for another name'),
      ),
    );
  });
});

describeWithServers(['redis'], 'the cache with TLS', () => {
  it('is reached with its authority, and with no other', async () => {
    const server = await startRedis({ folder: join(folder, 'redis') });
    const port = await freePort();
    await withRedis({ url: server.url }, (ask) =>
      ask(
        ...['CONFIG', 'SET', 'tls-cert-file', file('server.crt'), 'tls-key-file', file('server.key')],
        ...['tls-ca-cert-file', file('ca.crt'), 'tls-auth-clients', 'no', 'tls-port', String(port)],
      ),
    );
    const url = `rediss://127.0.0.1:${port}`;
    const lines: string[] = [];
    const logger = createLogger({ level: 'warn', destination: { write: (line: string) => void lines.push(line) } });
    const [trusted, strange] = ['ca.crt', 'stranger.crt'].map((ca) =>
      openRedisCache({ url, prefix: 'test', logger, tls: trusting(ca), commandTimeoutMs: 1_000 }),
    );
    await until('the connection', async () => {
      await trusted!.set('key', new Uint8Array([7]));
      return (await trusted!.get('key'))?.[0] === 7;
    });
    await redisAnswers(url);
    await until('the refusal', () => lines.some((line) => line.includes('an authority that is not trusted here')));
    expect(await strange!.get('key')).toBeUndefined();
    expect(() => openRedisCache({ url: server.url, prefix: 'test', logger, tls: trusting('ca.crt') })).toThrow(
      'REDIS_TLS_CA is set, so REDIS_URL must begin with rediss://',
    );
    await Promise.all([trusted!.close(), strange!.close()]);
    await server.remove();
  });
});

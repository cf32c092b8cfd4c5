import { once } from 'node:events';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { connect } from '@nats-io/transport-node';
import { CredentialFolder } from '@shardnode/core/credentials';
import { findProgram, freePort, requireProgram, startPostgres, type ServerProcess } from '@shardnode/core/servers';
import { generateCredentials, type CredentialNetwork } from '@shardnode/messages/credentials';
import { describeWithServers } from '@shardnode/testing/servers';
import { until } from '@shardnode/testing/waiting';
import { Redis } from 'ioredis';
import { listAt } from './json.js';
import { containersOf, identityOf, podTemplateOf } from './manifest.js';
import { overlays, renderOverlay } from './overlays.js';

const k8s = fileURLToPath(new URL('../../k8s/', import.meta.url));
const network: CredentialNetwork = {
  namespace: 'coin',
  groups: 4,
  natsHost: '127.0.0.1',
  natsPort: 4222,
  mode: 0o600,
};
const newFolder = (): string => mkdtempSync(join(tmpdir(), 'kubernetes-'));

describeWithServers(['postgres'], 'the scripts of the databases', () => {
  const database = 'shardnode_wallet';
  const folder = newFolder();
  let postgres: ServerProcess;
  let environment: Record<string, string>;
  beforeAll(async () => {
    postgres = await startPostgres({ folder: join(folder, 'server'), settings: { fsync: 'off' } });
    const admin = new URL(postgres.url);
    writeFileSync(join(folder, 'password'), `it's "secret"\n`);
    environment = {
      PATH: `${dirname(requireProgram('postgres', 'pg_dump'))}:${process.env.PATH}`,
      PGHOST: '127.0.0.1',
      PGPORT: String(postgres.port),
      POSTGRES_USER: decodeURIComponent(admin.username),
      PGPASSWORD: decodeURIComponent(admin.password),
      ROLE: database,
      ROLE_PASSWORD_FILE: join(folder, 'password'),
    };
  });
  afterAll(async () => {
    await postgres.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const run = (command: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawnSync(command, args, { env: { ...environment, ...more }, encoding: 'utf8' });
  const asRole = { PGUSER: database, PGDATABASE: database, PGPASSWORD: `it's "secret"` };
  const query = (text: string, more: Readonly<Record<string, string>> = asRole): string => {
    const { status, stdout, stderr } = run('psql', ['-X', '-A', '-t', '-q', '-c', text], more);
    if (status !== 0) throw new Error(stderr);
    return stdout.trim();
  };
  const backups = join(folder, 'backups');
  const backup = (more: Readonly<Record<string, string>> = {}) =>
    run('sh', [join(k8s, 'base/backup/backup.sh')], {
      PGUSER: database,
      PGDATABASE: database,
      PGPASSWORD: '',
      PGPASSWORD_FILE: join(folder, 'password'),
      FOLDER: backups,
      KEEP: '2',
      ...more,
    });

  it('make the role and its database, which nobody else may connect to', () => {
    expect(run('sh', [join(k8s, 'overlays/local/postgres/role.sh')])).toMatchObject({ status: 0, stderr: '' });
    expect(query('select current_user || current_database()')).toBe(database.repeat(2));
    run('sh', [join(k8s, 'overlays/local/postgres/role.sh')], { ROLE: 'other' });
    expect(() => query('select 1', { ...asRole, PGUSER: 'other' })).toThrow(/permission denied for database/);
  });

  it('make a reader of a database, with which the owner makes tables later', () => {
    const names = { ROLE: 'shown', READER: 'shown_reader', READER_PASSWORD_FILE: join(folder, 'password') };
    expect(run('sh', [join(k8s, 'overlays/local/postgres/role.sh')], names)).toMatchObject({ status: 0, stderr: '' });
    const owner = { ...asRole, PGUSER: 'shown', PGDATABASE: 'shown' };
    query('create schema explorer; create table explorer.numbers as select 7 as number', owner);
    const reader = { ...owner, PGUSER: 'shown_reader' };
    expect(query('select number from explorer.numbers', reader)).toBe('7');
    expect(() => query('set transaction read write; delete from explorer.numbers', reader)).toThrow(
      /permission denied for table/,
    );
  });

  it('keep the newest backups, which can be restored, and refuse an empty database', () => {
    mkdirSync(backups, { recursive: true });
    const old = ['20200101', '20200102', '20200103'].map((day) => `${database}-${day}T000000Z.dump`);
    for (const name of [...old, `${database}-20200104T000000Z.dump.partial`]) writeFileSync(join(backups, name), '');
    expect(backup()).toMatchObject({ status: 1, stderr: `the dump of ${database} has no tables\n` });
    query(`create table numbers as select generate_series(1, 1000) as number`);
    const { status, stdout } = backup();
    expect(status).toBe(0);
    expect(stdout).toMatch(/\.dump: 1 tables, \d+ bytes/);
    const kept = readdirSync(backups).sort();
    expect(kept).toEqual([old[2], expect.stringMatching(new RegExp(`^${database}-20\\d{6}T\\d{6}Z\\.dump$`))]);

    query('delete from numbers');
    const words = ['--clean', '--if-exists', '--exit-on-error', '--single-transaction'];
    expect(run('pg_restore', ['--dbname', database, ...words, join(backups, kept[1]!)], asRole).status).toBe(0);
    expect(query('select sum(number) from numbers')).toBe('500500');
  });

  it('do not count a dump that was cut off', () => {
    const bin = join(folder, 'bin');
    mkdirSync(bin, { recursive: true });
    // Writes the dump as always and loses its end, which holds rows.
    const real = requireProgram('postgres', 'pg_dump');
    writeFileSync(
      join(bin, 'pg_dump'),
      `#!/bin/sh\n"${real}" "$@"\nfor word; do case $word in --file=*) truncate -s -200 "\${word#--file=}" ;; esac; done\n`,
    );
    chmodSync(join(bin, 'pg_dump'), 0o755);
    const before = readdirSync(backups).filter((name) => name.endsWith('.dump'));
    expect(backup({ PATH: `${bin}:${environment.PATH}` }).status).not.toBe(0);
    expect(readdirSync(backups).filter((name) => name.endsWith('.dump'))).toEqual(before);
  });
});

describeWithServers(['nats'], 'the servers of the bus', () => {
  const folder = newFolder();
  const credentials = new CredentialFolder(join(folder, 'made'));
  const running: ChildProcess[] = [];
  const started: { readonly place: string; readonly port: number }[] = [];
  afterAll(() => {
    for (const child of running) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const handOut = (place: string): void => {
    mkdirSync(join(place, 'credentials'), { recursive: true });
    copyFileSync(credentials.pathOf('nats/nats.conf'), join(place, 'credentials/nats.conf'));
  };

  /** /etc/nats as the pod sees it, in a folder of the test, with ports and names of this machine. */
  const prepare = (
    ordinal: number,
    clusterFile: string,
    ports: readonly (readonly [string, number])[],
    routes: readonly number[],
  ): string => {
    const place = join(folder, `nats-${ordinal}`);
    mkdirSync(join(place, 'tls'), { recursive: true });
    handOut(place);
    for (const [from, to] of [
      ['nats.crt', 'tls.crt'],
      ['nats.key', 'tls.key'],
      ['ca.crt', 'ca.crt'],
    ] as const) {
      if (credentials.has(`tls/${from}`)) copyFileSync(credentials.pathOf(`tls/${from}`), join(place, 'tls', to));
    }
    for (const [name, file] of [
      ['server.conf', 'base/nats/server.conf'],
      ['cluster.conf', clusterFile],
    ] as const) {
      let text = readFileSync(join(k8s, file), 'utf8')
        .replaceAll('/etc/nats', place)
        .replaceAll('/run/nats', place)
        .replaceAll('0.0.0.0', '127.0.0.1');
      routes.forEach((port, server) => (text = text.replaceAll(`nats-${server}.nats:6222`, `localhost:${port}`)));
      for (const [before, port] of ports) text = text.replaceAll(before, String(port));
      writeFileSync(join(place, name), text);
    }
    return place;
  };

  const start = async (ordinal: number, clusterFile: string, routes: readonly number[]): Promise<void> => {
    const [port, monitor] = [await freePort(), await freePort()];
    const place = prepare(
      ordinal,
      clusterFile,
      [
        ['4222', port],
        ['8222', monitor],
        ['6222', routes[ordinal] ?? 0],
      ],
      routes,
    );
    const child = spawn(requireProgram('nats'), ['--config', join(place, 'server.conf')], {
      env: { ...process.env, POD_NAME: `nats-${ordinal}` },
      stdio: 'ignore',
    });
    running.push(child);
    started.push({ place, port });
    await until(
      'NATS is healthy',
      async () => (await fetch(`http://127.0.0.1:${monitor}/healthz`).catch(() => undefined))?.ok === true,
    );
  };

  const open = (server: number, user: string, password: string, tls = false) =>
    connect({
      servers: `localhost:${started[server]!.port}`,
      user,
      pass: password,
      inboxPrefix: `_INBOX.${user}`,
      reconnect: false,
      ...(tls ? { tls: { caFile: credentials.pathOf('tls/ca.crt') } } : {}),
    });

  it('take the configuration of the base, and a rotated password without a restart', async () => {
    generateCredentials(credentials.path, network);
    await start(0, 'base/nats/cluster.conf', []);
    const { place } = started[0]!;
    const before = credentials.read('nats/gateway');
    await (await open(0, 'gateway', before)).close();
    const reload = spawn('sh', [join(k8s, 'base/nats/reload.sh')], {
      env: {
        PATH: `${dirname(findProgram('nats-server')!)}:${process.env.PATH}`,
        CONFIGURATION: place,
        PID_FILE: join(place, 'server.pid'),
        EVERY: '0.2',
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    running.push(reload);
    await once(reload.stdout, 'data');
    const { pid } = running[0]!;
    credentials.write('nats/gateway', 'a-password-that-is-new');
    generateCredentials(credentials.path, network);
    handOut(place);
    await until('the new password counts', async () => {
      const connection = await open(0, 'gateway', 'a-password-that-is-new').catch(() => undefined);
      await connection?.close();
      return connection !== undefined;
    });
    await expect(open(0, 'gateway', before)).rejects.toThrow(/authorization/i);
    expect(running[0]).toMatchObject({ pid, exitCode: null });
    reload.kill();
    running[0]!.kill();
    started.length = 0;
  });

  it('are a cluster of three with TLS in production', async () => {
    generateCredentials(credentials.path, {
      ...network,
      tlsNames: ['nats-0.nats', 'nats-1.nats', 'nats-2.nats'],
      tlsFolder: '/etc/nats/tls',
    });
    const routes = [await freePort(), await freePort(), await freePort()];
    await Promise.all([0, 1, 2].map((ordinal) => start(ordinal, 'overlays/production/nats/cluster.conf', routes)));
    const gateway = await open(0, 'gateway', credentials.read('nats/gateway'), true);
    const wallets = await open(2, 'wallet-service', credentials.read('nats/wallet-service'), true);
    const subscription = wallets.subscribe('coin.rpc.wallet.create', {
      callback: (_, message) => void message.respond('made'),
    });
    await wallets.flush();
    // Until the servers have found each other.
    await until(
      'a request crosses the cluster',
      async () =>
        (await gateway.request('coin.rpc.wallet.create', '', { timeout: 500 }).catch(() => undefined))?.string() ===
        'made',
    );
    subscription.unsubscribe();
    await expect(
      connect({
        servers: `localhost:${started[1]!.port}`,
        user: 'gateway',
        pass: credentials.read('nats/gateway'),
        reconnect: false,
      }),
    ).rejects.toThrow();
    await Promise.all([gateway.close(), wallets.close()]);
  });
});

describeWithServers(['redis'], 'the cache', () => {
  const folder = newFolder();
  let running: ChildProcess | undefined;
  afterAll(() => {
    running?.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  it.each(overlays)('takes its arguments and its users: %s', async (overlay) => {
    const credentials = new CredentialFolder(join(folder, overlay));
    generateCredentials(credentials.path, { ...network, tlsNames: [] });
    const mounted = join(folder, `${overlay}-mounted`);
    mkdirSync(mounted);
    for (const [from, to] of [
      ['redis/users.acl', 'users.acl'],
      ['tls/redis.crt', 'tls.crt'],
      ['tls/redis.key', 'tls.key'],
      ['tls/ca.crt', 'ca.crt'],
    ] as const) {
      copyFileSync(credentials.pathOf(from), join(mounted, to));
    }
    const port = await freePort();
    const redis = renderOverlay(overlay).find((manifest) => identityOf(manifest) === 'Deployment/redis')!;
    const args = listAt(containersOf(podTemplateOf(redis)!)[0], 'args').map((word) =>
      String(word)
        .replace('/run/credentials', mounted)
        .replace('0.0.0.0', '127.0.0.1')
        .replace(/^6379$/, String(port)),
    );
    // The port of the base is the one that the program has by itself.
    const own = overlay === 'local' ? ['--port', String(port)] : [];
    running = spawn(requireProgram('redis'), [...args, ...own, '--dir', mounted], { stdio: 'ignore' });
    const tls =
      overlay === 'local' ? {} : { tls: { ca: readFileSync(credentials.pathOf('tls/ca.crt')), servername: 'redis' } };
    const answer = async (username: string, key: string): Promise<string> => {
      const password = credentials.read(`redis/${username}`);
      const client = new Redis({
        host: '127.0.0.1',
        port,
        username,
        password,
        lazyConnect: true,
        retryStrategy: null,
        ...tls,
      });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return await client.set(key, '1');
      } catch (error) {
        return (error as Error).message;
      } finally {
        client.disconnect();
      }
    };
    await until('Redis takes a value', async () => (await answer('gateway', 'coin:one')) === 'OK');
    expect(await answer('gateway', 'other:one')).toMatch(/NOPERM/);
    running.kill();
  });
});

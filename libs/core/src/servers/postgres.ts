import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from './free-port.js';
import { requireProgram } from './programs.js';
import { type ServerProcess, startServer } from './server-process.js';

const execute = promisify(execFile);

export interface PostgresOptions {
  /** Folder exclusive to the server; a cluster of an earlier start in it is reused. */
  readonly folder: string;
  /** Folder of another such server that does not run: a new `folder` starts as a copy of it. */
  readonly copyOf?: string;
  /** Default: a free one. */
  readonly port?: number;
  /** Password of the superuser; default: one stored in `folder`. */
  readonly password?: string;
  /** Override the default settings: `{ fsync: 'off' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

interface Identity {
  readonly uid: number;
  readonly gid: number;
}

const ourSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  shared_buffers: '128MB',
  max_wal_size: '512MB',
};

/** PostgreSQL refuses to run as root. Under root it runs as its own user, or as nobody. */
const serverIdentity = (): Identity | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const user = ['postgres', 'nobody'].map((name) => users.find(([known]) => known === name)).find(Boolean);
  if (!user) throw new Error('PostgreSQL cannot run as root, and there is no user postgres or nobody');
  return { uid: Number(user[2]), gid: Number(user[3]) };
};

/** Prefix of the folder name of an incomplete cluster. */
const unfinished = 'data.new-';

/** File of the superuser's password, beside the cluster. */
const passwordName = 'password-of-postgres';

/**
 * Creates a cluster under a temporary name until it is complete: an incomplete cluster of a killed start looks like a
 * cluster and does not start. Each attempt has its own folder, because the program of a killed attempt may still be
 * writing.
 */
const makeCluster = async (data: string, identity: Identity | undefined, password: string): Promise<void> => {
  const folder = dirname(data);
  for (const name of readdirSync(folder)) {
    if (name.startsWith(unfinished)) rmSync(join(folder, name), { recursive: true, force: true });
  }
  const passwordFile = join(folder, passwordName);
  writeFileSync(passwordFile, password, { mode: 0o600 });
  if (identity) chownSync(passwordFile, identity.uid, identity.gid);
  const fresh = join(folder, `${unfinished}${randomBytes(4).toString('hex')}`);
  const args = ['-D', fresh, '-U', 'postgres', '-E', 'UTF8', '--locale=C.UTF-8', '-N', `--pwfile=${passwordFile}`];
  await execute(requireProgram('postgres', 'initdb'), [...args, '-A', 'scram-sha-256'], {
    cwd: folder,
    ...identity,
  });
  renameSync(fresh, data);
};

/** Copies a cluster with its data, which is faster than a new one. Under a temporary name until it is complete. */
const copyCluster = async (from: string, folder: string): Promise<void> => {
  const fresh = join(folder, `${unfinished}${randomBytes(4).toString('hex')}`);
  // `cp -a` preserves the owners of the files.
  await execute('cp', ['-a', join(from, 'data'), fresh]);
  await execute('cp', ['-a', join(from, passwordName), join(folder, passwordName)]);
  renameSync(fresh, join(folder, 'data'));
};

const answers = (url: string) => async (): Promise<void> => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
};

/** Temporary folders are closed to other users, and the server's own user needs access. */
const letThrough = (folder: string): void => {
  const { mode } = statSync(folder);
  if ((mode & 0o001) === 0) chmodSync(folder, (mode & 0o7777) | 0o011);
};

/** Whether the process with that id works on the folder; without /proc (macOS), whether that process exists. */
const worksOn = (pid: number, data: string): boolean => {
  try {
    process.kill(pid, 0);
    return !existsSync('/proc') || readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data);
  } catch {
    return false;
  }
};

/**
 * Removes the pid file of a killed server: its process id may belong to another process, and the server would refuse to
 * start.
 */
const forgetDeadServer = (data: string): void => {
  const mark = join(data, 'postmaster.pid');
  if (!existsSync(mark)) return;
  const pid = Number(readFileSync(mark, 'utf8').split('\n')[0]);
  if (worksOn(pid, data)) throw new Error(`PostgreSQL already runs on ${data}, as process ${pid}: stop it first`);
  rmSync(mark, { force: true });
};

/** Starts a PostgreSQL on loopback. `url` is that of its superuser. */
export const startPostgres = async (options: PostgresOptions): Promise<ServerProcess> => {
  const { folder, settings = {} } = options;
  const program = requireProgram('postgres');
  const port = options.port ?? (await freePort());
  const identity = serverIdentity();
  mkdirSync(folder, { recursive: true });
  if (identity) {
    chownSync(folder, identity.uid, identity.gid);
    letThrough(dirname(folder));
  }
  const data = join(folder, 'data');
  const isNew = !existsSync(join(data, 'PG_VERSION'));
  if (isNew && options.copyOf !== undefined) await copyCluster(options.copyOf, folder);
  else if (isNew) await makeCluster(data, identity, options.password ?? randomBytes(16).toString('hex'));
  forgetDeadServer(data);
  const passwordFile = join(folder, passwordName);
  if (options.password !== undefined) rmSync(passwordFile, { force: true });
  const password = options.password ?? readFileSync(passwordFile, 'utf8');
  const url = `postgresql://postgres:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
  const all = Object.entries({ ...ourSettings, port: String(port), ...settings });
  return startServer({
    name: 'postgres',
    port,
    url,
    folder,
    program,
    args: ['-D', data, ...all.flatMap(([name, value]) => ['-c', `${name}=${value}`])],
    ...(identity && { identity }),
    stopSignals: { fast: 'SIGINT', immediate: 'SIGQUIT' },
    answers: answers(url),
  });
};

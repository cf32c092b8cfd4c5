import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { type SecretReader } from '../../configuration/secret-file.js';
import { type TlsReader } from '../../tls/index.js';
import { DatabaseError } from '../database-error.js';

/** Address and credentials of a database. */
export interface DatabaseAccess {
  /** `postgresql://role:password@host:port/database`. A secret: never in a log or an error. */
  readonly url: string;
  /** Called for each new connection; overrides a password in the URL. */
  readonly password?: SecretReader | undefined;
  /** Called for each new connection. If set, connections require TLS and a certificate for the host name of the URL. */
  readonly tls?: TlsReader | undefined;
}

/**
 * Milliseconds. `connect`: timeout of a connection attempt. `read`: timeout of a read, well below a request's deadline.
 */
export const limits = { connect: 3_000, read: 5_000, keepAliveAfter: 5_000 };

/**
 * Settings of each session. The server detects the loss of a client's machine within some 11 s, and releases its lock.
 * Plans are cached for ever and may be made while tables are empty. So sequential scans are disabled, as in the
 * embedded database (measured: otherwise each commit scans the whole table of a new projection until the server
 * analyses it). JIT compilation costs more than any of our statements.
 */
const sessionSettings: Readonly<Record<string, string>> = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '11000',
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
};

const parseUrl = (url: string): URL => {
  try {
    const parsed = new URL(url);
    if (/^postgres(ql)?:$/.test(parsed.protocol)) return parsed;
  } catch {
    // The error would hold the URL and its password.
  }
  throw new DatabaseError(
    'InvalidUrl',
    'DATABASE_URL is not the address of a PostgreSQL database.',
    'It has the form postgresql://USER:PASSWORD@HOST:5432/DATABASE.',
  );
};

/** `host:port/database`, without the user's name and password. */
export const publicAddress = (url: string): string => {
  const { hostname, port, pathname, searchParams } = parseUrl(url);
  const host = hostname === '' ? (searchParams.get('host') ?? 'localhost') : hostname;
  return `${host}:${port === '' ? (searchParams.get('port') ?? '5432') : port}${pathname}`;
};

/** Connection settings under an application name. They override the same parameters in the URL. */
export const connectionSettings = (access: DatabaseAccess, applicationName: string): pg.PoolConfig => {
  parseUrl(access.url);
  const { password: fixed, options: theirs, ...place } = parseIntoClientConfig(access.url);
  const ours = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`);
  const { password, tls } = access;
  return {
    ...place,
    password: password === undefined ? fixed : () => password() ?? (fixed as string),
    ...(tls === undefined ? {} : { ssl: securedBy(tls) }),
    options: [...(theirs === undefined ? [] : [theirs]), ...ours].join(' '),
    application_name: applicationName,
    // A statement that its caller does not wait for is sent behind the one that runs.
    pipeline: true,
    connectionTimeoutMillis: limits.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: limits.keepAliveAfter,
  };
};

/** The library copies these for each TLS connection, so each gets the current values. */
const securedBy = (tls: TlsReader): NonNullable<Exclude<pg.PoolConfig['ssl'], boolean>> => ({
  get ca() {
    return tls().ca;
  },
});

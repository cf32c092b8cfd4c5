import type pg from 'pg';
import { parseIntoClientConfig } from 'pg-connection-string';
import { type SecretReader } from '../../configuration/secret-file.js';
import { type TlsReader } from '../../tls/index.js';
import { DatabaseError } from '../database-error.js';

/** Where a database is and how it lets us in. */
export interface DatabaseAccess {
  /** `postgresql://role:password@host:port/database`. Secret: it is never logged, nor in an error. */
  readonly url: string;
  /** Asked for each new connection; what it gives counts over a password in the url. */
  readonly password?: SecretReader | undefined;
  /**
   * Asked for each new connection. With it there is no connection without TLS, nor to a server whose certificate is for
   * another name than that of the url.
   */
  readonly tls?: TlsReader | undefined;
}

/** Milliseconds. A connection is made within the first; a read answers within the second, well inside a request's deadline. */
export const limits = { connect: 3_000, read: 5_000, keepAliveAfter: 5_000 };

/**
 * Settings of each session. The server notices within some 11 s that a client's machine is gone, and gives its lock back.
 * Plans are kept for ever and made while tables may be empty (measured: a fresh projection is otherwise scanned whole by
 * each commit, until the server happens to analyse it): so they never rest on a sequential scan, as in the embedded
 * database. Compiling to machine code costs more than any of our statements.
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
    // The error would hold the text, and that a password.
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

/** How to connect under a name. What the URL says about the same things does not count. */
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
    connectionTimeoutMillis: limits.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: limits.keepAliveAfter,
  };
};

/** The library copies these when a connection is secured: so they are asked for each. */
const securedBy = (tls: TlsReader): NonNullable<Exclude<pg.PoolConfig['ssl'], boolean>> => ({
  get ca() {
    return tls().ca;
  },
});

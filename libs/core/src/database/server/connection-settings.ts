import type pg from 'pg';
import { DatabaseError } from '../database-error.js';

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

/** How to connect to `url` under a name. What the URL says about the same things does not count. */
export const connectionSettings = (url: string, applicationName: string): pg.PoolConfig => {
  const address = parseUrl(url);
  const ours = Object.entries(sessionSettings).map(([name, value]) => `-c ${name}=${value}`);
  const theirs = address.searchParams.get('options');
  address.searchParams.set('options', [...(theirs === null ? [] : [theirs]), ...ours].join(' '));
  address.searchParams.set('application_name', applicationName);
  return {
    connectionString: address.toString(),
    connectionTimeoutMillis: limits.connect,
    keepAlive: true,
    keepAliveInitialDelayMillis: limits.keepAliveAfter,
  };
};

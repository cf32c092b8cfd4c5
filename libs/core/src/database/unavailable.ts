import { types } from 'node:util';
import { DatabaseError, UnknownOutcomeError, WriterLostError } from './database-error.js';

const lostConnectionCodes: ReadonlySet<string> = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P03', // cannot_connect_now
  '57P05', // idle_session_timeout
  '25P03', // idle_in_transaction_session_timeout
  '08000',
  '08001',
  '08003',
  '08004',
  '08006',
  'P1001', // Prisma: cannot reach the server
  'P1002',
  'P1008',
  'P1017', // Prisma: the server has closed the connection
]);

/** Errors of node-postgres and its pool that have no code. */
const lostConnectionWords =
  /connection terminated|connection ended|closed the connection|query read timeout|timeout expired|timeout exceeded when trying to connect|not queryable|connection timeout/i;

/** Depth to which causes are followed. */
const causes = 5;

const chainOf = (error: unknown): readonly Error[] => {
  const chain: Error[] = [];
  // Not `instanceof`: socket errors may be of another realm, as in tests.
  for (let next = error; types.isNativeError(next) && chain.length < causes; next = next.cause) chain.push(next);
  return chain;
};

const fieldOf = (error: Error, name: 'code' | 'severity' | 'syscall'): string | undefined => {
  const value = (error as unknown as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
};

const isLost = (error: Error): boolean => {
  const code = fieldOf(error, 'code');
  if (code !== undefined && lostConnectionCodes.has(code)) return true;
  // A missing Unix socket.
  if (code === 'ENOENT' && fieldOf(error, 'syscall') === 'connect') return true;
  // After these the server closes the connection, whatever the cause; for example a full disk during COMMIT.
  const severity = fieldOf(error, 'severity');
  return severity === 'FATAL' || severity === 'PANIC' || lostConnectionWords.test(error.message);
};

/**
 * Whether the error means a lost connection, so that the statement may or may not have taken effect. False for
 * WriterLostError: that statement had no effect.
 */
export const isConnectionLost = (error: unknown): boolean =>
  !(error instanceof WriterLostError) && chainOf(error).some(isLost);

/** Reasons by error code, for errors that mean an unavailable server and not a failed statement. */
const troubles: ReadonlyMap<string, string> = new Map([
  ['53100', 'the disk of its database is full'],
  ['58030', 'its database cannot read or write its disk'],
  ['25006', 'its database is read-only'],
  ['53000', 'its database has too little of something'],
  ['53200', 'its database has too little memory'],
  ['53300', 'its database has no connection to give'],
  ['57014', 'its database did not answer in time'],
]);

const reasonOf = (error: Error): string | undefined => {
  if (error instanceof DatabaseError) return error.code === 'WriterExists' ? error.problem : undefined;
  if (error instanceof WriterLostError) return "it lost the writer's lock of its database";
  const trouble = troubles.get(fieldOf(error, 'code') ?? '');
  if (trouble !== undefined) return trouble;
  return /no space left on device/i.test(error.message) ? troubles.get('53100') : undefined;
};

/**
 * The reason why the store is unavailable, as a clause about the service (`its database does not answer`): the server
 * is unreachable, full, read-only, or written by another process. Undefined for every other error.
 */
export const unavailableReason = (error: unknown): string | undefined => {
  const chain = chainOf(error);
  for (const each of chain) {
    const reason = reasonOf(each);
    if (reason !== undefined) return reason;
  }
  const isAway = chain.some((each) => isLost(each) || each instanceof UnknownOutcomeError);
  return isAway ? 'its database does not answer' : undefined;
};

/** The DatabaseError `WriterExists` in the error or its causes: another process holds the writer's lock. */
export const writerTaken = (error: unknown): DatabaseError | undefined =>
  chainOf(error).find((each) => each instanceof DatabaseError && each.code === 'WriterExists') as
    DatabaseError | undefined;

import { tlsProblem } from '../../tls/index.js';
import { DatabaseError } from '../database-error.js';
import { isConnectionLost } from '../unavailable.js';

const refusals: ReadonlyMap<string, string> = new Map([
  ['28P01', 'it does not accept the password'],
  ['28000', 'it does not let this user in'],
  ['3D000', 'it has no such database'],
  ['42501', 'this user may not use that database'],
]);

const codeOf = (error: unknown): string => {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : '';
};

/**
 * Describes a failed connection for the operator: `AccessRefused` when the server refuses, `Unreachable` when it does
 * not answer; other errors unchanged.
 * @param address without user and password
 */
export const describeAccess = (error: unknown, address: string): unknown => {
  const code = codeOf(error);
  const refusal = refusals.get(code);
  if (refusal !== undefined) {
    return new DatabaseError(
      'AccessRefused',
      `PostgreSQL at ${address} refuses access: ${refusal}.`,
      'Look at DATABASE_URL and DATABASE_PASSWORD, and make the role and the database that are named there.',
      { cause: error },
    );
  }
  const insecure = tlsProblem(error);
  if (insecure !== undefined) {
    return new DatabaseError(
      'AccessRefused',
      `There is no secure connection to PostgreSQL at ${address}: ${insecure}.`,
      'Look at DATABASE_TLS_CA, and at the certificate of the server.',
      { cause: error },
    );
  }
  if (!isConnectionLost(error)) return error;
  return new DatabaseError(
    'Unreachable',
    `PostgreSQL at ${address} does not answer${code === '' ? '' : ` (${code})`}.`,
    'Start it, or look at DATABASE_URL.',
    { cause: error },
  );
};

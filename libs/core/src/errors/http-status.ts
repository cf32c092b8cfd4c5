import { type ErrorKind } from './service-error.js';

/** The one mapping of error kinds to HTTP statuses (decision 5); only the HTTP edge reads it. */
export const httpStatusOfKind: Readonly<Record<ErrorKind, number>> = {
  refused: 400,
  'invalid-request': 400,
  unauthorized: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  throttled: 429,
  unavailable: 503,
  'timed-out': 504,
  broken: 500,
};

/** Default seconds of `Retry-After` by error kind. Requests with other kinds of errors should not be retried. */
export const retryAfterSecondsOfKind: Readonly<Partial<Record<ErrorKind, number>>> = {
  throttled: 1,
  unavailable: 1,
};

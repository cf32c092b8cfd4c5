import { type PublicErrors } from '@shardnode/core/bus';
import {
  type ErrorKind,
  type ErrorKinds,
  errorsOf,
  publicBodyOfError,
  type ServiceError,
} from '@shardnode/core/errors';

/** Every error of the feed's requests (protocol 09 §2). */
export const feedErrorKinds = {
  InvalidRequest: 'invalid-request',
  UnknownBlock: 'not-found',
  UnknownContract: 'not-found',
  NotThisGroup: 'invalid-request',
  GenesisMismatch: 'refused',
  TooManyRequests: 'throttled',
  NotReady: 'unavailable',
  Internal: 'broken',
} as const satisfies ErrorKinds;

type FeedErrorCode = keyof typeof feedErrorKinds;

export const feedError = errorsOf(feedErrorKinds);

/** Codes after which the same request may succeed later. */
const retryable: ReadonlySet<string> = new Set<FeedErrorCode>(['TooManyRequests', 'NotReady', 'Internal']);

/** The code for an error of the services. */
const codeOfKind: Readonly<Record<ErrorKind, FeedErrorCode>> = {
  refused: 'InvalidRequest',
  'invalid-request': 'InvalidRequest',
  unauthorized: 'Internal',
  forbidden: 'Internal',
  'not-found': 'InvalidRequest',
  conflict: 'Internal',
  throttled: 'TooManyRequests',
  unavailable: 'NotReady',
  'timed-out': 'NotReady',
  broken: 'Internal',
};

/** The refusal above a limit; `retryAfterMs` in milliseconds. */
export const tooManyFeedRequests = (detail: string, retryAfterMs: number): ServiceError =>
  feedError('TooManyRequests', detail, { retryAfterMs: Math.ceil(retryAfterMs) });

const publicOf = (error: ServiceError): ServiceError => {
  if (Object.hasOwn(feedErrorKinds, error.code)) return error;
  const code = codeOfKind[error.kind];
  if (code === 'TooManyRequests') return tooManyFeedRequests(error.detail, 1_000);
  return feedError(code, error.detail);
};

/** Codes and form of errors that followers of the feed get, whoever wrote them (protocol 09 §2). */
export const feedErrors: PublicErrors = {
  publicOf,
  frameOf: (error) => ({ header: error.code, body: publicBodyOfError(error, retryable.has(error.code)) }),
  unnamedSender: { service: 'explorer' },
};

import { errorsOf } from '@shardnode/core/errors';
import { type ErrorBody } from '@shardnode/core/http-server';

/** Errors of the explorer's API with their kinds (protocol 08 §5.3). */
const explorerErrorKinds = {
  InvalidRequest: 'invalid-request',
  PageTooDeep: 'invalid-request',
  Unauthorized: 'unauthorized',
  NotFound: 'not-found',
  AlreadyRunning: 'conflict',
  NotLive: 'unavailable',
  TooManyRequests: 'throttled',
  StreamFull: 'unavailable',
  DatabaseUnavailable: 'unavailable',
  GroupNodeBusy: 'unavailable',
  QueryTimeout: 'timed-out',
} as const;

export const explorerError = errorsOf(explorerErrorKinds);

/** A single resource that is not there. @param id the hash or address of the request */
export const notFound = (id: string) => explorerError('NotFound', `${id} not found`, { resource: id });

/** Texts of errors of the server that this API has another text for. */
const texts: Readonly<Record<string, string>> = { InternalServerError: 'Internal Server Error' };

/** Bodies of errors: `detail`, and before it the name of what is not there (protocol 08 §5.3). */
export const explorerErrorBody: ErrorBody = ({ resource, detail, code }, _requestId, path = '') => {
  if (code === 'RouteNotFound') return { resource: path, detail: `${path} not found` };
  const text = texts[String(code)] ?? detail;
  return resource === undefined ? { detail: text } : { resource, detail: text };
};

import { type Socket } from 'node:net';
import { type CoreErrorName } from '../errors/index.js';
import { newRequestId } from '../observability/index.js';
import { clientOfAddress, headersLimitBytes, Portions, tooManyWaitingBodies } from '../http-limits/index.js';
import { errorHeaders } from './error-headers.js';
import { type ErrorBody } from './settings.js';

type BrokenError = Error & { readonly code?: string };

interface BrokenRequest {
  /** Status code and reason, as in a status line. */
  readonly status: string;
  readonly code: CoreErrorName;
  readonly detail: string;
  readonly retryAfterSeconds?: number;
}

const notHttp: BrokenRequest = {
  status: '400 Bad Request',
  code: 'MalformedRequest',
  detail: 'The request is not HTTP',
};

/** By the error of the HTTP parser. */
const brokenRequests: Readonly<Record<string, BrokenRequest>> = {
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    code: 'RequestTimeout',
    detail: 'The request did not arrive in time',
  },
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    code: 'HeadersTooLarge',
    detail: `The headers have more than ${headersLimitBytes} bytes`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    code: 'BodyTooLarge',
    detail: 'The chunk extensions are too long',
  },
  [tooManyWaitingBodies]: {
    status: '429 Too Many Requests',
    code: 'TooManyRequests',
    detail: 'Several bodies of this client wait already: send each with Content-Length, or fewer at a time',
    retryAfterSeconds: 1,
  },
};

/** Whether a response has begun: a client would read a second one as part of it. */
const hasBegunToAnswer = (socket: Socket): boolean =>
  (socket as { _httpMessage?: { headersSent: boolean } | null })._httpMessage?.headersSent === true;

const answer = (error: BrokenError, socket: Socket, errorBody: ErrorBody): void => {
  if (socket.destroyed) return;
  if (!socket.writable || hasBegunToAnswer(socket)) return void socket.destroy();
  const { status, code, detail, retryAfterSeconds } = brokenRequests[error.code ?? ''] ?? notHttp;
  const requestId = newRequestId();
  const body = JSON.stringify(errorBody({ detail, code }, requestId));
  const head = [
    `HTTP/1.1 ${status}`,
    'Content-Type: application/json',
    'X-Content-Type-Options: nosniff',
    `X-Request-Id: ${requestId}`,
    `${errorHeaders.code.name}: ${code}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...(retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`]),
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
};

/** Responses to one client per event-loop tick: the server detects all slow requests in one tick. */
const answeredAtOnce = 8;

/**
 * Answers malformed and incomplete requests and closes their connections, in portions. No hook of the server gets these
 * requests.
 */
export const answerBrokenRequest = (errorBody: ErrorBody): ((error: BrokenError, socket: Socket) => void) => {
  const portions = new Portions(answeredAtOnce);
  return (error, socket) => {
    if (error.code === 'ECONNRESET') return;
    portions.add(clientOfAddress(socket.remoteAddress), () => answer(error, socket, errorBody));
  };
};

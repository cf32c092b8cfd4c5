import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type FastifyInstance } from 'fastify';
import { newRequestId, requestIdOf } from '../observability/index.js';
import { type Again, RepeatedRefusals } from './repeated-refusals.js';
import { type Answered } from './request-hooks.js';

/** An answer that is there already, as JSON. */
export interface AnswerAtOnce {
  /** Of the endpoint, as its route is known to the server. */
  readonly route: string;
  readonly text: string | Buffer;
  /**
   * Of a refusal; default: status 200, and no other headers than an answer has. Its headers are names and values in turn, made
   * once for many refusals: from an object they would be a fifth of the work of each.
   */
  readonly refusal?: { readonly status: number; readonly headers: readonly string[] };
  /** Of a refusal that may be given again before the request is parsed, see `RepeatedRefusals`. */
  readonly again?: Again;
}

/**
 * Looks whether the answer to a request is there without waiting for anybody, in the same turn, and before its body is read;
 * undefined: the request goes its usual way, which must then end in the same answer. Headers are as they came.
 */
export type LookAtOnce = (request: IncomingMessage, requestId: () => string) => AnswerAtOnce | undefined;

export interface AnswersAtOncePorts {
  readonly toldOf: (route: string) => (answered: Answered) => void;
  /** A closing server tells its clients so, which the usual way does. */
  readonly isDraining: () => boolean;
}

/** Bytes of a body that nobody reads, which came with its request. */
const unreadBytes = 65_536;

const noHeaders: readonly string[] = [];

/** The usual way has more to do for others. */
const isPlain = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'POST'
    ? Number(headers['content-length']) <= unreadBytes
    : method === 'GET' && headers['content-length'] === undefined) &&
  headers.origin === undefined &&
  headers['transfer-encoding'] === undefined &&
  headers.expect === undefined &&
  headers.upgrade === undefined;

/**
 * Puts a look before the server's routing: routing, hooks and the reply object take a third of the processor time of a request
 * whose answer is there. Headers, metrics and log are those of the usual way.
 */
export const answerAtOnce = (
  instance: FastifyInstance,
  look: LookAtOnce,
  { toldOf, isDraining }: AnswersAtOncePorts,
): void => {
  const usual = instance.server.listeners('request') as ((
    request: IncomingMessage,
    response: ServerResponse,
  ) => void)[];
  const tell = (method: string, { route, refusal }: AnswerAtOnce, requestId: string, began: number): void => {
    const milliseconds = performance.now() - began;
    toldOf(route)({ requestId, method, status: refusal?.status ?? 200, milliseconds, isUnread: refusal !== undefined });
  };
  const repeated = new RepeatedRefusals({
    keepAliveTimeout: () => instance.server.keepAliveTimeout,
    newRequestId,
    refused: (answer, requestId, began) => tell('POST', answer, requestId, began),
    isDraining,
  });
  const serve = (request: IncomingMessage, response: ServerResponse): boolean => {
    if (!isPlain(request) || isDraining()) return false;
    const began = performance.now();
    let known: string | undefined;
    const idOf = (): string => (known ??= requestIdOf(request.headers['x-request-id']));
    const answer = look(request, idOf);
    if (!answer) return false;
    const { text, refusal, again } = answer;
    const requestId = idOf();
    // An upgrade would need the connection as the parser leaves it.
    if (again && instance.server.listenerCount('upgrade') === 0) repeated.refused(request, response, again);
    response.writeHead(refusal?.status ?? 200, [
      'x-request-id',
      requestId,
      'x-content-type-options',
      'nosniff',
      ...(refusal?.headers ?? noHeaders),
      'content-type',
      'application/json',
      'content-length',
      String(Buffer.byteLength(text)),
    ]);
    response.end(text);
    tell(request.method!, answer, requestId, began);
    return true;
  };
  instance.server.removeAllListeners('request');
  instance.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    repeated.came(request, response);
    if (serve(request, response)) return;
    for (const listener of usual) listener.call(instance.server, request, response);
  });
};

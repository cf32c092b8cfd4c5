import { finished } from 'node:stream';
import { PayloadTooLargeException } from '@nestjs/common';
import { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { answerOfError, type ErrorBody } from '@shardnode/core/http-server';
import { ServiceError } from '@shardnode/core/errors';
import { type Logger } from '@shardnode/core/observability';
import { jsonTextWithIntegers } from '@shardnode/http';
import { type SyncMonitor } from '../synced/sync-monitor.js';
import { JsonText, type Endpoint } from './endpoint.js';
import { type Clients } from './plans.js';
import { readRequest } from './read-request.js';

export interface EdgePorts {
  readonly clients: Clients;
  readonly sync: SyncMonitor;
  readonly logger: Logger;
  readonly errorBody: ErrorBody;
  readonly bodyLimit: number;
  /** Throws ServiceError for a request without the right key. */
  readonly checkApiKey: (key: string | readonly string[] | undefined) => void;
}

const json = 'application/json';

/** Compact JSON of an answer; undefined for an empty one (protocol 07 §1.1). */
const textOf = (answer: unknown, hasIntegers: boolean): string | Buffer | undefined => {
  if (answer === undefined) return undefined;
  if (answer instanceof JsonText) return answer.text;
  return hasIntegers ? jsonTextWithIntegers(answer) : JSON.stringify(answer);
};

/** How long the rest of a body over the limit is read: a client that is still writing would not see the answer. */
const drainMs = 10_000;

const drained = ({ raw }: FastifyRequest): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, drainMs);
    finished(raw, () => {
      clearTimeout(timer);
      resolve();
    });
    raw.resume();
  });

const sendError = async (
  ports: EdgePorts,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> => {
  const { status, headers, body } = answerOfError(asHttpError(error), ports.bodyLimit);
  if (status === 413 && !request.raw.readableEnded) await drained(request);
  if (status === 500) ports.logger.error({ err: error, requestId: request.id }, 'request failed');
  if (typeof body.code === 'string') reply.header('x-error-code', body.code);
  void reply
    .code(status)
    .headers(headers)
    .type(json)
    .send(JSON.stringify(ports.errorBody(body, request.id)));
};

/** Errors of the server itself say their status; below 500 they are the client's. */
const asHttpError = (error: unknown): unknown => {
  const { statusCode, code } = error as { statusCode?: unknown; code?: unknown };
  if (error instanceof ServiceError || typeof statusCode !== 'number' || statusCode >= 500) return error;
  if (statusCode === 413) return new PayloadTooLargeException();
  return new ServiceError('invalid-request', String(code), (error as Error).message);
};

/**
 * Makes each endpoint a route of the server: key, reading and checking, sync, plan, answer. Straight on the server and
 * not through controllers of the framework, whose way costs a tenth of the requests per second.
 */
export const registerEndpoints = (
  instance: FastifyInstance,
  endpoints: readonly Endpoint[],
  ports: EdgePorts,
): void => {
  for (const endpoint of endpoints) registerEndpoint(instance, endpoint, ports);
};

const registerEndpoint = (instance: FastifyInstance, endpoint: Endpoint, ports: EdgePorts): void => {
  const { clients, sync } = ports;
  // A group-node refuses by itself while it is behind (`requireReady`): its request must not wait for the others.
  const needsAllSynced = endpoint.synced && endpoint.plan.kind !== 'one group';
  const hasIntegers = endpoint.tag === 'Wallets';
  instance.route({
    method: endpoint.method,
    url: endpoint.path.replaceAll(/\{(\w+)\}/g, ':$1'),
    onRequest: (request, _reply, done) => {
      ports.checkApiKey(request.headers['x-api-key']);
      done();
    },
    errorHandler: (error, request, reply) => sendError(ports, error, request, reply),
    handler: async (request, reply) => {
      const asking = endpoint.plan.prepare(readRequest(endpoint, request));
      if (needsAllSynced && !sync.isKnownSynced()) await sync.check();
      const text = textOf(await asking(clients), hasIntegers);
      // An empty answer has no type either.
      return text === undefined ? reply.code(200).send() : reply.type(json).send(text);
    },
  });
};

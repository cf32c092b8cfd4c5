import { type FastifyInstance, type FastifyReply } from 'fastify';
import { jsonTextWithIntegers } from '@shardnode/http';
import { type SyncMonitor } from '../synced/sync-monitor.js';
import { JsonText, type Endpoint } from './endpoint.js';
import { type Clients } from './plans.js';
import { readRequest } from './read-request.js';
import { errorSender, type ErrorPorts } from './send-error.js';

export interface EdgePorts extends ErrorPorts {
  readonly clients: Clients;
  readonly sync: SyncMonitor;
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

const tellWhenGone = ({ raw }: FastifyReply, onGone: () => void): void => {
  if (raw.destroyed) onGone();
  else raw.once('close', onGone);
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

const routeOf = ({ path }: Endpoint): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

const registerEndpoint = (instance: FastifyInstance, endpoint: Endpoint, ports: EdgePorts): void => {
  const { clients, sync } = ports;
  // A group-node refuses by itself while it is behind (`requireReady`): its request must not wait for the others.
  const needsAllSynced = endpoint.synced && endpoint.plan.kind !== 'one group';
  const hasIntegers = endpoint.tag === 'Wallets';
  instance.route({
    method: endpoint.method,
    url: routeOf(endpoint),
    onRequest: (request, _reply, done) => {
      ports.checkApiKey(request.headers['x-api-key']);
      done();
    },
    errorHandler: errorSender(endpoint, ports),
    handler: async (request, reply) => {
      const asking = endpoint.plan.prepare(readRequest(endpoint, request));
      if (needsAllSynced && !sync.isKnownSynced()) await sync.check();
      const answer = await asking(clients);
      if (answer instanceof JsonText && answer.onGone) tellWhenGone(reply, answer.onGone);
      const text = textOf(answer, hasIntegers);
      // An empty answer has no type either.
      return text === undefined ? reply.code(200).send() : reply.type(json).send(text);
    },
  });
};

import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type FastifyInstance } from 'fastify';
import { clientOfAddress } from '../http-limits/index.js';
import { type BodyBudget } from './body-budget.js';
import { cameInCrumbs } from './read-body.js';

/** Bytes of a refused body that are read anyway, so that the connection can be reused. */
const readOnBytes = 256 * 1024;
/** Interval of further reads of a larger body in milliseconds, and their number; each reads at most 2 MiB. */
const sliceMs = 100;
const mostSlices = 15;

/** Bytes of a body in crumbs count this often: its pieces cost more than its bytes, and its client shall still see the response. */
const crumbCost = 4;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > readOnBytes;

/**
 * Ends a connection whose client may still be sending. An immediate close would reset it, and a client that reads only
 * after sending would never see the response. So small parts are read for a bounded time, while the client stays within
 * its rate.
 */
const linger = (socket: Socket, request: IncomingMessage, budget: BodyBudget): void => {
  if (socket.destroyed) return;
  const client = clientOfAddress(socket.remoteAddress);
  socket.end();
  // The server has just resumed reading, which takes effect at the end of this event-loop tick.
  setImmediate(() => socket.pause());
  let slices = 0;
  const slice = (): void => {
    slices += 1;
    if (request.complete || slices > mostSlices) return void socket.destroy();
    if (budget.pauseAfter(client, 0) > 0) return;
    const before = socket.bytesRead;
    socket.resume();
    setImmediate(() => {
      socket.pause();
      budget.pauseAfter(client, (socket.bytesRead - before) * (cameInCrumbs(request) ? crumbCost : 1));
    });
  };
  const slicing = setInterval(slice, sliceMs);
  socket.once('close', () => clearInterval(slicing));
};

/** Ends the connection after the response. */
const leaveRest = (request: IncomingMessage, response: ServerResponse, budget: BodyBudget): void => {
  const { socket } = request;
  let isLeft = false;
  // Before and after the server's own listener, which would close at once, or continue reading.
  response.prependOnceListener('finish', () => {
    isLeft = !request.complete && (isLarge(request) || !response.shouldKeepAlive);
    if (isLeft) socket.destroySoon = () => undefined;
  });
  response.once('finish', () => {
    if (isLeft) linger(socket, request, budget);
  });
};

/**
 * Answers a request with a refused body at once, and ends its connection after the response. By default the server
 * would read the whole body at full speed to reach the next request.
 */
export const leaveUnreadBodies = (instance: FastifyInstance, budget: BodyBudget): void => {
  // Responses to malformed paths pass no hook.
  instance.server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    if (isLarge(request)) leaveRest(request, response, budget);
  });
  instance.addHook('onSend', ({ raw }, reply, payload, done) => {
    if (!raw.complete && hasBody(raw)) {
      if (isLarge(raw)) reply.header('connection', 'close');
      else leaveRest(raw, reply.raw, budget);
    }
    done(null, payload);
  });
};

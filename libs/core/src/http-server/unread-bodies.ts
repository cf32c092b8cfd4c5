import { type IncomingMessage, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import { type FastifyInstance } from 'fastify';
import { clientOfAddress } from '../http-limits/index.js';
import { type BodyBudget } from './body-budget.js';

/** Bytes of a refused body that are read all the same, so that the connection can be used again. */
const readOnBytes = 256 * 1024;
/** How often some more of another one is read, in milliseconds, and how many times: each reads 2 MiB at most. */
const sliceMs = 100;
const mostSlices = 15;

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

const isLarge = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > readOnBytes;

/**
 * Ends a connection whose client may still be sending. Closed at once it would be reset, and a client that reads when it has
 * sent all would never see the answer; so a little is read now and then, for a while, as long as the client has sent no more
 * than it may.
 */
const linger = (socket: Socket, request: IncomingMessage, budget: BodyBudget): void => {
  if (socket.destroyed) return;
  const client = clientOfAddress(socket.remoteAddress);
  socket.end();
  // The server has just begun to read on, which takes effect at the end of this turn.
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
      budget.pauseAfter(client, socket.bytesRead - before);
    });
  };
  const slicing = setInterval(slice, sliceMs);
  socket.once('close', () => clearInterval(slicing));
};

/** Ends the connection with the answer. */
const leaveRest = (request: IncomingMessage, response: ServerResponse, budget: BodyBudget): void => {
  const { socket } = request;
  let isLeft = false;
  // Before and after the server's own listener, which would close at once, or read on.
  response.prependOnceListener('finish', () => {
    isLeft = !request.complete && (isLarge(request) || !response.shouldKeepAlive);
    if (isLeft) socket.destroySoon = () => undefined;
  });
  response.once('finish', () => {
    if (isLeft) linger(socket, request, budget);
  });
};

/**
 * A request whose body is refused is answered at once, and its connection ends with the answer. The server itself would read
 * all of the body, as fast as it comes, to get at the next request.
 */
export const leaveUnreadBodies = (instance: FastifyInstance, budget: BodyBudget): void => {
  // Answers to paths that cannot be read pass no hook.
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

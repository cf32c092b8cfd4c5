import { type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type Socket } from 'node:net';
import proxyAddress from '@fastify/proxy-addr';
import { Tally } from '../concurrency/index.js';
import { clientOfAddress } from './client-address.js';
import { Portions } from './portions.js';
import { RequestScheduler } from './request-scheduler.js';

/** Requests of one connection that may wait; a client that sends more before it reads is read no further. */
const mostWaiting = 8;
/**
 * Bodies without a length that may wait for one client: the parser holds the part of each that has arrived, which in
 * pieces of one byte takes megabytes. Further ones are answered at once.
 */
const mostWaitingBodies = 8;
/** Requests of monitoring of one client that begin in one event-loop tick. */
const monitoredAtOnce = 4;
/** Code of the `clientError` of one more. */
export const tooManyWaitingBodies = 'TOO_MANY_WAITING_BODIES';
/** Milliseconds for which a request counts after its client has left: its work goes on for as long, on average. */
const leftWorkMs = 500;

/** The client of a request: the last address in `X-Forwarded-For` that is no trusted proxy, as the server takes it. */
const clientOf = (request: IncomingMessage, isTrustedProxy: (address: string) => boolean): string =>
  clientOfAddress(proxyAddress(request, isTrustedProxy));

/** Event of a response whose request counts no longer. */
const counted = Symbol('counted');

/** A request that is answered for as long as its client listens counts for it until its headers are sent, not longer. */
export const countNoLonger = (response: ServerResponse): void => void response.emit(counted);

/** `patient`: see `RequestScheduler.begin`. */
export type RequestKind = 'monitoring' | 'patient' | 'usual';

/**
 * Schedules the requests of the server by their clients, before they are routed: connections and requests that are sent
 * ahead gain nothing. A request whose connection is gone does not begin. Requests of monitoring wait for no other ones,
 * because their answers are cached, and begin in portions; their sender does not count as a client.
 */
export const shareServer = (
  server: Server,
  isTrustedProxy: (address: string) => boolean,
  kindOf: (request: IncomingMessage) => RequestKind = () => 'usual',
): void => {
  const scheduler = new RequestScheduler();
  const monitored = new Portions(monitoredAtOnce);
  const waitingOn = new Tally<Socket>();
  const waitingBodies = new Tally();
  const handlers = server.listeners('request') as ((request: IncomingMessage, response: ServerResponse) => void)[];
  server.removeAllListeners('request');
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const kind = kindOf(request);
    const client = clientOf(request, isTrustedProxy);
    const { socket } = request;
    if (waitingOn.add(socket) > mostWaiting) socket.pause();
    /** Whether its client is still there. */
    const endWait = (): boolean => {
      if (waitingOn.subtract(socket) === mostWaiting) socket.resume();
      return !socket.destroyed;
    };
    const handle = (): void => {
      for (const handler of handlers) handler.call(server, request, response);
    };
    if (kind === 'monitoring') {
      return monitored.add(client, () => {
        if (endWait()) handle();
      });
    }
    const patient = kind === 'patient';
    let isCounted = true;
    const end = (): void => {
      if (isCounted) scheduler.end(client, patient);
      isCounted = false;
    };
    let hasBegun = false;
    let isPaused = false;
    const begin = (): void => {
      hasBegun = true;
      if (isPaused) {
        socket.resume();
        waitingBodies.subtract(client);
      }
      if (!endWait()) return void end();
      response.once(counted, end);
      response.once('close', () => {
        if (response.writableFinished) end();
        else setTimeout(end, leftWorkMs).unref();
      });
      handle();
    };
    scheduler.begin(client, begin, patient);
    if (hasBegun || request.headers['transfer-encoding'] === undefined) return;
    isPaused = true;
    socket.pause();
    if (waitingBodies.add(client) <= mostWaitingBodies) return;
    // Drops the part of the body that has arrived; its connection is read no further.
    request.resume();
    server.emit('clientError', Object.assign(new Error('bodies wait'), { code: tooManyWaitingBodies }), socket);
  });
};

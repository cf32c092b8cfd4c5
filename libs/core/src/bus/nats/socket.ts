import { type Socket } from 'node:net';
import { type NatsConnection } from '@nats-io/transport-node';

/**
 * The library does not show its socket, and needs help in two cases: it takes any amount that the server does not fetch
 * into memory, and when it finds the server silent it waits for all of that to be sent before it connects anew, which a
 * server that is gone never allows. A test fails should another version keep its socket elsewhere.
 */
const socketOf = (connection: NatsConnection): Socket | undefined =>
  (connection as unknown as { readonly protocol?: { readonly transport?: { readonly socket?: Socket } } }).protocol
    ?.transport?.socket;

/** Bytes that wait for the server to fetch them. */
export const bytesWaiting = (connection: NatsConnection): number => socketOf(connection)?.writableLength ?? 0;

/**
 * What is sent within one turn of the event loop goes to the system in one write, at its end: the library writes as often
 * as it is asked, and each write costs more than most messages do.
 */
export const gatherWrites = (connection: NatsConnection): void => {
  const socket = socketOf(connection);
  if (!socket || socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
};

/** Gives up what waits to be sent, so that the library connects anew. */
export const cutSocket = (connection: NatsConnection): void => {
  socketOf(connection)?.destroy();
};

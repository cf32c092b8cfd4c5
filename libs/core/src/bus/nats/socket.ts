import { type Socket } from 'node:net';
import { type NatsConnection } from '@nats-io/transport-node';

/**
 * The library does not expose its socket, which is needed in two cases. It buffers any number of bytes that the server
 * does not read. When it detects a silent server, it waits until all of these are sent before it reconnects; with a
 * dead server that never ends. A test fails if another version stores its socket elsewhere.
 */
const socketOf = (connection: NatsConnection): Socket | undefined =>
  (connection as unknown as { readonly protocol?: { readonly transport?: { readonly socket?: Socket } } }).protocol
    ?.transport?.socket;

/** Buffered bytes that the server has not read yet. */
export const bytesWaiting = (connection: NatsConnection): number => socketOf(connection)?.writableLength ?? 0;

/**
 * Combines all writes of one event-loop tick into one system call at its end. The library writes each message on its
 * own, and a system call costs more than most messages.
 */
export const gatherWrites = (connection: NatsConnection): void => {
  const socket = socketOf(connection);
  if (!socket || socket.writableCorked > 0) return;
  socket.cork();
  setImmediate(() => socket.uncork());
};

/** Drops the buffered bytes, so that the library reconnects. */
export const cutSocket = (connection: NatsConnection): void => {
  socketOf(connection)?.destroy();
};

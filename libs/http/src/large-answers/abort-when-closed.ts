import { type FastifyReply } from 'fastify';
import { errorOf } from '../errors/error-codes.js';

/**
 * A controller that aborts when the connection of the answer closes, or at once if it is closed. The reason is a
 * ServiceError for the log: nobody receives it.
 */
export const abortWhenClosed = ({ raw }: FastifyReply): AbortController => {
  const controller = new AbortController();
  const abort = (): void =>
    controller.abort(errorOf('RequestTimeout', 'The client has closed the connection, or receives too slowly'));
  if (raw.destroyed) abort();
  else raw.once('close', abort);
  return controller;
};

import { type FastifyInstance } from 'fastify';
import { operationOf, type OperationRoute } from '../operations/operation.js';
import { type LargeAnswers } from './large-answers.js';

/** Characters from which an answer is large. */
const largeCharacters = 1024 * 1024;

/** An operation that has changed something must not be refused any more. Reads of wallets are GETs. */
const isRead = (method: string, operation: OperationRoute): boolean =>
  method === 'GET' || method === 'HEAD' || operation.role === 'read';

/**
 * Lets an answer that turned out to be large wait for its permit before it is sent: one whose operation has not asked
 * for it, because only its JSON shows the size.
 */
export const holdUnannounced = (instance: FastifyInstance, large: LargeAnswers): void => {
  instance.addHook('onSend', (request, reply, payload, done) => {
    const characters = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    const operation = characters > largeCharacters ? operationOf(request) : undefined;
    if (!operation || !isRead(request.method, operation) || large.holds(reply)) return done(null, payload);
    large.hold(reply).then(
      ({ proceed }) => {
        proceed(characters);
        done(null, payload);
      },
      (error: Error) => done(error),
    );
  });
};

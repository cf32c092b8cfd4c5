import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { type AnswerPermits } from './answer-permits.js';

/** Characters from which an answer is large. */
const largeCharacters = 1024 * 1024;

/**
 * Lets an answer that turned out to be large wait for its permit before it is sent: one whose operation has not asked
 * for it, because only its JSON shows the size.
 *
 * @param mayRefuse whether the answer may be refused: not one of an operation that has changed something
 */
export const holdUnannounced = (
  instance: FastifyInstance,
  permits: AnswerPermits,
  mayRefuse: (request: FastifyRequest) => boolean,
): void => {
  instance.addHook('onSend', (request, reply, payload, done) => {
    const characters = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload.length : 0;
    if (characters <= largeCharacters || !mayRefuse(request) || permits.holds(reply)) return done(null, payload);
    permits.hold(reply).then(
      ({ proceed }) => {
        proceed(characters);
        done(null, payload);
      },
      (error: Error) => done(error),
    );
  });
};

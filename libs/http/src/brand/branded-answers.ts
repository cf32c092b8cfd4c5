import { Readable } from 'node:stream';
import { type FastifyInstance, type FastifyReply } from 'fastify';
import { type Brand, isNeutral } from './brand.js';
import { brandedJson } from './branded-json.js';

/** A compressed document has the names of the brand already. */
const isPlainJson = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('application/json') && !reply.hasHeader('content-encoding');

/** Pieces of an answer end between two fields, so that no name is cut. */
const brandedPieces = async function* (pieces: Readable, brand: Brand): AsyncGenerator<string> {
  for await (const piece of pieces) yield brandedJson(piece as string, brand);
};

/** Gives the fields of answers the names of the brand. No other code does so. */
export const brandAnswers = (instance: FastifyInstance, brand: Brand): void => {
  if (isNeutral(brand)) return;
  instance.addHook('onSend', (_request, reply, payload, done) => {
    if (payload instanceof Readable && isPlainJson(reply))
      return done(null, Readable.from(brandedPieces(payload, brand)));
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isText || !isPlainJson(reply)) return done(null, payload);
    done(null, brandedJson(payload.toString(), brand));
  });
};

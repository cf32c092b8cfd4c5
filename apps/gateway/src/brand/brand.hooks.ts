import { type FastifyInstance, type FastifyReply } from 'fastify';
import { type Brand, brandedJson, isNeutral, jsonNeutralizer } from '@shardnode/http';

/** The compressed document has the names of the brand already. */
const isPlainJson = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('application/json') && !reply.hasHeader('content-encoding');

/**
 * Translates the names of the coin: fields of bodies get the names of the code, fields of responses those of the brand.
 * No other code does so.
 */
export const translateBrand = (instance: FastifyInstance, brand: Brand): void => {
  const neutralize = jsonNeutralizer(brand);
  instance.addHook('preValidation', (request, _reply, done) => {
    neutralize(request.body);
    done();
  });
  if (isNeutral(brand)) return;
  instance.addHook('onSend', (_request, reply, payload, done) => {
    const isText = typeof payload === 'string' || Buffer.isBuffer(payload);
    if (!isText || !isPlainJson(reply)) return done(null, payload);
    done(null, brandedJson(payload.toString(), brand));
  });
};

import { type FastifyInstance, type FastifyReply } from 'fastify';
import { type Brand, brandedJson, isNeutral, jsonNeutralizer } from '@shardnode/http';

/** What is compressed already, the document, has the names of the brand. */
const isPlainJson = (reply: FastifyReply): boolean =>
  String(reply.getHeader('content-type')).startsWith('application/json') && !reply.hasHeader('content-encoding');

/**
 * The one place where the names of the coin enter and leave: fields of bodies get the names that the code has, fields of answers
 * those of the brand.
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

import { type FastifyInstance } from 'fastify';
import { type Brand, brandAnswers, jsonNeutralizer } from '@shardnode/http';

/** Translates the names of the coin: fields of bodies get the names of the code, fields of answers those of the brand. */
export const translateBrand = (instance: FastifyInstance, brand: Brand): void => {
  const neutralize = jsonNeutralizer(brand);
  instance.addHook('preValidation', (request, _reply, done) => {
    neutralize(request.body);
    done();
  });
  brandAnswers(instance, brand);
};

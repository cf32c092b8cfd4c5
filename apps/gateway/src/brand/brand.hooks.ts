import { type FastifyInstance } from 'fastify';
import { type Brand, brandAnswers, foreignNames, invalidRequest, jsonNeutralizer } from '@shardnode/http';

/**
 * Translates the names of the coin: fields of bodies get the names of the code, fields of answers those of the brand.
 * Bodies with the names of another API are refused.
 */
export const translateBrand = (instance: FastifyInstance, brand: Brand): void => {
  const neutralize = jsonNeutralizer(brand);
  const foreign = foreignNames(brand);
  instance.addHook('preValidation', (request, _reply, done) => {
    const issues = foreign(request.body);
    if (issues.length > 0) return done(invalidRequest(issues));
    neutralize(request.body);
    done();
  });
  brandAnswers(instance, brand);
};

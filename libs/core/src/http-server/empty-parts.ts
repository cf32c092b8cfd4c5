import { type FastifyInstance } from 'fastify';
import { coreError } from '../errors/index.js';
import { noSuchPath } from './http-error-filter.js';

/** Refuses a path with nothing between two slashes, which the router would match with an empty parameter. */
export const refuseEmptyParts = (instance: FastifyInstance): void => {
  instance.addHook('onRequest', ({ params, url }, _reply, done) => {
    if (Object.values(params as object).includes(''))
      throw coreError('RouteNotFound', noSuchPath(url.split('?', 1)[0]!));
    done();
  });
};

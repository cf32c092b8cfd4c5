import { type FastifyInstance } from 'fastify';
import { noSuchPath } from '@shardnode/core/http-server';
import { errorOf } from '@shardnode/http';

/** Refuses a path with nothing between two slashes, which the router would match with an empty parameter. */
export const refuseEmptyParts = (instance: FastifyInstance): void => {
  instance.addHook('onRequest', ({ params, url }, _reply, done) => {
    if (Object.values(params as object).includes('')) throw errorOf('RouteNotFound', noSuchPath(url.split('?', 1)[0]!));
    done();
  });
};

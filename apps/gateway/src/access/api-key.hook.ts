import { type FastifyInstance } from 'fastify';
import { operationOf } from '../operations/operation.js';
import { type ApiKeys, createApiKeyCheck } from './api-keys.js';

/**
 * Requires an API key of the operation's role for every operation (protocol 07 §1.12). A hook of the server instead of a
 * guard: the key is compared before the body is read (§1.11), so that clients without it cannot make the gateway read ten
 * megabytes. Pages, health and metrics need no key.
 */
export const requireApiKey = (instance: FastifyInstance, keys: ApiKeys | undefined): void => {
  const check = createApiKeyCheck(keys);
  instance.addHook('onRequest', (request, _reply, done) => {
    const operation = operationOf(request);
    if (operation) check(request.headers['x-api-key'], operation.role);
    done();
  });
};

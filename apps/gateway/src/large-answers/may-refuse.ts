import { type FastifyRequest } from 'fastify';
import { operationOf } from '../operations/operation.js';

/**
 * Whether the answer of a request may be refused when it is made: an operation that has changed something must not be
 * refused any more. Reads of wallets are GETs. Pages have no permits.
 */
export const mayRefuse = (request: FastifyRequest): boolean => {
  const operation = operationOf(request);
  return (
    operation !== undefined && (request.method === 'GET' || request.method === 'HEAD' || operation.role === 'read')
  );
};

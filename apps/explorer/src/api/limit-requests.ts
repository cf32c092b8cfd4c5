import { type FastifyInstance } from 'fastify';
import { clientOfAddress, TokenBuckets } from '@shardnode/core/http-limits';
import { operationsRoutes } from '@shardnode/core/http-server';
import { type Clock } from '@shardnode/core/lifecycle';
import { explorerError } from '../errors.js';

/** Seconds of the rate that a client may use at once (protocol 08 §9: 60 for 30 a second). */
const burstSeconds = 2;

/**
 * Answers 429 to clients above a rate, whatever the path. Health and metrics do not count.
 * @param perSecond requests of one client; 0: no limit
 */
export const limitRequests = (instance: FastifyInstance, perSecond: number, clock: Clock): void => {
  if (perSecond === 0) return;
  const buckets = new TokenBuckets(clock);
  const rate = { perSecond, burst: perSecond * burstSeconds };
  instance.addHook('onRequest', async ({ ip, routeOptions }) => {
    if (operationsRoutes.has(routeOptions.url ?? '')) return;
    const wait = buckets.take(clientOfAddress(ip), rate);
    if (wait === 0) return;
    throw explorerError('TooManyRequests', 'Too many requests', { retryAfterSeconds: Math.ceil(wait / 1_000) });
  });
};

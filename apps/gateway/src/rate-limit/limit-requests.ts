import { createHash } from 'node:crypto';
import { type FastifyInstance, type FastifyRequest } from 'fastify';
import { answerOfError, bodyLimitBytes, type ErrorBody } from '@shardnode/core/http-server';
import { errorOf } from '@shardnode/http';
import { clientOfAddress } from './client-address.js';
import { RateLimit, type RateLimitSettings } from './rate-limit.js';

export interface RequestLimits extends RateLimitSettings {
  readonly errorBody: ErrorBody;
  /** Whether it is the key of this gateway. */
  readonly isApiKey: (key: unknown) => boolean;
}

/** Who watches over the gateway must always get through. */
const exempt: ReadonlySet<string | undefined> = new Set(['/health/live', '/health/ready', '/metrics']);

/** Keys that are wrong name nobody: else each new one would have a limit of its own. The key itself goes nowhere. */
const clientOf = ({ headers, ip }: FastifyRequest, isApiKey: RequestLimits['isApiKey']): string => {
  const key = headers['x-api-key'];
  return isApiKey(key)
    ? `key:${createHash('sha256').update(String(key)).digest('base64url').slice(0, 16)}`
    : clientOfAddress(ip);
};

/**
 * Answers 429 with Retry-After to clients that send more requests in a minute than they may, whatever they ask for; a hook of
 * the server, which costs almost nothing (an interceptor of the framework would cost two thirds of the throughput).
 */
export const limitRequests = (instance: FastifyInstance, limits: RequestLimits): void => {
  const rateLimit = new RateLimit(limits);
  instance.addHook('onRequest', async (request, reply) => {
    if (exempt.has(request.routeOptions.url)) return undefined;
    const seconds = await rateLimit.secondsToWait(clientOf(request, limits.isApiKey));
    if (seconds === undefined) return undefined;
    const error = errorOf('TooManyRequests', `More than ${limits.limit} requests in a minute`, {
      retryAfterSeconds: seconds,
    });
    const { status, headers, body } = answerOfError(error, bodyLimitBytes);
    return reply
      .code(status)
      .headers(headers)
      .header('x-error-code', error.code)
      .type('application/json')
      .send(JSON.stringify(limits.errorBody(body, request.id)));
  });
};

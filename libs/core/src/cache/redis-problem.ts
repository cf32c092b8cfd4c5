import { redisForOnce, reasonOf, type RedisAccess } from './redis-connection.js';

const withinMs = 3_000;

export interface RedisProblem {
  readonly kind: 'away' | 'refused';
  /** `ECONNREFUSED`, `WRONGPASS`. */
  readonly reason: string;
}

const refusals: ReadonlySet<string> = new Set(['WRONGPASS', 'NOAUTH', 'NOPERM', 'ERR']);

/** Connects once and sends a ping. Returns the problem, or undefined if the Redis answers. */
export const redisProblem = async (access: RedisAccess): Promise<RedisProblem | undefined> => {
  const redis = await redisForOnce(access, { commandTimeout: withinMs });
  let first: Error | undefined;
  redis.on('error', (error: Error) => (first ??= error));
  try {
    await redis.connect();
    // A user may access only the keys of its own network.
    await redis.ping();
    return undefined;
  } catch (error) {
    const reason = reasonOf(first ?? (error as Error));
    return { kind: refusals.has(reason) ? 'refused' : 'away', reason };
  } finally {
    redis.disconnect();
  }
};

import { redisForOnce, type RedisAccess } from '../cache/redis-connection.js';

/** Asks a Redis, in order; rejects when it does not answer, or refuses. */
export type AskRedis = (...words: readonly string[]) => Promise<unknown>;

/** For changes of users: a connection of its own, as whoever may make them. @throws Error when the Redis does not answer */
export const withRedis = async <T>(access: RedisAccess, run: (ask: AskRedis) => Promise<T>): Promise<T> => {
  const redis = await redisForOnce(access);
  let reason: Error | undefined;
  redis.on('error', (error: Error) => (reason = error));
  try {
    await redis.connect().catch((error: unknown) => {
      throw reason ?? error;
    });
    return await run((name = '', ...words) => redis.call(name, ...words));
  } finally {
    redis.disconnect();
  }
};

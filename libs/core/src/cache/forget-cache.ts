import { redisForOnce, type RedisAccess } from './redis-connection.js';

const keysAtOnce = 500;

/**
 * Deletes all entries of a network and cluster from a Redis. For a network that starts over, whose first blocks are the
 * same.
 * @param prefix as for `openRedisCache`
 * @throws Error when the Redis does not answer
 */
export const forgetCache = async (access: RedisAccess, prefix: string): Promise<void> => {
  const redis = await redisForOnce(access);
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: keysAtOnce })) {
      const found = keys as string[];
      if (found.length > 0) await redis.unlink(...found);
    }
  } finally {
    redis.disconnect();
  }
};

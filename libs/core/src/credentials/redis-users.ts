import { redisForOnce, type RedisAccess } from '../cache/redis-connection.js';

/** Sends a command to a Redis, in order. Rejects when it does not answer, or refuses. */
export type AskRedis = (...words: readonly string[]) => Promise<unknown>;

/** Opens an administrative connection for changes of users. @throws Error when the Redis does not answer */
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

/**
 * Makes the server reload its certificate and key; open connections continue with the old ones. Returns the path of the
 * certificate.
 */
export const reloadRedisCertificate = (access: RedisAccess): Promise<string> =>
  withRedis(access, async (ask) => {
    const files = ['tls-cert-file', 'tls-key-file'] as const;
    const settings: string[] = [];
    for (const name of files) settings.push(...((await ask('CONFIG', 'GET', name)) as string[]));
    const [, certificate = ''] = settings;
    // Setting the same files again makes the server reload them.
    if (certificate !== '') await ask('CONFIG', 'SET', ...settings);
    return certificate;
  });

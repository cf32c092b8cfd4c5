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

/** The server reads its certificate and key again; open connections go on with the old ones. Gives the path of its certificate. */
export const reloadRedisCertificate = (access: RedisAccess): Promise<string> =>
  withRedis(access, async (ask) => {
    const files = ['tls-cert-file', 'tls-key-file'] as const;
    const settings: string[] = [];
    for (const name of files) settings.push(...((await ask('CONFIG', 'GET', name)) as string[]));
    const [, certificate = ''] = settings;
    // ObserveResponse to use the files that it uses, it reads them.
    if (certificate !== '') await ask('CONFIG', 'SET', ...settings);
    return certificate;
  });

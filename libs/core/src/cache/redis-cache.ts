import { ConfigurationError } from '../configuration/index.js';
import { systemClock, type Clock } from '../lifecycle/clock.js';
import { type Logger } from '../observability/index.js';
import { type Cache, type CacheFailure, type CacheObserver } from './cache.js';
import { CacheObservers } from './cache-observers.js';
import { withChecksum, withoutChecksum } from './checked-value.js';
import { Circuit } from './circuit.js';
import { RedisConnection, type RedisAccess, type RedisClient } from './redis-connection.js';

export interface RedisCacheSettings extends RedisAccess {
  /** Name of the network and cluster: the prefix of all keys. */
  readonly prefix: string;
  readonly logger: Logger;
  /** Timeout of a call in milliseconds; default 100. */
  readonly commandTimeoutMs?: number;
  /** Default: the system's. */
  readonly clock?: Clock;
}

/** Default time to live of a value: not every server is configured to evict. */
const longestMs = 24 * 3_600_000;
/** Consecutive slow or failed calls that open the circuit, and its pause in milliseconds. */
const failuresInARow = 5;
const pauseMs = 1_000;

/**
 * The cache in Redis, shared by all gateways. It connects and reconnects in the background. Without a connection every
 * read is an immediate miss. A call takes at most `commandTimeoutMs`; after five consecutive slow or failed calls the
 * circuit stops calls for a second. Foreign bytes are a miss and are deleted.
 * @throws ConfigurationError when `url` is no address of a Redis
 */
export const openRedisCache = (settings: RedisCacheSettings): Cache => {
  const protocol = protocolOf(settings.url);
  if (settings.tls && protocol === 'redis:')
    throw new ConfigurationError(['REDIS_TLS_CA is set, so REDIS_URL must begin with rediss://, which it does not.']);
  if (!/^rediss?:$/.test(protocol))
    throw new ConfigurationError(['REDIS_URL must be an address like redis://127.0.0.1:6379, which it is not.']);
  return new RedisCache(settings);
};

const protocolOf = (url: string): string => {
  try {
    return new URL(url).protocol;
  } catch {
    return '';
  }
};

class RedisCache implements Cache {
  private readonly observers = new CacheObservers(false);
  private readonly connection: RedisConnection;
  private readonly circuit: Circuit;
  private readonly clock: Clock;
  private readonly timeoutMs: number;

  constructor(private readonly settings: RedisCacheSettings) {
    const { logger, commandTimeoutMs = 100, clock = systemClock } = settings;
    this.clock = clock;
    this.timeoutMs = commandTimeoutMs;
    const changed = (isReachable: boolean): void => this.observers.reachable(isReachable);
    this.connection = new RedisConnection({ ...settings, commandTimeoutMs, clock, changed });
    this.circuit = new Circuit({
      clock,
      failures: failuresInARow,
      pauseMs,
      changed: (isOpen) => {
        if (isOpen) logger.warn('the cache is slow or fails: fewer requests until it answers in time');
        else logger.info('the cache answers in time again');
      },
    });
  }

  async get(key: string): Promise<Uint8Array | undefined> {
    const name = this.valueName(key);
    const asked = await this.ask((redis) => redis.getBuffer(name));
    // Redis refuses a key of another type with WRONGTYPE; its bytes are foreign bytes as well.
    const isOfOtherType = asked.failure === 'refused' && asked.code === 'WRONGTYPE';
    if (asked.failure !== undefined && !isOfOtherType) return undefined;
    const kept = asked.failure === undefined ? asked.reply : undefined;
    if (kept === null) {
      this.observers.read('miss');
      return undefined;
    }
    const value = kept instanceof Uint8Array ? withoutChecksum(name, kept) : undefined;
    this.observers.read(value ? 'hit' : 'wrong-bytes');
    // Not awaited: the miss has already cost a call.
    if (!value) void this.ask((redis) => redis.del(name));
    return value;
  }

  async set(key: string, value: Uint8Array, timeToLiveMs = longestMs): Promise<void> {
    const milliseconds = Math.floor(Math.min(timeToLiveMs, longestMs));
    if (milliseconds <= 0) return this.delete(key);
    const name = this.valueName(key);
    await this.ask((redis) => redis.set(name, withChecksum(name, value), 'PX', milliseconds));
  }

  async delete(key: string): Promise<void> {
    await this.ask((redis) => redis.del(this.valueName(key)));
  }

  async count(key: string, windowMs: number, by = 1): Promise<number | undefined> {
    const milliseconds = Math.max(1, Math.floor(windowMs));
    const asked = await this.ask((redis) =>
      countIn(redis, `${this.settings.prefix}:count:${key}`, { milliseconds, by }),
    );
    if (asked.failure !== undefined) return undefined;
    const { reply } = asked;
    return Number.isSafeInteger(reply) && reply > 0 ? reply : undefined;
  }

  observe(observer: CacheObserver): () => void {
    return this.observers.add(observer);
  }

  close(): Promise<void> {
    return this.connection.close();
  }

  private valueName(key: string): string {
    return `${this.settings.prefix}:value:${key}`;
  }

  /** The reply, or why there is none. Never throws. */
  private async ask<Reply>(call: (redis: RedisClient) => Promise<Reply>): Promise<Asked<Reply>> {
    const { client } = this.connection;
    if (!client) return this.failed('away');
    if (!this.circuit.mayPass()) return this.failed('paused');
    const startedAt = this.clock.monotonic();
    this.connection.gather();
    const asked = await replyOf(call, client);
    const isSlow = this.clock.monotonic() - startedAt > this.timeoutMs / 2;
    // A fast refusal is a response in time.
    if (isSlow || asked.failure === 'timeout' || asked.failure === 'away') this.circuit.failedOnce(startedAt);
    else this.circuit.succeeded();
    if (asked.failure !== undefined) this.observers.failed(asked.failure);
    return asked;
  }

  private failed(failure: CacheFailure): Asked<never> {
    this.observers.failed(failure);
    return { failure };
  }
}

interface Counting {
  /** Until the count restarts. */
  readonly milliseconds: number;
  readonly by: number;
}

/**
 * Three commands in one packet, and no script: a user that may run scripts can stop the server with one. The end of a
 * count is set before it counts, so a client that dies in between leaves none that never vanishes. Bytes that are no
 * count (another type, a text, less than nothing, no end, an end too far) are replaced by the first count; so is one that
 * ended between two of the commands.
 */
const countIn = async (redis: RedisClient, name: string, { milliseconds, by }: Counting): Promise<number> => {
  const [, counted, left] = await Promise.all([
    redis.set(name, 0, 'PX', milliseconds, 'NX'),
    redis.incrby(name, by).catch(undefinedIfRefused),
    redis.pttl(name),
  ]);
  if (counted !== undefined && counted >= by && left >= 0 && left <= milliseconds) return counted;
  await redis.set(name, by, 'PX', milliseconds);
  return by;
};

const undefinedIfRefused = (error: Error): undefined => {
  if (error.name !== 'ReplyError') throw error;
};

type Asked<Reply> =
  | { readonly failure?: undefined; readonly reply: Reply }
  | { readonly failure: CacheFailure; readonly code?: string | undefined };

const replyOf = async <Reply>(
  call: (redis: RedisClient) => Promise<Reply>,
  client: RedisClient,
): Promise<Asked<Reply>> => {
  try {
    return { reply: await call(client) };
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error();
    // Errors of the server begin with their code: `WRONGTYPE Operation against ...`.
    if (name === 'ReplyError') return { failure: 'refused', code: /^[A-Z]+/.exec(message)?.[0] };
    return { failure: message === 'Command timed out' ? 'timeout' : 'away' };
  }
};

import { type Redis, type RedisOptions } from 'ioredis';
import { type SecretReader } from '../configuration/secret-file.js';
import { type Clock, type Timer } from '../lifecycle/clock.js';
import { type Logger } from '../observability/index.js';
import { tlsProblem, type TlsReader } from '../tls/index.js';

export type RedisClient = Redis;

/** Address and credentials of a Redis. */
export interface RedisAccess {
  /** `redis://[user:password@]host[:port][/database]`, or `rediss://` with TLS. A secret: never logged. */
  readonly url: string;
  /** Overrides the user in the URL. */
  readonly user?: string | undefined;
  /** Called for each new connection; overrides a password in the URL. */
  readonly password?: SecretReader | undefined;
  /** Called for each new connection; only with a `rediss://` address. */
  readonly tls?: TlsReader | undefined;
}

export interface RedisConnectionSettings extends RedisAccess {
  readonly logger: Logger;
  readonly commandTimeoutMs: number;
  readonly clock: Clock;
  /** Called when the connection is established or lost. */
  readonly changed: (isReachable: boolean) => void;
}

const firstRetryMs = 50;
const longestRetryMs = 1_000;
/** Milliseconds to wait for a clean close: the server may be frozen, and a stop must not wait for it. */
const farewellMs = 100;
/** Milliseconds of silence after which a connection is dropped: the server may be unreachable. */
const silenceMs = 3_000;

/** A connection that is established and restored in the background; one log line for each change of its state. */
export class RedisConnection {
  private redis: Redis | undefined;
  private isReachable: boolean | undefined;
  private isClosed = false;
  private restart: Timer | undefined;
  private readonly opened: Promise<void>;

  constructor(private readonly settings: RedisConnectionSettings) {
    this.opened = this.open();
  }

  /** The connected client; undefined without a connection. */
  get client(): RedisClient | undefined {
    return this.redis?.status === 'ready' && !this.isClosed ? this.redis : undefined;
  }

  /**
   * Combines all writes that follow from one event. For fifty replies that arrive together, separate writes would cost
   * a gateway more than all other work for them.
   */
  gather(): void {
    const stream = this.redis?.stream;
    if (!stream || stream.writableCorked > 0) return;
    stream.cork();
    process.nextTick(() => stream.uncork());
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.restart?.cancel();
    await this.opened;
    this.redis?.disconnect();
  }

  private async open(): Promise<void> {
    // Loaded on demand: a gateway without Redis starts a tenth of a second sooner.
    const { Redis } = await import('ioredis');
    if (this.isClosed) return;
    const { url, user, password, tls, commandTimeoutMs } = this.settings;
    const redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // Calls in flight fail at once when the connection breaks: a retried count would count twice.
      maxRetriesPerRequest: 0,
      autoResendUnfulfilledCommands: false,
      commandTimeout: commandTimeoutMs,
      connectTimeout: silenceMs,
      socketTimeout: silenceMs,
      disconnectTimeout: farewellMs,
      retryStrategy: (attempt) => Math.min(longestRetryMs, firstRetryMs * 2 ** Math.min(attempt - 1, 10)),
    });
    logInWith(redis.options, { user, password, tls });
    this.redis = redis;
    redis.on('error', (error: Error) => this.change(false, error));
    redis.on('close', () => this.change(false));
    redis.on('ready', () => this.change(true));
    redis.on('end', () => this.connectLater());
    this.connect();
  }

  private connect(): void {
    // The error listener gets the failure.
    this.redis?.connect().catch(() => undefined);
  }

  /** Reconnects after the client gave up, which it does for errors that it considers permanent. */
  private connectLater(): void {
    if (this.isClosed) return;
    this.restart = this.settings.clock.after(longestRetryMs, () => this.connect());
  }

  private change(isReachable: boolean, error?: Error): void {
    if (this.isClosed || this.isReachable === isReachable) return;
    this.isReachable = isReachable;
    const { logger, changed } = this.settings;
    if (isReachable) logger.info('the cache is connected');
    else logger.warn({ reason: reasonOf(error) }, 'the cache is away: everything is looked up until it is back');
    changed(isReachable);
  }
}

const connectOnceWithinMs = 3_000;

/** A client for one task, not connected yet. It does not retry; the caller disconnects it. */
export const redisForOnce = async (access: RedisAccess, more: Partial<RedisOptions> = {}): Promise<Redis> => {
  const { Redis: Client } = await import('ioredis');
  const redis = new Client(access.url, {
    lazyConnect: true,
    connectTimeout: connectOnceWithinMs,
    retryStrategy: () => null,
    ...more,
  });
  logInWith(redis.options, access);
  return redis;
};

/** The client reads its options at each connection attempt, so the current user, password and certificates apply. */
const logInWith = (options: RedisOptions, { user, password, tls }: Omit<RedisAccess, 'url'>): void => {
  const ofUrl = options.password;
  if (user !== undefined) options.username = user;
  if (password) Object.defineProperty(options, 'password', { get: () => password() ?? ofUrl, enumerable: false });
  if (tls) Object.defineProperty(options, 'tls', { get: tls, enumerable: true });
};

/** `ECONNREFUSED`, `WRONGPASS`: only the code, because texts may hold the address. */
export const reasonOf = (error: Error | undefined): string => {
  const insecure = tlsProblem(error);
  if (insecure !== undefined) return insecure;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code !== undefined) return code;
  return /^[A-Z]{3,}\b/.exec(error?.message ?? '')?.[0] ?? 'the connection is lost';
};

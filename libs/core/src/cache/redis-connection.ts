import { type Redis, type RedisOptions } from 'ioredis';
import { type SecretReader } from '../configuration/secret-file.js';
import { type Clock, type Timer } from '../lifecycle/clock.js';
import { type Logger } from '../observability/index.js';
import { tlsProblem, type TlsReader } from '../tls/index.js';

export type RedisClient = Redis;

/** Where the Redis is and how it lets us in. */
export interface RedisAccess {
  /** `redis://[user:password@]host[:port][/database]`, or `rediss://` with TLS. A secret: it is never logged. */
  readonly url: string;
  /** Counts over the one in the url. */
  readonly user?: string | undefined;
  /** Asked for each new connection; what it gives counts over a password in the url. */
  readonly password?: SecretReader | undefined;
  /** Asked for each new connection; with a `rediss://` address. */
  readonly tls?: TlsReader | undefined;
}

export interface RedisConnectionSettings extends RedisAccess {
  readonly logger: Logger;
  readonly commandTimeoutMs: number;
  readonly clock: Clock;
  /** The connection is there, or is lost. */
  readonly changed: (isReachable: boolean) => void;
}

const firstRetryMs = 50;
const longestRetryMs = 1_000;
/** How long the other end may take to say goodbye: it may be frozen, and nobody must wait for it to stop. */
const farewellMs = 100;
/** A connection on which nothing comes back for so long is given up: its other end may be gone without a word. */
const silenceMs = 3_000;

/** A connection that is made in the background, again and again; one log line for each change of its state. */
export class RedisConnection {
  private redis: Redis | undefined;
  private isReachable: boolean | undefined;
  private isClosed = false;
  private restart: Timer | undefined;
  private readonly opened: Promise<void>;

  constructor(private readonly settings: RedisConnectionSettings) {
    this.opened = this.open();
  }

  /** Whom to ask; undefined while there is no connection. */
  get client(): RedisClient | undefined {
    return this.redis?.status === 'ready' && !this.isClosed ? this.redis : undefined;
  }

  /**
   * What is sent by all that follows from one event goes in one piece: for fifty replies that came together the pieces would
   * cost a gateway more than all else that it does for them.
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
    // Loaded here: a gateway without Redis starts a tenth of a second sooner.
    const { Redis } = await import('ioredis');
    if (this.isClosed) return;
    const { url, user, password, tls, commandTimeoutMs } = this.settings;
    const redis = new Redis(url, {
      lazyConnect: true,
      enableOfflineQueue: false,
      // Calls in flight when the connection breaks fail at once: asked again after it is back, a count would count twice.
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
    // What fails is told to the listener of errors.
    this.redis?.connect().catch(() => undefined);
  }

  /** The client gave up, which it does for errors that it believes to last. */
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

/** A client for one piece of work, not connected yet: it does not try again, and is to be disconnected afterwards. */
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

/** The client looks at its options whenever it connects: so what user, password and certificates are then counts. */
const logInWith = (options: RedisOptions, { user, password, tls }: Omit<RedisAccess, 'url'>): void => {
  const ofUrl = options.password;
  if (user !== undefined) options.username = user;
  if (password) Object.defineProperty(options, 'password', { get: () => password() ?? ofUrl, enumerable: false });
  if (tls) Object.defineProperty(options, 'tls', { get: tls, enumerable: true });
};

/** `ECONNREFUSED`, `WRONGPASS`: the code alone, because texts may hold the address. */
export const reasonOf = (error: Error | undefined): string => {
  const insecure = tlsProblem(error);
  if (insecure !== undefined) return insecure;
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  if (code !== undefined) return code;
  return /^[A-Z]{3,}\b/.exec(error?.message ?? '')?.[0] ?? 'the connection is lost';
};

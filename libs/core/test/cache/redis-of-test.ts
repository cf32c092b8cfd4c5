import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@shardnode/testing/waiting';
import { Redis } from 'ioredis';
import { openRedisCache, type Cache } from '../../src/cache/index.js';
import { createLogger } from '../../src/observability/index.js';
import { startRedis, type ServerProcess } from '../../src/servers/index.js';

interface CacheSettings {
  readonly prefix?: string;
  readonly url?: string;
  readonly commandTimeoutMs?: number;
}

/** Waits longer than a gateway does: a busy machine must not look like a slow Redis. */
const patient = { commandTimeoutMs: 5_000 };
export const hasty = { commandTimeoutMs: 100 };

export const answers = async (cache: Cache): Promise<boolean> => (await cache.count('answers', 60_000)) !== undefined;

/** A Redis for the tests of a file, and caches in it; each is closed after its test. */
export class RedisOfTest {
  server!: ServerProcess;
  /** A client of the server itself. */
  raw!: Redis;
  /** Lines that the caches of this test have logged. */
  readonly log: string[] = [];
  private readonly opened: Cache[] = [];
  private readonly parent = mkdtempSync(join(tmpdir(), 'redis-cache-'));

  constructor() {
    beforeAll(async () => {
      this.server = await startRedis({ folder: join(this.parent, 'redis') });
      this.raw = new Redis(this.server.url, { retryStrategy: () => 50, maxRetriesPerRequest: null });
      this.raw.on('error', () => undefined);
    });
    afterEach(async () => {
      await Promise.all(this.opened.splice(0).map((cache) => cache.close()));
      this.log.length = 0;
    });
    afterAll(async () => {
      this.raw.disconnect();
      await this.server.remove();
      rmSync(this.parent, { recursive: true, force: true });
    });
  }

  open(settings: CacheSettings = {}): Cache {
    const logger = createLogger({ destination: { write: (line: string) => void this.log.push(line) } });
    const cache = openRedisCache({ url: this.server.url, prefix: 'test', logger, ...patient, ...settings });
    this.opened.push(cache);
    return cache;
  }

  async openAnswering(settings: CacheSettings = {}): Promise<Cache> {
    const cache = this.open(settings);
    await until('the cache to answer', () => answers(cache));
    return cache;
  }

  levels(): number[] {
    return this.log.map((line) => (JSON.parse(line) as { level: number }).level);
  }
}

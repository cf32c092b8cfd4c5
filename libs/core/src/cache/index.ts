export * from './cache.js';
export { cacheMetrics } from './cache-metrics.js';
export * from './memory-cache.js';
export * from './redis-cache.js';
export { forgetCache } from './forget-cache.js';
export { type RedisAccess } from './redis-connection.js';
export { redisProblem, type RedisProblem } from './redis-problem.js';

import { redisProblem } from '@shardnode/core/cache';
import { redisAccess } from '@shardnode/core/service';
import { type Finding, fault, ok, skipped, warning } from './finding.js';
import { type DoctorSettings } from './settings.js';

/** Checks Redis, which is optional and only speeds up the cluster. */
export const checkRedis = async ({ settings }: DoctorSettings): Promise<Finding> => {
  const access = redisAccess(settings);
  if (!access) return skipped('redis', 'Redis', 'not checked: REDIS_URL is not set');
  const what = `Redis ${URL.canParse(access.url) ? new URL(access.url).host : ''}`;
  const problem = await redisProblem(access);
  if (problem === undefined) return ok('redis', what, 'answers');
  if (problem.kind === 'refused') {
    const text = `it refuses this user (${problem.reason})`;
    return fault('redis-refused', what, text, 'Check REDIS_USER and REDIS_PASSWORD_FILE (docs/credentials.md).');
  }
  const text = `it does not answer (${problem.reason}): answers take longer, and each gateway counts rate limits alone`;
  return warning('redis-down', what, text, 'Start Redis, or set REDIS_URL to where it is.');
};

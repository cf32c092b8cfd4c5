import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database, statementStopped } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { type RunningService } from '@shardnode/core/service';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { explorerApi } from '../../src/index.js';

/** The error of every statement. */
let failure: Error;
const database = { schema: 'explorer', transaction: () => Promise.reject(failure) } as unknown as Database;
let api: RunningService;
beforeAll(async () => {
  const http = { host: '127.0.0.1', port: 0 };
  api = explorerApi({ groups: 4, http }, { database, clock: createStoppedClock(), logger: silentLogger });
  await api.start();
});
afterAll(() => api.stop());

const send = (path: string) => fetch(`http://127.0.0.1:${api.port}${path}`);
const withCode = (code: string): Error => Object.assign(new Error('a secret of the database'), { code });

it.each([
  ['a statement that was stopped', statementStopped, 504, 'Query timeout'],
  ['a database that is away', 'ECONNREFUSED', 503, 'Database unavailable'],
  ['a fault of ours', '42601', 500, 'Internal Server Error'],
])('%s: no internals in the text', async (_name, code, status, detail) => {
  failure = withCode(code);
  const answer = await send('/blocks');
  expect([answer.status, await answer.json()]).toEqual([status, { detail }]);
});

it('is not ready while the database is away, and lives', async () => {
  failure = withCode('ECONNREFUSED');
  expect((await send('/health/ready')).status).toBe(503);
  expect((await send('/health/live')).status).toBe(200);
});

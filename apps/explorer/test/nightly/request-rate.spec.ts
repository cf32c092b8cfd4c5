import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { type Database } from '@shardnode/core/database';
import { silentLogger } from '@shardnode/core/observability';
import { type RunningService } from '@shardnode/core/service';
import { createStoppedClock, type StoppedClock } from '@shardnode/testing/clocks';
import { explorerApi, type ExplorerApiConfiguration } from '../../src/index.js';

const perSecond = 3;
const database = { schema: 'explorer' } as Database;
let clock: StoppedClock;
let api: RunningService | undefined;
const start = async (
  configuration: Omit<ExplorerApiConfiguration, 'groups' | 'http'>,
  trustedProxies: string[] = [],
) => {
  const http = { host: '127.0.0.1', port: 0, accessLog: false, trustedProxies };
  api = explorerApi({ ...configuration, groups: 4, http }, { database, clock, logger: silentLogger });
  await api.start();
};
beforeEach(() => {
  clock = createStoppedClock();
});
afterEach(() => api?.stop());

const send = (path = '/docs/openapi.json', client = '192.0.2.1') =>
  fetch(`http://127.0.0.1:${api!.port}${path}`, { headers: { 'x-forwarded-for': client } });
const statusesOf = async (count: number, client?: string): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < count; i++) statuses.push((await send(undefined, client)).status);
  return statuses;
};
const times = (count: number, status: number): number[] => Array.from({ length: count }, () => status);

it('a client has twice its rate at once, and then its rate; health and metrics do not count', async () => {
  await start({ requestsPerSecond: perSecond });
  expect(await statusesOf(8)).toEqual([...times(6, 200), ...times(2, 429)]);
  const refused = await send('/anything');
  expect([refused.status, refused.headers.get('retry-after'), await refused.json()]).toEqual([
    429,
    '1',
    { detail: 'Too many requests' },
  ]);
  expect((await send('/health/live')).status).toBe(200);
  clock.advance(1_000);
  expect(await statusesOf(4)).toEqual([...times(3, 200), 429]);
});

it('clients are told apart behind a trusted proxy alone', async () => {
  await start({ requestsPerSecond: perSecond }, ['127.0.0.1']);
  expect(await statusesOf(7, '192.0.2.1')).toEqual([...times(6, 200), 429]);
  expect(await statusesOf(1, '192.0.2.2')).toEqual([200]);
  await api!.stop();
  await start({ requestsPerSecond: perSecond });
  expect(await statusesOf(6, '192.0.2.1')).toEqual(times(6, 200));
  expect(await statusesOf(1, '192.0.2.2')).toEqual([429]);
});

it('there is no rate unless it is configured', async () => {
  await start({});
  expect(await statusesOf(50)).toEqual(times(50, 200));
});

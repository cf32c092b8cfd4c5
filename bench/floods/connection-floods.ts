/** Floods by the behaviour of connections, and of pages beside the API. */
import { gzipSync } from 'node:zlib';
import { type Behaviour } from './flooding-client.js';
import { type Flood } from './flood.js';
import { get, post } from './requests.js';

const megabyte = 1024 * 1024;
const version = get('/infos/version');
const buildPath = '/transactions/build';

/** Headers that together almost fill the limit of 16 KiB. */
const manyHeaders = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`X-Header-${i}`, 'abc']));

const upgrade = get('/events', {
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
});

const page = (path: string): Flood => ({ name: `GET ${path}`, requests: () => [get(path)] });

const behaving = (name: string, behaviour: Behaviour, ...requests: ReturnType<typeof get>[]): Flood => ({
  name,
  behaviour,
  requests: () => (requests.length === 0 ? [version] : requests),
});

/** A body of JSON with this list in the place of destinations. */
const listOf = (item: string, count: number): string => `{"destinations":[${`${item},`.repeat(count - 1)}${item}]}`;

const bodyFlood = (name: string, body: string, headers: Readonly<Record<string, string>> = {}): Flood => ({
  name,
  requests: () => [{ method: 'POST', path: buildPath, body, headers }],
});

export const connectionFloods = (): readonly Flood[] => [
  page('/docs/'),
  page('/docs/openapi.json'),
  page('/docs/exchange.md'),
  page('/health/live'),
  page('/health/ready'),
  page('/health/cluster'),
  page('/metrics'),
  { name: 'metrics of a group-node', at: 'group-node', requests: () => [get('/metrics')] },
  behaving('pipelined reads', 'pipeline'),
  behaving('a connection for each request', 'connect and ask'),
  behaving('connections opened and closed', 'connect and close'),
  behaving('idle connections', 'connect and wait'),
  behaving('requests left after 5 ms', 'ask and leave', get('/blockflow/hashes?fromGroup=0&toGroup=0&height=1')),
  behaving('builds left after 5 ms', 'ask and leave', post(buildPath, { fromPublicKey: '02', destinations: [] })),
  behaving('half-closed connections', 'ask and half-close'),
  behaving('responses never read', 'never read', get('/docs/openapi.json')),
  behaving('small responses never read', 'never read'),
  behaving('slow headers and bodies', 'drip', post(buildPath, 'x'.repeat(1_000))),
  behaving('bodies in crumbs', 'crumbs', { method: 'POST', path: buildPath }),
  behaving('endless bodies', 'lumps', { method: 'POST', path: buildPath }),
  behaving('headers of 17 kB', 'ask', get('/infos/version', { 'X-Long': 'a'.repeat(17_000) })),
  behaving('600 headers', 'ask', get('/infos/version', manyHeaders)),
  behaving('paths of 12 kB', 'ask', get(`/addresses/${'1'.repeat(12_000)}/balance`)),
  behaving('queries of 12 kB', 'ask', get(`/infos/version?${'a=1&'.repeat(3_000)}`)),
  behaving('bytes that are not HTTP', 'ask', { method: '\u0016\u0003\u0001', path: '\u0000' }),
  behaving('foreign hosts', 'ask', get('/infos/version', { Host: 'rebound.example' })),
  bodyFlood('bodies of 9 MB of spaces', `{"fromPublicKey":"02"${' '.repeat(9 * megabyte)}}`),
  bodyFlood('bodies of 9 MB in one text', `{"fromPublicKey":"${'0'.repeat(9 * megabyte)}"}`),
  bodyFlood('bodies of 99,000 values', listOf('1', 99_000)),
  bodyFlood('bodies of 1,000,000 values', listOf('1', 1_000_000)),
  bodyFlood('bodies of 20,000 objects', listOf('{"address":"1","attoCoinAmount":"1"}', 20_000)),
  bodyFlood('bodies of 63 levels', `${'{"destinations":['.repeat(31)}${']}'.repeat(31)}`),
  bodyFlood('bodies of 100,000 levels', '['.repeat(100_000)),
  bodyFlood('compressed bodies', gzipSync('{}').toString('latin1'), { 'Content-Encoding': 'gzip' }),
  behaving('upgrades at the API', 'connect and ask', upgrade),
  { ...behaving('push: connections', 'connect and ask', upgrade), at: 'push' },
  { ...behaving('push: pings', 'ping', upgrade), at: 'push' },
  { ...behaving('push: requests that do not upgrade', 'ask', version), at: 'push' },
  { ...behaving('push: connections that never read', 'never read', upgrade), at: 'push' },
];

import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MemoryCache } from '@shardnode/core/cache';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { type GroupRequests } from '@shardnode/messages';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

const now = 1_700_000_000_000;
const day = 86_400_000;

const { version: packageVersion } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
) as { readonly version: string };

describe('versions', () => {
  let network: FakeNetwork | undefined;
  afterEach(() => network?.stop());

  const versions = async (settings: Parameters<typeof startFakeNetwork>[0]) => {
    network = await startFakeNetwork(settings);
    const [version, node, description] = await Promise.all(
      ['/infos/version', '/infos/node', '/docs/openapi.json'].map((path) => network!.send('GET', path)),
    );
    return {
      api: version!.body.version as string,
      software: node!.body.buildInfo.releaseVersion as string,
      described: description!.body.info.version as string,
    };
  };

  it.each(['document', 'reference'] as const)(
    'the profile %s reports an API that clients accept, and its own software',
    async (profile) => {
      const { api, software, described } = await versions({ profile });
      const [, major, minor] = /^v(\d+)\.(\d+)\.\d+$/.exec(api)!.map(Number);
      // Clients of sweeps want 2.3.0; the public tools compare major and minor with 2.14 (protocol 07, Appendix A).
      expect(major).toBe(2);
      expect(minor).toBeGreaterThanOrEqual(14);
      expect(described).toBe(api.slice(1));
      expect(software).toBe(packageVersion);
    },
  );

  it('a setting reports another version of the API', async () => {
    const { api, software, described } = await versions({ reportedVersion: 'v3.1.4' });
    expect([api, described, software]).toEqual(['v3.1.4', '3.1.4', packageVersion]);
  });
});

describe('hash rates and difficulty', () => {
  let network: FakeNetwork;
  const asked: GroupRequests['read.chain.work']['request'][] = [];
  beforeAll(async () => {
    network = await startFakeNetwork({}, { clock: createStoppedClock(now) });
    network.groups['read.chain.difficulty'] = (_request, group) => ({ work: String([7, 11, 2n ** 70n, 5][group]) });
  });
  afterAll(() => network.stop());

  const rateOf = async (path: string, work: readonly (number | bigint)[]): Promise<unknown> => {
    asked.length = 0;
    network.groups['read.chain.work'] = (request, group) => {
      asked.push(request);
      return { work: String(work[group]) };
    };
    return (await network.send('GET', path)).body;
  };

  // By hand: the sum, times 1000 times 16 chains, by the milliseconds, by a million; whole numbers at each step.
  it.each([
    ['/infos/history-hashrate?fromTs=1600000001000&toTs=1600000061000', [1_000_000_000, 0, 0, 0], '266 MH/s'],
    [
      '/infos/history-hashrate?fromTs=1600000001000&toTs=1600000061000',
      [250_000_000, 250_000_000, 250_000_000, 250_000_000],
      '266 MH/s',
    ],
    ['/infos/history-hashrate?fromTs=1600000000000&toTs=1600000000016', [999_999, 0, 0, 0], '999 MH/s'],
    ['/infos/history-hashrate?fromTs=1600000000000&toTs=1600001800000', [0, 0, 0, 1], '0 MH/s'],
    [
      '/infos/history-hashrate?fromTs=1600000000000&toTs=1600000000001',
      [2n ** 100n, 0, 0, 1],
      '20282409603651670423947251286 MH/s',
    ],
    ['/infos/current-hashrate', [37_500_000, 0, 0, 0], '1 MH/s'],
    ['/infos/current-hashrate?timespan=1', [0, 0, 1, 0], '0 MH/s'],
    ['/infos/current-hashrate?timespan=160', [30_000, 0, 0, 0], '3 MH/s'],
  ])('%s of %j is %s', async (path, work, hashrate) => {
    expect(await rateOf(path, work)).toEqual({ hashrate });
    expect(asked).toHaveLength(4);
  });

  it('are of the interval that is asked for', async () => {
    await rateOf(`/infos/history-hashrate?fromTs=${now - 600_000}`, [0, 0, 0, 0]);
    expect(new Set(asked.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ fromTs: now - 600_000, toTs: now })]),
    );
    await rateOf('/infos/current-hashrate?timespan=1800000', [0, 0, 0, 0]);
    expect(asked[0]).toEqual({ fromTs: now - 1_800_000, toTs: now });
    await rateOf('/infos/current-hashrate', [0, 0, 0, 0]);
    expect(asked[0]).toEqual({ fromTs: now - 600_000, toTs: now });
  });

  it.each([
    ['/infos/history-hashrate', /query parameter fromTs/],
    ['/infos/history-hashrate?fromTs=1600000000000&toTs=1600000000000', /^fromTs must be before toTs/],
    ['/infos/history-hashrate?fromTs=1600000000000&toTs=1600001800001', /^The interval may be at most 1800000 ms/],
    ['/infos/history-hashrate?fromTs=1699999000', /^fromTs must be milliseconds since 1970/],
    ['/infos/current-hashrate?timespan=0', /query parameter timespan/],
    ['/infos/current-hashrate?timespan=1.5', /query parameter timespan/],
    ['/infos/current-hashrate?timespan=1800001', /^timespan must be at most 1800000 ms/],
    ['/infos/current-hashrate?timespan=1099511627776', /^timespan must be at most 1800000 ms/],
  ])('%s is refused', async (path, detail) => {
    const answer = await network.send('GET', path);
    expect(answer.status).toBe(400);
    expect(answer.body).toEqual({ detail: expect.stringMatching(detail) });
  });

  it('the difficulty is the mean of all sixteen tips', async () => {
    const difficulty = ((7n + 11n + 2n ** 70n + 5n) / 16n).toString();
    expect((await network.send('GET', '/infos/current-difficulty')).body).toEqual({ difficulty });
  });
});

describe('peers', () => {
  let network: FakeNetwork;
  const clock = createStoppedClock(now);
  const cache = new MemoryCache({ maxBytes: 1_000_000, clock });
  beforeAll(async () => {
    network = await startFakeNetwork({}, { clock, cache });
  });
  afterAll(() => network.stop());
  const get = async (path: string): Promise<unknown> => (await network.send('GET', `/infos/${path}`)).body;
  const post = async (path: string, body: unknown): Promise<void> => {
    const answer = await network.send('POST', `/infos/${path}`, body);
    expect([answer.status, answer.text, answer.headers.get('content-type')]).toEqual([200, '', null]);
  };

  it('there are none', async () => {
    expect(await get('inter-clique-peer-info')).toEqual([]);
    expect(await get('discovered-neighbors')).toEqual([]);
    expect(await get('misbehaviors')).toEqual([]);
    expect(await get('unreachable')).toEqual([]);
  });

  it('are banned for a day, by every gateway, and not to be reached', async () => {
    await post('misbehaviors', { type: 'Ban', peers: ['10.1.2.3', '::1'] });
    const banned = (peer: string) => ({ peer, status: { type: 'Banned', until: now + day } });
    const both = [banned('10.1.2.3'), banned('0:0:0:0:0:0:0:1')];
    expect(await get('misbehaviors')).toEqual(both);
    expect(await get('unreachable')).toEqual(['10.1.2.3', '0:0:0:0:0:0:0:1']);
    const other = await network.addGateway({}, { clock, cache });
    expect((await other.send('GET', '/infos/misbehaviors')).body).toEqual(both);
    await other.send('POST', '/infos/misbehaviors', { type: 'Unban', peers: ['0::1', '9.9.9.9'] });
    expect(await get('misbehaviors')).toEqual([banned('10.1.2.3')]);
    expect(await get('unreachable')).toEqual(['10.1.2.3']);
    clock.advance(day);
    expect(await get('misbehaviors')).toEqual([]);
  });

  it('are told to be reached or not', async () => {
    await post('discovery', { type: 'Reachable', peers: ['10.1.2.3'] });
    await post('discovery', { type: 'Unreachable', peers: ['10.1.2.5', '10.1.2.6'] });
    await post('discovery', { type: 'Reachable', peers: ['10.1.2.5'] });
    expect(await get('unreachable')).toEqual(['10.1.2.6']);
    expect(await get('misbehaviors')).toEqual([]);
  });

  it.each([
    ['misbehaviors', { type: 'Ban', peers: ['localhost'] }, 'peers[0]: expected an IPv4 or IPv6 address'],
    ['misbehaviors', { type: 'Kick', peers: [] }, 'type: expected one of Ban, Unban, received "Kick"'],
    ['misbehaviors', { peers: [] }, 'type: is missing'],
    ['misbehaviors', { type: 'Ban' }, 'peers: '],
    ['misbehaviors', { type: 'Ban', peers: Array.from({ length: 1_025 }, () => '1.2.3.4') }, 'peers: has 1025 items'],
    ['discovery', { type: 'Ban', peers: [] }, 'type: expected one of Unreachable, Reachable'],
  ])('%s refuses %j', async (path, body, problem) => {
    const answer = await network.send('POST', `/infos/${path}`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.detail).toContain(problem);
  });
});

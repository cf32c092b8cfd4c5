import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createStoppedClock } from '@shardnode/testing/clocks';
import { genesisTimestamp } from '@shardnode/protocol/block';
import { startFakeNetwork, type FakeNetwork } from './fakes/fake-network.js';

/** Milliseconds since 1970: 2023-11-14T22:13:20.000Z. */
const now = 1_700_000_000_000;
const minute = 60_000;
const genesis = Number(genesisTimestamp);
const genesisText = '1231006505000 (2009-01-03T18:15:05.000Z)';

const startNetwork = async (profile: 'document' | 'reference'): Promise<FakeNetwork> => {
  const network = await startFakeNetwork({ profile }, { clock: createStoppedClock(now) });
  network.groups['read.chain.blocks'] = (_request, group) => ({
    chains: [0, 1, 2, 3].map((to) => ({ from: group, to, blocks: [] })),
  });
  network.groups['read.chain.work'] = () => ({ work: '0' });
  return network;
};

const paths = ['/blockflow/blocks', '/blockflow/blocks-with-events', '/infos/history-hashrate'];

describe('intervals of time', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startNetwork('document');
  });
  afterAll(() => network.stop());

  const refusal = async (path: string, query: string) => {
    const { status, body, headers } = await network.send('GET', `${path}?${query}`);
    return { status, code: headers.get('x-error-code'), field: headers.get('x-error-field'), detail: body.detail };
  };

  it.each([
    [
      'fromTs=1699999000&toTs=1699999900',
      'fromTs',
      `fromTs must be milliseconds since 1970, but 1699999000 reads as 1970-01-20T16:13:19.000Z, before the genesis of the network, ${genesisText}. If it is in seconds, send 1699999000000 (2023-11-14T21:56:40.000Z).`,
    ],
    [
      'fromTs=1699999000',
      'fromTs',
      `fromTs must be milliseconds since 1970, but 1699999000 reads as 1970-01-20T16:13:19.000Z, before the genesis of the network, ${genesisText}. If it is in seconds, send 1699999000000 (2023-11-14T21:56:40.000Z).`,
    ],
    [
      'fromTs=0&toTs=1000',
      'fromTs',
      `fromTs must be milliseconds since 1970, but 0 reads as 1970-01-01T00:00:00.000Z, before the genesis of the network, ${genesisText}. For example, the time now is 1700000000000.`,
    ],
    [
      'fromTs=1699999000000&toTs=1699999900',
      'toTs',
      `toTs must be milliseconds since 1970, but 1699999900 reads as 1970-01-20T16:13:19.900Z, before the genesis of the network, ${genesisText}. If it is in seconds, send 1699999900000 (2023-11-14T22:11:40.000Z).`,
    ],
    [
      `fromTs=${genesis - 2 * minute}&toTs=${genesis - 1}`,
      'toTs',
      `toTs must be milliseconds since 1970, but 1231006504999 reads as 2009-01-03T18:15:04.999Z, before the genesis of the network, ${genesisText}. For example, the time now is 1700000000000.`,
    ],
    [
      'fromTs=1699999000000&toTs=1699999000000',
      'fromTs',
      'fromTs must be before toTs, but fromTs is 1699999000000 (2023-11-14T21:56:40.000Z) and toTs is 1699999000000 (2023-11-14T21:56:40.000Z)',
    ],
    [
      'fromTs=9223372036854775807',
      'fromTs',
      'fromTs must be before toTs, but fromTs is 9223372036854775807 (after the year 275760) and toTs is absent, which means now, 1700000000000 (2023-11-14T22:13:20.000Z)',
    ],
    [
      'fromTs=1699990000000&toTs=1699991800001',
      'fromTs',
      'The interval may be at most 1800000 ms (30 minutes), but is 1800001 ms. Ask for it in parts, first fromTs=1699990000000&toTs=1699991800000.',
    ],
    [
      'fromTs=1699990000000',
      'fromTs',
      'The interval may be at most 1800000 ms (30 minutes), but is 10000000 ms, because toTs is absent and means now. Ask for it in parts, first fromTs=1699990000000&toTs=1699991800000.',
    ],
  ])('%s is refused, naming %s', async (query, field, detail) => {
    for (const path of paths)
      expect(await refusal(path, query)).toEqual({ status: 400, code: 'InvalidInterval', field, detail });
  });

  it.each([
    [genesis - 30 * minute, genesis],
    [genesis - 1, genesis + minute],
    [now - 30 * minute, now],
  ])('from %i to %i is answered', async (fromTs, toTs) => {
    for (const path of paths)
      expect((await network.send('GET', `${path}?fromTs=${fromTs}&toTs=${toTs}`)).status).toBe(200);
  });

  it('of the time until now have an upper bound', async () => {
    expect(await refusal('/infos/current-hashrate', 'timespan=1800001')).toEqual({
      status: 400,
      code: 'InvalidInterval',
      field: 'timespan',
      detail: 'timespan must be at most 1800000 ms (30 minutes), but is 1800001 ms',
    });
  });
});

describe('intervals of time, profile reference', () => {
  let network: FakeNetwork;
  beforeAll(async () => {
    network = await startNetwork('reference');
  });
  afterAll(() => network.stop());

  it.each([
    [
      'fromTs=10&toTs=0',
      'Invalid value (expected value to pass validation: `fromTs` must be before `toTs`, but got: TimeInterval(TimeStamp(10ms),Some(TimeStamp(0ms))))',
    ],
    [
      'fromTs=99999999999999',
      'Invalid value (expected value to pass validation: `fromTs` must be before `toTs`, but got: TimeInterval(TimeStamp(99999999999999ms),None))',
    ],
    ['fromTs=0&toTs=1800001', 'Time span cannot be greater than Duration(1800000ms)'],
    ['fromTs=0', 'Time span cannot be greater than Duration(1800000ms)'],
    ['fromTs=0&toTs=9223372036854775807', 'Time span cannot be greater than Duration(1800000ms)'],
  ])('%s is refused in the documented words', async (query, detail) => {
    for (const path of paths) {
      const { status, body } = await network.send('GET', `${path}?${query}`);
      expect([status, body]).toEqual([400, { detail }]);
    }
  });

  it('have no blocks before the genesis', async () => {
    const { status, body } = await network.send('GET', '/blockflow/blocks?fromTs=0&toTs=1000');
    expect([status, body]).toEqual([200, { blocks: Array.from({ length: 16 }, () => []) }]);
  });
});

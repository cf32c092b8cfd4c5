import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { startAbusiveClient } from '../kit/abuse/abusive-client.js';
import { apiClient, type ApiClient } from '../kit/api-client.js';
import { residentMegabytes } from '../kit/attacks/bystander.js';
import { describeNetwork } from '../kit/deployment-under-test.js';
import { groups } from '../kit/chains.js';
import { isLong, type Network, startNetwork } from '../kit/network.js';
import { balanceOf, confirmed, oneCoin, transfer } from '../kit/transfers.js';

const abuseSeconds = isLong ? 120 : 20;
/** Requests a minute from one address: much more than the well-behaved client sends, much less than the other. */
const rateLimit = 2_000;
/** Megabytes. */
const mostGrowth = 150;

const attacks = [
  'flood',
  'slow headers',
  'slow bodies',
  'large bodies, announced',
  'large bodies, in pieces',
  'long lists',
  'deep nesting',
  'deep pages',
];

/** One client floods the network, another one works with it. */
describeNetwork('abuse', () => {
  let network: Network;
  let api: ApiClient;
  beforeAll(async () => {
    network = await startNetwork({ RATE_LIMIT: String(rateLimit), REQUEST_TIMEOUT: '9' });
    // One connection at a time for each of its tasks, as a client with a pool has them.
    api = apiClient(() => network.deployment.baseUrl, 8);
  });
  afterAll(async () => {
    api?.close();
    await network?.remove();
  });

  /** Coins from each group to all, over and over, with what a client looks at meanwhile. */
  const work = async (untilOver: () => boolean): Promise<number> => {
    const receivers = testKeysOfGroup(1, 4);
    const sendFrom = async (group: number): Promise<number> => {
      let count = 0;
      for (; !untilOver(); count++) {
        const to = receivers[(group + count) % receivers.length]!;
        const sent = await transfer(api, network.funded[group]!, [
          { address: to.address, attoCoinAmount: oneCoin.toString() },
        ]);
        await confirmed(api, sent.txId);
        await balanceOf(api, to.address);
        await pause(1_000);
      }
      return count;
    };
    const counts = await Promise.all(groups.map(sendFrom));
    return counts.reduce((sum, count) => sum + count, 0);
  };

  it('harms nobody else, takes no memory, and leaves nothing behind', async () => {
    const warmUntil = performance.now() + 5_000;
    await work(() => performance.now() > warmUntil);
    const before = await residentMegabytes(network);
    let highest = before;
    let isOver = false;
    const abusive = startAbusiveClient(network.deployment.baseUrl, abuseSeconds);
    const watching = (async () => {
      while (!isOver) {
        highest = Math.max(highest, await residentMegabytes(network));
        await pause(250);
      }
    })();
    const working = work(() => isOver);
    const report = await abusive.report.finally(() => {
      isOver = true;
      abusive.stop();
    });
    const transfers = await working;
    await watching;

    const failures = api.exchanges.filter(({ answer }) => answer?.status !== 200);
    expect(failures.map(({ method, path, answer }) => `${method} ${path}: ${answer?.text ?? 'no answer'}`)).toEqual([]);
    expect(transfers).toBeGreaterThan(abuseSeconds / 4);
    expect(highest - before).toBeLessThan(mostGrowth);

    expect(Object.keys(report).sort()).toEqual([...attacks].sort());
    const answers = Object.entries(report).map(([attack, { statuses }]) => [attack, statuses] as const);
    const faults = answers.filter(([, statuses]) => Object.keys(statuses).some((status) => status.startsWith('5')));
    expect(faults).toEqual([]);
    expect(report['flood']!.tried).toBeGreaterThan(50 * abuseSeconds);
    expect(report['flood']!.statuses['429']).toBeGreaterThan(0);
    expect(report['slow headers']!.tried + report['slow bodies']!.tried).toBeGreaterThan(950);
    for (const attack of ['slow headers', 'slow bodies']) expect(report[attack]!.statuses).toHaveProperty('408');
    for (const attack of ['long lists', 'deep nesting']) expect(report[attack]!.statuses).not.toHaveProperty('200');

    const receiver = testKeysOfGroup(1, 1)[0]!;
    const sent = await transfer(api, network.funded[0]!, [
      { address: receiver.address, attoCoinAmount: oneCoin.toString() },
    ]);
    await confirmed(api, sent.txId);
    expect(network.deployment.log()).not.toMatch(/unhandled|uncaught/i);
  });
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { describeNetwork } from '../kit/deployment-under-test.js';
import { FaultLoad } from '../kit/cluster/fault-load.js';
import { checkLedger } from '../kit/ledger.js';
import { isLong, type Network, startNetwork } from '../kit/network.js';
import { checkProjections } from '../kit/projection-check.js';
import { waitFor } from '../kit/wait-for.js';

/** With `instant` an acknowledged transaction is in a block, with `interval` it waits in the pool. */
type Mining = 'instant' | 'interval';

/** Where the process dies: at a named point of its own, or at any moment. */
interface Kill {
  readonly at: string;
  /** During recovery the start that follows a kill is killed too. */
  readonly during: 'load' | 'recovery';
}

const oneOfEach: readonly Kill[] = [
  { at: 'any moment', during: 'load' },
  { at: 'before-commit', during: 'load' },
  { at: 'after-commit', during: 'load' },
  { at: 'after-headers', during: 'recovery' },
  { at: 'any moment', during: 'recovery' },
];

/** The scenarios of faults have many more, of each process alone. */
const shortRun = oneOfEach.filter(({ at }) => ['before-commit', 'after-headers'].includes(at));

const longRun: readonly Kill[] = [
  ...Array.from({ length: 3 }, () => oneOfEach).flat(),
  { at: 'after-projection', during: 'recovery' },
  { at: 'after-pool', during: 'recovery' },
  { at: 'any moment', during: 'load' },
  { at: 'before-commit', during: 'load' },
  { at: 'after-commit', during: 'load' },
];

const kills = isLong ? longRun : shortRun;

describeNetwork('kill -9 under load', () => {
  let network: Network;
  let load: FaultLoad;
  const seed = Number(process.env['SEED'] ?? 1);
  const random = seededRandom(seed);
  beforeAll(async () => {
    network = await startNetwork();
    // The senders outlast the process: what it did not answer they send again when it is back.
    // At their leisure: all blocks are compared after each kill.
    const options = { sendersPerGroup: 4, seed, everyMs: 200, othersReceive: true, gatewaysMayBreak: true };
    load = await FaultLoad.prepare([network.api], network.funded, options);
  });
  afterAll(() => network?.remove());

  /** The network runs under load, and dies. */
  const dieUnderLoad = async (at: string, mining: Mining): Promise<void> => {
    const { deployment } = network;
    const settings = { MINING: mining };
    if (at === 'any moment') {
      await deployment.start(settings);
      const before = load.transactions.length;
      load.begin();
      await waitFor('the load to begin', () => load.transactions.length > before);
      await pause(300 + random() * 1_500);
      await deployment.kill9();
    } else {
      // The point is passed with every block; some pass before this one.
      const passed = mining === 'instant' ? 20 + random() * 40 : 4 + random() * 8;
      const start = await deployment.begin({ ...settings, CRASH_AT: `${at}:${Math.floor(passed)}` });
      await start.ready;
      load.begin();
      expect(await start.ended).toMatchObject({ signal: 'SIGKILL' });
    }
  };

  const dieWhileStarting = async (at: string): Promise<void> => {
    const { deployment } = network;
    const start = await deployment.begin(at === 'any moment' ? {} : { CRASH_AT: at });
    if (at === 'any moment') {
      await pause(200 + random() * 1_500);
      start.kill9();
    }
    expect(await start.ended).toMatchObject({ signal: 'SIGKILL' });
  };

  const checkNothingLost = async (): Promise<void> => {
    await load.settle();
    expect(load.defects).toEqual([]);
    const ledger = await checkLedger(network.api);
    for (const { txId, blockHash, acknowledged, reason } of load.transactions)
      expect([txId, acknowledged, reason, ledger.blockOf.get(txId)]).toEqual([txId, true, undefined, blockHash]);
  };

  it.each(
    kills.map((kill, index) => {
      const mining: Mining = index % 2 === 0 ? 'instant' : 'interval';
      return { ...kill, mining, number: index + 1 };
    }),
  )(`kill $number: at $at, during $during, mining $mining (seed ${seed})`, async ({ at, during, mining }) => {
    const { deployment } = network;
    await deployment.stop();
    const before = load.transactions.length;
    await dieUnderLoad(during === 'load' ? at : 'any moment', mining);
    expect(load.transactions.length).toBeGreaterThan(before);
    if (during === 'recovery') await dieWhileStarting(at);
    // Transactions that spend each other's change take a block each: not one a second.
    await deployment.start({ MINING: 'instant' });
    await load.rest();
    await checkNothingLost();
    await deployment.stop();
    expect(await checkProjections(deployment)).toBeGreaterThan(0);
  });

  it('many transactions went through all this', () => {
    expect(load.transactions.length).toBeGreaterThan(20 * kills.length);
  });
});

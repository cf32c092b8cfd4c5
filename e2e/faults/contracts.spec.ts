import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { type ProcessName, groupNodeNames } from '../kit/cluster/cluster-process.js';
import { describeRound, Killer, planRounds, recoveryTable, type RecoveryTime } from '../kit/cluster/killer.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';
import { ContractLoad } from '../kit/contracts/contract-load.js';
import { describeCluster } from '../kit/deployment.js';
import { isLong } from '../kit/network.js';
import { waitFor } from '../kit/wait-for.js';

const seed = Number(process.env['SEED'] ?? 1);
const names: readonly ProcessName[] = [...groupNodeNames, 'wallet-service', 'gateway', 'gateway-2'];
const random = seededRandom(seed);
/** Three kills each; in the short form of group-nodes alone. */
const rounds = planRounds(isLong ? names : groupNodeNames.slice(0, 2), isLong ? 28 : 2, random);
/** What must have been done with contracts by the end. */
const wanted = ['change of fields', 'deposit', 'migration', 'sub-contract', 'creation and destruction', 'race'];

describeCluster(`kill -9 while contracts are deployed, called and destroyed (seed ${seed})`, () => {
  let scenario: Scenario;
  let contracts: ContractLoad;
  const killer = new Killer(random);
  const times: RecoveryTime[] = [];

  beforeAll(async () => {
    scenario = await openScenario('kill -9 under contracts', {
      secondGateway: true,
      load: { sendersPerGroup: 1, seed, everyMs: 1_000, gatewaysMayBreak: true },
    });
    const { api, second, funded, load } = scenario;
    contracts = await ContractLoad.prepare([api, second!], funded, load, {
      sendersPerGroup: isLong ? 2 : 1,
      seed,
      everyMs: isLong ? 0 : 100,
    });
  });
  afterAll(() => scenario?.remove());

  it('the load begins', async () => {
    scenario.load.begin();
    contracts.begin();
    await waitFor('script transactions', () => contracts.steps > 20, { timeoutMs: 60_000 });
  });

  it.each(rounds.map((round) => ({ title: describeRound(round), round })))('$title', async ({ round }) => {
    const before = contracts.acknowledged;
    await killer.run(scenario.cluster.process(round.process), round);
    times.push(...killer.times.splice(0));
    await waitFor('script transactions after the kills', () => contracts.acknowledged > before);
  });

  it('everything was done with contracts, in between', async () => {
    await waitFor('all kinds of steps', () => wanted.every((name) => contracts.counts.has(name)), {
      timeoutMs: 60_000,
    });
    await contracts.rest();
    process.stderr.write(`${killer.kills} kills; ${contracts.describe()}${recoveryTable(times)}`);
  }, 200_000);

  it('nothing acknowledged was lost, and contracts, fields, assets and events are what the blocks make', async () => {
    const { load } = scenario;
    const { report } = await scenario.finish();
    expect(load.defects).toEqual([]);
    const contractsLeft = [0, 1, 2, 3].flatMap((group) => report.contractsOf(group));
    expect(contractsLeft.length).toBeGreaterThan(4 * 4);
    const settled = load.transactions.filter(({ acknowledged }) => acknowledged);
    expect(settled.every(({ blockHash, reason }) => blockHash !== undefined || reason !== undefined)).toBe(true);
  }, 300_000);
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { seededRandom } from '@shardnode/testing/seeded-random';
import { developmentNetwork } from '@shardnode/protocol/network';
import { contractRules } from '@shardnode/testing/contract-rules';
import { createLedgerOracle } from '@shardnode/testing/ledger-oracle';
import { type LoadTransaction } from '../kit/cluster/fault-load.js';
import { ContractLoad } from '../kit/contracts/contract-load.js';
import { describeEmbedded } from '../kit/deployment-under-test.js';
import { isLong, type Network, startNetwork } from '../kit/network.js';
import { checkProjections } from '../kit/projection-check.js';
import { loadStoredChains } from '../kit/stored-chains.js';
import { waitFor } from '../kit/wait-for.js';

const seed = Number(process.env['SEED'] ?? 1);
/** Any moment, or a point of the process's own. */
const points = ['any moment', 'before-commit', 'after-commit'] as const;
const kills = isLong ? Array.from({ length: 5 }, () => points).flat() : points.slice(1);

describeEmbedded(`kill -9 of the whole network while contracts live (seed ${seed})`, () => {
  let network: Network;
  let contracts: ContractLoad;
  const sink = { transactions: [] as LoadTransaction[], defects: [] as string[] };
  const random = seededRandom(seed);
  beforeAll(async () => {
    network = await startNetwork();
    contracts = await ContractLoad.prepare([network.api], network.funded, sink, { sendersPerGroup: 2, seed });
    contracts.begin();
  });
  afterAll(() => network?.remove());

  it.each(kills.map((at, index) => ({ at, number: index + 1 })))('kill $number: at $at', async ({ at }) => {
    const { deployment } = network;
    const before = contracts.steps;
    await waitFor('steps before the kill', () => contracts.steps > before + 5, { timeoutMs: 60_000 });
    if (at !== 'any moment') {
      await deployment.stop();
      const start = await deployment.begin({ CRASH_AT: `${at}:${20 + Math.floor(random() * 40)}` });
      expect(await start.ended).toMatchObject({ signal: 'SIGKILL' });
    } else {
      await pause(random() * 1_000);
      await deployment.kill9();
    }
    await deployment.start();
  });

  it('nothing acknowledged was lost, and states and events are what the blocks make', async () => {
    const { deployment } = network;
    const before = contracts.steps;
    await waitFor('steps after the kills', () => contracts.steps > before + 10, { timeoutMs: 60_000 });
    await contracts.rest();
    process.stderr.write(contracts.describe());
    expect(sink.defects).toEqual([]);
    await deployment.stop();
    const oracle = createLedgerOracle({
      genesis: developmentNetwork,
      contractRules: contractRules(developmentNetwork),
    });
    for (const { txId, from, to, acknowledged, reason } of sink.transactions) {
      if (!acknowledged) continue;
      oracle.acknowledge(txId, { from, to });
      if (reason !== undefined) oracle.refused(txId, reason);
    }
    oracle.load(await loadStoredChains(deployment));
    const report = oracle.expectSound();
    expect([0, 1, 2, 3].flatMap((group) => report.contractsOf(group)).length).toBeGreaterThan(4 * 4);
    expect(await checkProjections(deployment)).toBeGreaterThan(0);
  }, 200_000);
});

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { describeCluster } from '../kit/deployment.js';
import { openScenario, type Scenario } from '../kit/cluster/scenario.js';

describeCluster('500 random transfers between 40 wallets in all groups', () => {
  let scenario: Scenario;
  beforeAll(async () => {
    scenario = await openScenario('500 transfers', { secondGateway: true, load: { transfers: 500 } });
  });
  afterAll(() => scenario?.remove());

  it('are all acknowledged and confirmed exactly once', async () => {
    const { load } = scenario;
    load.begin();
    await load.finished();
    expect(load.acknowledged).toBe(500);
    const { report } = await scenario.finish();
    expect(report.transactions).toBeGreaterThan(500);
    expect(load.transactions.every(({ blockHash }) => blockHash !== undefined)).toBe(true);
  });
});

import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { developmentKeys, type TestKey, testKeyOfGroup } from '@shardnode/testing/keys';
import { createLedgerOracle, loadCanonicalBlocks } from '@shardnode/testing/ledger-oracle';
import { coin, TestNetwork } from '../support/network.js';

describe('the ledger oracle over four group-nodes', () => {
  let network: TestNetwork;
  let rich: readonly TestKey[];
  beforeAll(async () => {
    network = await TestNetwork.open();
    rich = await developmentKeys();
  });
  afterAll(() => network.close());

  it('finds their ledger sound, and their balances are its own', async () => {
    const oracle = createLedgerOracle({ genesis: network.settings, groups: 4 });
    for (const from of [0, 1, 2, 3]) {
      for (const to of [0, 1, 2, 3]) {
        const { txId } = await network.transfer(rich[from]!, [{ key: testKeyOfGroup(to), amount: 3n * coin }]);
        oracle.acknowledge(txId, { from, to });
      }
    }
    for (const round of [1, 2]) for (const group of [0, 1, 2, 3]) await network.mine(group, (group + round) % 4);
    for (const _ of [1, 2]) for (const group of [0, 1, 2, 3]) await network.mine(group, group);
    oracle.load(await loadCanonicalBlocks(network.client));
    const report = oracle.expectSound();
    expect(report.blocks).toBeGreaterThan(16 + 16);
    for (const key of [...rich, ...[0, 1, 2, 3].map((group) => testKeyOfGroup(group))]) {
      expect(report.balanceOf(key.address)).toBe(await network.balance(key));
    }
  });
});

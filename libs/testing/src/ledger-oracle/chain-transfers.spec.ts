import { describe, expect, it } from '@jest/globals';
import { hexToBytes } from '@shardnode/protocol/encoding';
import { type History, readHistory } from '../replay/index.js';
import { historyFolder } from '../vectors/index.js';
import { createLedgerOracle, type LedgerOracle } from './index.js';

/** An oracle with genesis and all blocks of a history. */
const oracleOf = (history: History): LedgerOracle => {
  const oracle = createLedgerOracle({ genesis: history.settings, groups: 4 });
  const canonical = [...history.genesis, ...history.blocks.filter((block) => block.canonical)];
  for (const { chain, raw } of canonical) oracle.addCanonical({ from: chain[0], to: chain[1] }, [hexToBytes(raw)]);
  oracle.addSide(history.blocks.filter((block) => !block.canonical).map(({ raw }) => hexToBytes(raw)));
  return oracle;
};

describe('the ledger oracle over the history of transfers', () => {
  const history = readHistory(historyFolder('chain-transfers'));
  const report = oracleOf(history).verify();

  it('finds nothing wrong', () => {
    expect(report.problems).toEqual([]);
    expect(report.sideDependencies).toBe(0);
    expect(report.blocks).toBe(16 + history.blocks.filter((block) => block.canonical).length);
  });

  it('computes every recorded state hash', () => {
    const recorded = history.blocks.filter((block) => block.worldState);
    expect(recorded.length).toBeGreaterThan(200);
    for (const { hash, worldState } of recorded) expect(report.stateHashAfter(hash)).toBe(worldState!.stateHash);
    for (const { hash, worldState } of history.genesis) {
      if (worldState) expect(report.stateHashAfter(hash)).toBe(worldState.stateHash);
    }
  });

  it('has the outputs and balances of the final state', () => {
    for (const { group, assetOutputs } of history.final.groups) {
      expect(report.unspentOutputs(group)).toHaveLength(assetOutputs);
    }
    const spendable = history.final.groups.flatMap(({ group, bestDeps }) => [...report.spendableAt(group, bestDeps)]);
    const expected = history.final.addresses.flatMap(({ refs }) => refs);
    expect(spendable.map(([reference]) => reference).sort()).toEqual([...expected].sort());
    for (const { address, utxos, attoCoinAmount } of history.final.addresses) {
      const own = spendable.filter(([, output]) => output.address === address);
      const amount = own.reduce((sum, [, { output }]) => sum + output.amount, 0n);
      expect([address, own.length, amount]).toEqual([address, utxos, BigInt(attoCoinAmount)]);
      // The best dependencies can leave out the newest blocks of other groups.
      expect(report.balanceOf(address)).toBeGreaterThanOrEqual(amount);
    }
  });
});

/** While forks are open the canonical chains, each by its own height, may spend on two branches. */
const namesOfForks = ['OutputSpentTwice', 'OutputOffChain', 'TransactionConfirmedTwice', 'SupplyDiffers'];

describe.each(['views-a', 'views-b', 'views-c', 'views-d', 'height-gap'])('the forks of %s', (name) => {
  it('have the recorded state hashes', () => {
    const history = readHistory(historyFolder(`chain-forks/${name}`));
    const report = oracleOf(history).verify();
    for (const { hash, worldState } of history.blocks) {
      if (worldState) expect(report.stateHashAfter(hash)).toBe(worldState.stateHash);
    }
    expect([...report.problemCounts.keys()].filter((problem) => !namesOfForks.includes(problem))).toEqual([]);
    if (name === 'height-gap') expect(report.problems).toEqual([]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { stateHash } from '@shardnode/protocol/state';
import { referenceId } from '@shardnode/protocol/primitives';
import { createLedgerOracle } from '@shardnode/testing/ledger-oracle';
import { memoryNodeTarget } from '@shardnode/testing/memory-node';
import { chainOf, GrowingChains, settings } from './growing-chains.js';

const step = fc.record({
  from: fc.integer({ min: 0, max: 3 }),
  to: fc.integer({ min: 0, max: 3 }),
  pays: fc.boolean(),
  /** So many steps ago the miner heard of the chains for the last time. */
  late: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.integer({ min: 1, max: 25 })),
});

describe('the ledger oracle over random chains', () => {
  it('finds settled chains sound, and computes the states and outputs of the node', async () => {
    let forks = 0;
    let confirmed = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 70 }), async (steps) => {
        const source = await GrowingChains.create();
        const heard = [source.deps()];
        for (const { from, to, pays, late } of steps) {
          const deps = heard.at(-1 - late)?.[from] ?? heard[0]![from]!;
          await source.grow(chainOf(from, to), { pays, deps });
          heard.push(source.deps());
        }
        await source.settle();
        const oracle = createLedgerOracle({ genesis: settings, groups: 4 });
        oracle.load({ chains: source.chains() });
        const report = oracle.verify();
        expect(report.problems).toEqual([]);
        const canonical = source.canonical().flatMap(({ hashes }) => hashes);
        expect(report.blocks).toBe(canonical.length);
        for (const hash of canonical) {
          const state = source.node.worldState(hash);
          if (state) expect(report.stateHashAfter(hash)).toBe(stateHash(state));
        }
        for (const key of source.keys) {
          const spendable = [...report.spendableAt(key.group, source.node.bestDependencies(key.group))];
          const own = spendable.filter(([, { address }]) => address === key.address).map(([reference]) => reference);
          const listed = await memoryNodeTarget(source.node).unspentOutputs(key.address);
          expect(own.sort()).toEqual(listed.map(({ reference }) => referenceId(reference)).sort());
        }
        forks += source.node.sizes.blocks - canonical.length;
        confirmed += source.transfers.filter(({ id }) => report.confirmationsOf(id) === 1).length;
      }),
      { numRuns: 25 },
    );
    // Otherwise this test says nothing.
    expect(forks).toBeGreaterThan(50);
    expect(confirmed).toBeGreaterThan(100);
  });
});

import { describe, expect, it } from '@jest/globals';
import { stateHash } from '@shardnode/protocol/state';
import { createLedgerOracle } from '@shardnode/testing/ledger-oracle';
import { chainOf, GrowingChains, settings } from './growing-chains.js';

/** Blocks of each chain: more states than the oracle keeps whole. */
const rounds = 112;

describe('states on which no block stands any more', () => {
  it('are known by their hash alone, and that of each one', async () => {
    const source = await GrowingChains.create();
    await source.rounds(rounds);
    const oracle = createLedgerOracle({ genesis: settings });
    for (const { from, to, blocks } of source.chains()) oracle.addCanonical({ from, to }, blocks);
    const report = oracle.expectSound();
    const { dag } = source.node;
    const intra = Array.from({ length: rounds + 1 }, (_, height) => dag.canonicalAt(chainOf(2, 2), height)!);
    for (const hash of intra) expect(report.stateHashAfter(hash)).toBe(stateHash(source.node.worldState(hash)!));
    expect(report.spendableAt(2, source.node.bestDependencies(2)).size).toBeGreaterThan(rounds);
    const old = source.node.block(intra[5]!)!.header.blockDeps;
    expect(() => report.spendableAt(2, old)).toThrow('any more');
  });
});

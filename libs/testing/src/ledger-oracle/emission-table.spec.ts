import { describe, expect, it } from '@jest/globals';
import { fc } from '../properties/index.js';
import { blockReward } from '@shardnode/protocol/block';
import { developmentNetwork } from '@shardnode/protocol/network';
import { readVectors } from '../vectors/index.js';
import { rewardOf, valueOfTarget } from './emission-table.js';
import { launchTimestamp } from './network.js';

interface RewardVectors {
  readonly byTime: readonly { readonly yearsAfterLaunch: number; readonly attoCoin: string }[];
  readonly byTarget: readonly { readonly bits: string; readonly attoCoin: string }[];
  readonly blockReward: readonly { readonly bits: string; readonly timestamp: number; readonly attoCoin: string }[];
}

const publicNetwork = { groups: 4, blockTargetTime: 64_000n };

describe("the oracle's emission table (protocol 02 §12, 03 §10.2)", () => {
  const coin = 10n ** 18n;

  it.each([
    ['at the launch, without any work', 0x20ffffff, launchTimestamp, (1_875n * coin) / 1000n],
    ['after four years', 0x20ffffff, launchTimestamp + 126_144_000_000n, (125n * coin) / 100n],
    ['after 82 years', 0x20ffffff, launchTimestamp + 2_585_952_000_000n, 0n],
  ])('pays %s what the document says', (_, target, timestamp, expected) => {
    expect(rewardOf(publicNetwork, target, timestamp)).toBe(expected);
  });

  it('drops its cents at the pace of the block target time (protocol 02 §12.1)', () => {
    const timestamp = 1_735_559_973_000n;
    expect(rewardOf(publicNetwork, 0x20ffffff, timestamp)).toBe(180n * 10n ** 16n);
    expect(rewardOf(developmentNetwork, 0x20ffffff, timestamp)).toBe(181n * 10n ** 16n);
  });

  it.each([
    [0x00ffffff, 0n],
    [0x01123456, 0x12n],
    [0x02123456, 0x1234n],
    [0x03123456, 0x12_3456n],
    [0x04123456, 0x1234_5600n],
  ])('reads the target %x as mantissa times 256^(size-3), rounded down (protocol 03 §9.1)', (bits, value) => {
    expect(valueOfTarget(bits)).toBe(value);
  });

  it('gives what the product gives, over all times and targets', () => {
    const target = fc
      .record({ size: fc.integer({ min: 24, max: 32 }), mantissa: fc.integer({ min: 1, max: 0xffffff }) })
      .map(({ size, mantissa }) => ((size << 24) | mantissa) >>> 0);
    const age = fc.bigInt({ min: 0n, max: 3_000_000_000_000n });
    fc.assert(
      fc.property(target, age, fc.constantFrom(10n, 64_000n), (bits, ms, blockTargetTime) => {
        const network = { ...developmentNetwork, blockTargetTime };
        expect(rewardOf(network, bits, launchTimestamp + ms)).toBe(blockReward(network, bits, launchTimestamp + ms));
      }),
      { numRuns: 2_000 },
    );
  });

  // The project's own copy of the vectors leaves out what may not be copied.
  const { reward } = readVectors<{ reward?: RewardVectors }>('consensus.json');
  (reward ? it : it.skip)('agrees with the vectors', () => {
    const { byTime, byTarget, blockReward: rows } = reward!;
    const year = 31_536_000_000n;
    for (const { yearsAfterLaunch, attoCoin } of byTime) {
      // This much work earns the first maximum, so that the time decides.
      const timestamp = launchTimestamp + BigInt(yearsAfterLaunch) * year;
      expect(rewardOf(publicNetwork, 0x1b010000, timestamp)).toBe(BigInt(attoCoin));
    }
    const all = [...byTarget.map((row) => ({ ...row, timestamp: launchTimestamp })), ...rows];
    for (const { bits, timestamp, attoCoin } of all) {
      expect(rewardOf(publicNetwork, parseInt(bits, 16), BigInt(timestamp))).toBe(BigInt(attoCoin));
    }
  });
});

import { describe, expect, it } from '@jest/globals';
import { readVectors } from '@shardnode/testing/vectors';
import { bytesToHex, decode, encode, hexToBytes } from '../encoding/index.js';
import { type NetworkSettings, developmentNetwork, settingsOfKind, settingsOfNetwork } from '../network/index.js';
import { assetLockupScriptCodec } from '../primitives/index.js';
import { transactionCodec, transactionId } from '../transaction/index.js';
import {
  blockReward,
  buildCoinbase,
  coinbaseData,
  hashRateOf,
  launchTimestamp,
  parseCoinbaseData,
  rewardByHashRate,
  rewardByTime,
  rewardLimitTarget,
  rewardSchedule,
  targetOfHashRate,
  targetValue,
} from './index.js';

interface RewardVectors {
  coinbase: {
    name: string;
    groups: number;
    networkId: number;
    chainIndex: [number, number];
    blockTimestamp: number;
    target: string;
    minerLockupScript: string;
    minerData?: string;
    reward: string;
    transaction: string;
    txId: string;
  }[];
  reward?: {
    constants: Record<string, string | number>;
    byTime: { elapsedMillis: string; reward: string }[];
    byTarget: { target: string; hashRate: string; reward: string }[];
    byHashRate: { hashRate: string; reward: string }[];
    combined: { target: string; blockTimestamp: string; byTime?: string; byTarget?: string; reward?: string }[];
  };
}

const { coinbase, reward } = readVectors<RewardVectors>('tx-validation.json');
const publicNetwork = settingsOfKind('main');
const bitsOf = (hex: string): number => parseInt(hex, 16);
const hexOf = (bits: number): string => bits.toString(16).padStart(8, '0');

const shownConstants = (settings: NetworkSettings): object => {
  const schedule = rewardSchedule(settings);
  return {
    initialMaxRewardPerChain: schedule.initialMaximum.toString(),
    stableMaxRewardPerChain: schedule.stableMaximum.toString(),
    lowHashRateRewardPerChain: schedule.lowHashRateReward.toString(),
    blocksPerYearPerChain: Number(schedule.blocksPerYear),
    millisToStable: schedule.timeToStable.toString(),
    millisToZero: schedule.timeToZero.toString(),
    millisPerCent: schedule.timePerCent.toString(),
    onePhTarget: hexOf(targetOfHashRate(settings, 1n << 50n)),
    oneEhTarget: hexOf(rewardLimitTarget(settings)),
    target128Eh: hexOf(targetOfHashRate(settings, 1n << 67n)),
  };
};

describe('rewards of the public networks', () => {
  if (!reward) {
    it.skip('no such vectors in this set', () => undefined);
    return;
  }
  it('constants', () => expect(shownConstants(publicNetwork)).toEqual(reward.constants));
  it.each(reward.byTime)('$elapsedMillis ms after launch', (vector) => {
    const timestamp = launchTimestamp + BigInt(vector.elapsedMillis);
    expect(rewardByTime(publicNetwork, timestamp)).toBe(BigInt(vector.reward));
  });
  it.each(reward.byTarget)('at target $target', ({ target, hashRate, reward: expected }) => {
    expect(hashRateOf(publicNetwork, bitsOf(target))).toBe(BigInt(hashRate));
    expect(rewardByHashRate(publicNetwork, BigInt(hashRate))).toBe(BigInt(expected));
  });
  it.each(reward.byHashRate)('at $hashRate hashes per second', ({ hashRate, reward: expected }) => {
    expect(rewardByHashRate(publicNetwork, BigInt(hashRate))).toBe(BigInt(expected));
  });
  it.each(reward.combined)('at $target, $blockTimestamp', (vector) => {
    const bits = bitsOf(vector.target);
    if (vector.reward === undefined) {
      expect(targetValue(bits)).toBeLessThan(targetValue(rewardLimitTarget(publicNetwork)));
      return;
    }
    expect(rewardByTime(publicNetwork, BigInt(vector.blockTimestamp))).toBe(BigInt(vector.byTime!));
    expect(rewardByHashRate(publicNetwork, hashRateOf(publicNetwork, bits))).toBe(BigInt(vector.byTarget!));
    expect(blockReward(publicNetwork, bits, BigInt(vector.blockTimestamp))).toBe(BigInt(vector.reward));
  });
});

describe('rewards by hash rate (protocol 02 §12.2 point 2)', () => {
  it.each([
    ['at least the low one', 1n, 1_875_000_000_000_000_000n],
    ['on the first row', 2n ** 49n + 2n ** 48n, 3_712_500_000_000_000_000n],
    ['at the end of the first row', 2n ** 50n - 1n, 3_749_999_999_999_999_866n],
    ['at the begin of the second', 2n ** 50n, 3_750_000_000_000_000_000n],
    ['on the second row', 2n ** 50n + 2n ** 49n, 3_625_000_000_000_000_000n],
    ['at the end of the second row', 2n ** 60n - 1n, 1_250_000_000_000_000_001n],
    ['at the begin of the third', 2n ** 60n, 1_250_000_000_000_000_000n],
    ['on the third row', 2n ** 66n + 2n ** 65n, 89_285_714_285_714_287n],
    ['at the end of the third row', 2n ** 67n - 1n, 2n],
    ['behind it', 2n ** 67n, 0n],
  ])('%s', (_, rate, expected) => expect(rewardByHashRate(publicNetwork, rate)).toBe(expected));

  it('begin with a rate of one hash per second', () => {
    expect(hashRateOf({ ...publicNetwork, groups: 1 }, 0x20ffffff)).toBe(1n);
    expect(hashRateOf(publicNetwork, 0x20ffffff)).toBe(4n);
  });

  it.each([
    ['none', 1n, '20ffffff'],
    ['one', 4n, '20ffffff'],
    ['two', 8n, '20800000'],
  ])('have a target at a difficulty of %s', (_, rate, target) => {
    expect(hexOf(targetOfHashRate(publicNetwork, rate))).toBe(target);
  });
});

describe('rewards with a block target time of 10 ms (protocol 02 §12.1)', () => {
  const schedule = rewardSchedule(developmentNetwork);

  it('constants', () => {
    expect(schedule).toEqual({
      initialMaximum: 3_750_000_000_000_000_000n,
      stableMaximum: 1_250_000_000_000_000_000n,
      lowHashRateReward: 1_875_000_000_000_000_000n,
      blocksPerYear: 3_153_600_000n,
      timeToStable: 126_144_000_000n,
      timeToZero: 2_585_952_000_000n,
      timePerCent: 508_645_160n,
    });
    expect(hexOf(rewardLimitTarget(developmentNetwork))).toBe('1b064000');
  });

  it('gives 1.81 where the public networks give 1.80', () => {
    const timestamp = 1_735_559_973_000n;
    expect(blockReward(developmentNetwork, 0x20ffffff, timestamp)).toBe(1_810_000_000_000_000_000n);
    expect(blockReward(publicNetwork, 0x20ffffff, timestamp)).toBe(1_800_000_000_000_000_000n);
  });
});

describe('coinbase', () => {
  it.each(coinbase)('$name', (vector) => {
    const settings = { ...settingsOfNetwork(vector.networkId), groups: vector.groups };
    const [from, to] = vector.chainIndex;
    const timestamp = BigInt(vector.blockTimestamp);
    expect(blockReward(settings, bitsOf(vector.target), timestamp)).toBe(BigInt(vector.reward));
    const built = buildCoinbase(
      settings,
      { from, to },
      timestamp,
      bitsOf(vector.target),
      decode(assetLockupScriptCodec, hexToBytes(vector.minerLockupScript)),
      vector.minerData === undefined ? undefined : hexToBytes(vector.minerData),
    );
    expect(bytesToHex(encode(transactionCodec, built))).toBe(vector.transaction);
    expect(transactionId(built.unsigned)).toBe(vector.txId);
  });

  it('data is chain, timestamp and whatever the miner adds', () => {
    const minerData = Uint8Array.of(1, 2, 3);
    const data = coinbaseData({ from: 3, to: 1 }, 1_700_000_000_000n, minerData);
    expect(bytesToHex(data)).toBe('03010000018bcfe56800010203');
    expect(parseCoinbaseData(data)).toEqual({ chain: { from: 3, to: 1 }, timestamp: 1_700_000_000_000n, minerData });
  });

  it('data of fewer than 10 bytes or with a negative timestamp is none', () => {
    expect(parseCoinbaseData(new Uint8Array(9))).toBeUndefined();
    expect(parseCoinbaseData(new Uint8Array(10))?.timestamp).toBe(0n);
    expect(parseCoinbaseData(hexToBytes('00008000000000000000'))).toBeUndefined();
  });
});

import { describe, expect, it } from '@jest/globals';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { parseAssetAddress } from '../address/index.js';
import { blake2bTwice } from '../crypto/index.js';
import { bytesToHex, hexToBytes } from '../encoding/index.js';
import { type NetworkSettings, maxTarget, settingsOfKind } from '../network/index.js';
import { transactionId } from '../transaction/index.js';
import {
  blockReward,
  chainIndexOfHash,
  compactTarget,
  decodeHeader,
  genesisBlocks,
  hashRateOf,
  launchTimestamp,
  rewardByHashRate,
  rewardByTime,
  rewardLimitTarget,
  targetOfDifficulty,
  targetOfHashRate,
  targetValue,
  workOf,
} from './index.js';

interface GenesisSection {
  networkId: number;
  numZeros: number;
  proof: string[];
  proofHash?: string;
  allocations: { address: string; attoCoin: string; lockMs: number }[];
  blocks: { chain: [number, number]; hash: string; nonce: string; txsHash: string; txIds: string[]; block: string }[];
}
interface ConsensusVectors {
  compactTarget?: {
    cases: { value: string; bits: string }[];
    normalise: { cases: [string, string][] };
    maxTarget: { cases: [number, string][] };
  };
  difficulty?: { cases: { bits: string; value: string; difficulty: string; backToTarget: string }[] };
  hashRate?: { cases: { bits: string; hashesPerSecond: string }[] };
  reward?: {
    byTime: { yearsAfterLaunch: number; attoCoin: string }[];
    byTarget: { bits: string; attoCoin: string }[];
    oneEhTargetBits: string;
    blockReward: { bits: string; timestamp: number; attoCoin: string }[];
  };
  chainIndexOfHash?: { cases: { hash: string; groups: number; chain: [number, number] }[] };
  headerHash?: { groups: number; header: string; hash: string };
  genesis: {
    mainnetCheck?: { lastFourBytes: string[]; hashes: string[] };
    devnetTemplate: GenesisSection;
    replayNet: GenesisSection;
  };
}

const file = 'consensus.json';
const vectors = readVectors<ConsensusVectors>(file);
const settings = settingsOfKind('main');
const bitsOf = (hex: string): number => parseInt(hex, 16);
const hexOf = (bits: number): string => bits.toString(16).padStart(8, '0');

const settingsOf = (section: GenesisSection): NetworkSettings => ({
  ...settingsOfKind('development'),
  networkId: section.networkId,
  numZeros: section.numZeros,
  preMineProof: section.proof,
  allocations: section.allocations.map(({ address, attoCoin, lockMs }) => ({
    lockupScript: parseAssetAddress(address)!,
    amount: BigInt(attoCoin),
    lockDuration: BigInt(lockMs),
  })),
});

const checkGenesis = (name: string, section: GenesisSection): void => {
  it(`genesis blocks of ${name}`, () => {
    const computed = genesisBlocks(settingsOf(section)).map((block) => ({
      chain: [block.header.chainIndex.from, block.header.chainIndex.to],
      hash: block.header.hash,
      nonce: BigInt(`0x${bytesToHex(block.header.nonce)}`).toString(),
      txsHash: block.header.txsHash,
      txIds: block.transactions.map(({ unsigned }) => transactionId(unsigned)),
      block: bytesToHex(block.raw),
    }));
    expect(computed).toEqual(section.blocks);
    if (section.proofHash !== undefined) {
      expect(bytesToHex(blake2bTwice(new TextEncoder().encode(section.proof.join(''))))).toBe(section.proofHash);
    }
  });
};

/** One walker for each section; a section that is claimed but missing here fails. */
const walkers: Record<string, () => void> = {
  compactTarget: () => {
    const section = vectors.compactTarget;
    if (!section) return;
    it.each(section.cases)('target of $value is $bits', ({ value, bits }) => {
      expect(hexOf(compactTarget(BigInt(value)))).toBe(bits);
    });
    it.each(section.normalise.cases)('%s becomes %s', (bits, normal) => {
      expect(hexOf(compactTarget(targetValue(bitsOf(bits))))).toBe(normal);
    });
    it.each(section.maxTarget.cases)('%i leading zeros: %s', (numZeros, bits) => {
      expect(hexOf(maxTarget({ ...settings, numZeros }))).toBe(bits);
    });
  },
  difficulty: () => {
    const section = vectors.difficulty;
    if (!section) return;
    it.each(section.cases)('difficulty of $bits', ({ bits, value, difficulty, backToTarget }) => {
      expect(targetValue(bitsOf(bits))).toBe(BigInt(value));
      expect(workOf(bitsOf(bits))).toBe(BigInt(difficulty));
      expect(hexOf(targetOfDifficulty(BigInt(difficulty)))).toBe(backToTarget);
    });
  },
  hashRate: () => {
    const section = vectors.hashRate;
    if (!section) return;
    it.each(section.cases)('hash rate of $bits', ({ bits, hashesPerSecond }) => {
      expect(hashRateOf(settings, bitsOf(bits))).toBe(BigInt(hashesPerSecond));
    });
  },
  reward: () => {
    const section = vectors.reward;
    if (!section) return;
    const year = 365n * 86_400_000n;
    it.each(section.byTime)('reward $yearsAfterLaunch years after launch', (vector) => {
      const timestamp = launchTimestamp + BigInt(vector.yearsAfterLaunch) * year;
      expect(rewardByTime(settings, timestamp)).toBe(BigInt(vector.attoCoin));
    });
    it.each(section.byTarget)('reward at target $bits', ({ bits, attoCoin }) => {
      expect(rewardByHashRate(settings, hashRateOf(settings, bitsOf(bits)))).toBe(BigInt(attoCoin));
    });
    it.each(section.blockReward)('reward at $bits, $timestamp', ({ bits, timestamp, attoCoin }) => {
      expect(blockReward(settings, bitsOf(bits), BigInt(timestamp))).toBe(BigInt(attoCoin));
    });
    const { oneEhTargetBits } = section;
    it('the hardest target with a reward', () => {
      expect(hexOf(rewardLimitTarget(settings))).toBe(oneEhTargetBits);
      expect(hexOf(targetOfHashRate(settings, 1n << 60n))).toBe(oneEhTargetBits);
    });
  },
  chainIndexOfHash: () => {
    const section = vectors.chainIndexOfHash;
    if (!section) return;
    it.each(section.cases)('chain of $hash, $groups groups', ({ hash, groups, chain }) => {
      expect(chainIndexOfHash(hash, groups)).toEqual({ from: chain[0], to: chain[1] });
    });
  },
  headerHash: () => {
    const vector = vectors.headerHash;
    if (!vector) return;
    it('hash of a header', () => {
      expect(decodeHeader(hexToBytes(vector.header), vector.groups).hash).toBe(vector.hash);
    });
  },
  genesis: () => {
    checkGenesis('the development template', vectors.genesis.devnetTemplate);
    checkGenesis('the replay network', vectors.genesis.replayNet);
    const { mainnetCheck } = vectors.genesis;
    if (!mainnetCheck) return;
    // The blocks themselves are computed and compared in the specification beside blocks.json.
    it('last four bytes on the main network', () => {
      expect(mainnetCheck.hashes.map((hash) => hash.slice(56))).toEqual(mainnetCheck.lastFourBytes);
      const { genesis } = readVectors<{ genesis: { main: { hash: string }[] } }>('blocks.json');
      expect(genesis.main.map(({ hash }) => hash)).toEqual(mainnetCheck.hashes);
    });
  },
};

describe(file, () => {
  for (const section of sectionsClaimedBy(file, 'block')) {
    const walk = walkers[section];
    if (walk) walk();
    else it(`has a walker for ${section}`, () => expect(Object.keys(walkers)).toContain(section));
  }
});

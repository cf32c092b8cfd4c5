import { describe, expect, it } from '@jest/globals';
import { bytesToHex, hexToBytes } from '@shardnode/protocol/encoding';
import { sign, verifySignature } from '@shardnode/protocol/crypto';
import { readVectors, sectionsClaimedBy } from '@shardnode/testing/vectors';
import { seedOf } from '../mnemonic-seed.js';
import { completeSets } from './miner-sets.js';
import { UnlockedWallet, type WalletAddress } from './unlocked-wallet.js';

interface KeyVector {
  readonly index: number;
  readonly path: string;
  readonly privateKey: string;
  readonly publicKey: string;
  readonly address: string;
  readonly group: number;
}
interface Derivation {
  readonly mnemonic: string;
  readonly mnemonicPassphrase: string | null;
  readonly seed: string;
  readonly keys: readonly KeyVector[];
}
interface WalletVectors {
  readonly walletDerivation: readonly Derivation[];
  readonly walletDeriveForGroup: {
    readonly steps: readonly {
      readonly request: string;
      readonly derivedIndexes: readonly number[];
      readonly answeredIndex: number;
      readonly activeIndexAfter: number;
      readonly addressesAfter: number;
    }[];
  };
  readonly walletMiner?: {
    readonly mnemonic: string;
    readonly groupsOfIndexes: readonly number[];
    readonly afterRestoreIsMiner: {
      readonly derivedIndexes: readonly number[];
      readonly activeIndex: number;
      readonly minerAddressIndexes: readonly number[][];
    };
    readonly afterDeriveNextMinerAddresses: {
      readonly derivedIndexes: readonly number[];
      readonly answerIndexes: readonly number[];
      readonly minerAddressIndexes: readonly number[][];
    };
  };
  readonly sign: readonly {
    readonly privateKey: string;
    readonly publicKey: string;
    readonly data: string;
    readonly signature: string;
  }[];
}

const file = 'http-examples.json';
const vectors = readVectors<WalletVectors>(file);
const groups = 4;
const seedOfText = (mnemonic: string, passphrase?: string): Promise<Uint8Array> =>
  seedOf(mnemonic.split(' '), passphrase);
const shown = ({ index, path, publicKey, address, group }: WalletAddress) => ({
  index,
  path,
  publicKey: bytesToHex(publicKey),
  address,
  group,
});

const testedSections: Record<keyof WalletVectors, () => void> = {
  walletDerivation: () => {
    it.each(vectors.walletDerivation)('keys of $keys.0.address', async (vector) => {
      const seed = await seedOfText(vector.mnemonic, vector.mnemonicPassphrase ?? undefined);
      expect(bytesToHex(seed)).toBe(vector.seed);
      const shape = { isMiner: false, addressCount: vector.keys.length, activeIndex: 2 };
      const wallet = await UnlockedWallet.open(seed, groups, shape);
      expect(wallet.addresses.map(shown)).toEqual(vector.keys.map(({ privateKey: _, ...key }) => key));
      expect(wallet.active.index).toBe(2);
      expect(seed.every((byte) => byte === 0)).toBe(true);
      const message = new Uint8Array(32).fill(9);
      for (const { index, privateKey } of vector.keys)
        expect(wallet.sign(index, message)).toEqual(sign(message, hexToBytes(privateKey)));
    });
  },
  walletDeriveForGroup: () => {
    it('derives until the group appears', async () => {
      const wallet = UnlockedWallet.create(await seedOfText(vectors.walletDerivation[0]!.mnemonic), groups, false);
      for (const step of vectors.walletDeriveForGroup.steps) {
        const before = wallet.addresses.length;
        const next = wallet.deriveNext(Number(step.request.at(-1)));
        wallet.activate(next);
        expect(wallet.addresses.slice(before).map(({ index }) => index)).toEqual(step.derivedIndexes);
        expect(next.index).toBe(step.answeredIndex);
        expect(wallet.shape).toEqual({
          isMiner: false,
          addressCount: step.addressesAfter,
          activeIndex: step.activeIndexAfter,
        });
      }
    });
  },
  walletMiner: () => {
    // The project's own copy lacks this section.
    const vector = vectors.walletMiner;
    if (!vector) return;
    it('a miner wallet has an address in every group and shows complete sets', async () => {
      const wallet = UnlockedWallet.create(await seedOfText(vector.mnemonic), groups, true);
      const { derivedIndexes, activeIndex, minerAddressIndexes } = vector.afterRestoreIsMiner;
      expect(wallet.shape).toEqual({ isMiner: true, addressCount: derivedIndexes.length, activeIndex });
      expect(wallet.addresses.map(({ index }) => index)).toEqual(minerAddressIndexes.flat());
      expect(wallet.minerSets.map((set) => set.map(({ index }) => index))).toEqual(minerAddressIndexes);
      const after = vector.afterDeriveNextMinerAddresses;
      expect(wallet.deriveNextMinerSet().map(({ index }) => index)).toEqual(after.answerIndexes);
      expect(wallet.shape.addressCount).toBe(derivedIndexes.length + after.derivedIndexes.length);
      expect(wallet.addresses.map(({ index }) => index)).toEqual(
        vector.afterDeriveNextMinerAddresses.minerAddressIndexes.flat(),
      );
      expect(wallet.active.index).toBe(activeIndex);
    });
    it('complete sets of the groups', () => {
      const addresses = vector.groupsOfIndexes.map((group, index) => ({ group, index }));
      expect(completeSets(addresses, groups).map((set) => set.map(({ index }) => index))).toEqual(
        vector.afterDeriveNextMinerAddresses.minerAddressIndexes,
      );
    });
  },
  sign: () => {
    it.each(vectors.sign)('signature by $publicKey', async ({ privateKey, publicKey, data, signature }) => {
      const { mnemonic, keys } = vectors.walletDerivation[0]!;
      const wallet = UnlockedWallet.create(await seedOfText(mnemonic), groups, false);
      expect(keys[0]!.privateKey).toBe(privateKey);
      expect(bytesToHex(wallet.sign(0, hexToBytes(data)))).toBe(signature);
      expect(verifySignature(hexToBytes(data), hexToBytes(signature), hexToBytes(publicKey))).toBe(true);
    });
  },
};

describe(`unlocked wallet: ${file}`, () => {
  it('tests every claimed section', () => {
    expect(Object.keys(testedSections).sort()).toEqual(sectionsClaimedBy(file, 'wallet').sort());
  });
  for (const [section, tests] of Object.entries(testedSections)) if (section in vectors) describe(section, tests);
});

describe('unlocked wallet', () => {
  const seed = (): Uint8Array => new Uint8Array(64).fill(5);

  it('removes addresses that could not be stored', () => {
    const wallet = UnlockedWallet.create(seed(), groups, false);
    const before = wallet.shape;
    const first = wallet.deriveNext(undefined);
    wallet.activate(first);
    wallet.restoreShape(before);
    expect(wallet.shape).toEqual(before);
    expect(() => wallet.sign(1, new Uint8Array(32))).toThrow('The wallet is locked');
    expect(wallet.deriveNext(undefined)).toEqual(first);
  });

  it('opens thousands of addresses without blocking the event loop', async () => {
    // Event-loop ticks, not milliseconds: other load of the machine is no fault of the wallet.
    let turns = 0;
    const timer = setInterval(() => (turns += 1), 1);
    const wallet = await UnlockedWallet.open(seed(), groups, { isMiner: false, addressCount: 1000, activeIndex: 999 });
    clearInterval(timer);
    expect(wallet.active.index).toBe(999);
    expect(turns).toBeGreaterThan(30);
  });

  it('an address of another wallet is unknown', () => {
    const wallet = UnlockedWallet.create(seed(), groups, false);
    expect(() => wallet.find('1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH')).toThrow(
      /^Address 1DrDy\w+ is not of this wallet, which has \d+ address/,
    );
  });
});

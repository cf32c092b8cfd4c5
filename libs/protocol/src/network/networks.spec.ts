import { readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { historyFolder, readVectors } from '@shardnode/testing/vectors';
import { genesisBlocks } from '../block/index.js';
import { bytesToHex } from '../encoding/index.js';
import { developmentNetwork, maxTarget, parseGenesisFile, settingsOfKind, settingsOfNetwork } from './index.js';

interface GenesisFile {
  maxTarget: string;
  genesisBlocks: { chain: [number, number]; hash: string; raw: string }[];
}

const histories = [
  'chain-transfers',
  ...readdirSync(historyFolder('chain-forks'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `chain-forks/${name}`),
];

describe('genesis files', () => {
  it.each(histories)('the blocks computed for %s are those recorded', (history) => {
    const file = readVectors<GenesisFile>(`${history}/genesis.json`);
    const settings = parseGenesisFile(file);
    expect(maxTarget(settings).toString(16).padStart(8, '0')).toBe(file.maxTarget);
    const computed = genesisBlocks(settings).map(({ header, raw }) => ({
      chain: [header.chainIndex.from, header.chainIndex.to],
      hash: header.hash,
      raw: bytesToHex(raw),
    }));
    expect(computed).toEqual(file.genesisBlocks.map(({ chain, hash, raw }) => ({ chain, hash, raw })));
  });

  it('chain-transfers is a history of the development network', () => {
    expect(parseGenesisFile(readVectors('chain-transfers/genesis.json'))).toEqual(developmentNetwork);
  });

  it('takes what is absent from the kind of network, and amounts in both forms', () => {
    const address = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';
    const settings = parseGenesisFile({ networkId: 5, allocations: [{ address, attoCoinAmount: '2.5 COIN' }] });
    expect({ ...settings, allocations: [] }).toEqual(settingsOfNetwork(5));
    expect(settings.allocations).toMatchObject([{ amount: 2_500_000_000_000_000_000n, lockDuration: 0n }]);
  });

  it('with the id of the development network is as easy to mine', () => {
    expect(parseGenesisFile({ networkId: 4 })).toEqual({ ...developmentNetwork, allocations: [] });
    expect(parseGenesisFile({ networkId: 4, numZeros: 12 }).numZeros).toBe(12);
  });

  const address = '1DrDyTr9RpRsQnDnXo2YRiPzPW4ooHX5LLoqXrqfMrpQH';
  it.each([
    [null, 'the file: expected an object'],
    [[], 'the file: expected an object'],
    [{}, 'networkId: expected an integer from -128 to 127'],
    [{ networkId: 128 }, 'networkId: expected an integer from -128 to 127'],
    [{ networkId: 4, numZeros: 256 }, 'numZeros: expected an integer from 0 to 255'],
    [{ networkId: 4, numZeros: 1.5 }, 'numZeros: expected an integer from 0 to 255'],
    [{ networkId: 4, blockTargetTimeMs: 0 }, 'blockTargetTimeMs: expected an integer from 1'],
    [{ networkId: 4, allocations: {} }, 'allocations: expected a list'],
    [{ networkId: 4, allocations: [{}] }, 'allocations[0].address: expected an asset address'],
    [
      {
        networkId: 4,
        allocations: [{ address: '22sTaM5xer7h81LzaGA2JiajRwHwECpAv9bBuFUH5rrnr', attoCoinAmount: '1' }],
      },
      'allocations[0].address: expected an asset address',
    ],
    [{ networkId: 4, allocations: [{ address, group: 1, attoCoinAmount: '1' }] }, 'allocations[0].group: expected 0'],
    [{ networkId: 4, allocations: [{ address, attoCoinAmount: 1 }] }, 'allocations[0].attoCoinAmount: expected'],
    [{ networkId: 4, allocations: [{ address, attoCoinAmount: '-1' }] }, 'allocations[0].attoCoinAmount: expected'],
    [{ networkId: 4, noPreMineProof: ['ü'] }, 'noPreMineProof: expected a list of ASCII texts'],
  ])('refuses %j and names the field', (json, text) => {
    expect(() => parseGenesisFile(json)).toThrow(RangeError);
    expect(() => parseGenesisFile(json)).toThrow(`genesis file: ${text}`);
  });
});

describe('kinds of network', () => {
  it('main, test and development template (protocol 03 §2.3)', () => {
    expect(settingsOfKind('main')).toMatchObject({ networkId: 0, numZeros: 37, coinbaseLockPeriod: 30_000_000n });
    expect(settingsOfKind('test')).toMatchObject({ networkId: 1, numZeros: 24, uncleDependencyGap: 16_000n });
    expect(settingsOfKind('development')).toMatchObject({ networkId: 2, numZeros: 0, uncleDependencyGap: 0n });
    expect(settingsOfNetwork(3)).toMatchObject({ numZeros: 37, coinbaseLockPeriod: 600_000n });
  });

  it('the intra-group genesis hashes of the development network (protocol 03 §3)', () => {
    const hashes = genesisBlocks(developmentNetwork).map(({ header }) => header.hash);
    expect([hashes[0], hashes[5], hashes[10], hashes[15]]).toEqual([
      '3141e20a6353672bedf64c3da3a0c238f2d771a665d019ec86c1a80c50d51590',
      '5e9209fbf2b4c656b136933684b8606382575f16795ddc7a6317c5d4b7e378c5',
      'b5d69f03d4d0eea5a4c7e0bc0e2e8c5a8f99306050d641b599991b441ea0f9ea',
      'f344b3dd45f39d62cfd200cfa3312c080018102908787c5565b8c8af3647368f',
    ]);
  });
});

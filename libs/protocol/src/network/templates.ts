import { type NetworkSettings } from './settings.js';

/** The three kinds of network; `id mod 3` picks one (protocol 03 §2.3). */
export type NetworkKind = 'main' | 'test' | 'development';

/** Default settings of a kind of network; allocations and id belong to the network itself. */
type NetworkTemplate = Omit<NetworkSettings, 'networkId' | 'allocations' | 'coinbaseLockPeriod'>;

const templates: { readonly [kind in NetworkKind]: NetworkTemplate } = {
  main: {
    groups: 4,
    numZeros: 37,
    blockTargetTime: 64_000n,
    uncleDependencyGap: 16_000n,
    preMineProof: [
      '0000000000000000000ccf523e4fdd7bb414eee8d70bd993df317691302313df',
      'a7f069215d1390b7f6af3f961030bb0957a31f7ad2315b35334841794d0c329d',
    ],
  },
  test: {
    groups: 4,
    numZeros: 24,
    blockTargetTime: 64_000n,
    uncleDependencyGap: 16_000n,
    preMineProof: [
      '0000000000000000000a4f99913767b9c730d9ce77b2d3238a4d7d169a2fd637',
      '9cbbf357f1bc2fd0f3e605748d862f3cdb25d6fe778e17f33e0d42e78a067d52',
    ],
  },
  development: {
    groups: 4,
    numZeros: 0,
    blockTargetTime: 64_000n,
    uncleDependencyGap: 0n,
    preMineProof: [
      '00000000000000000001b3a4df896d60492f0041a1cfe3b9dccd4e6b83ff57f3',
      'cf874fe2276967ab4d514a4e59b2d2a60b9fc810a3763b188f0b122368004deb',
    ],
  },
};

/** 0 main, 1 test, 2 development, by the remainder of the id (protocol 03 §2.3). */
const kindOfNetwork = (networkId: number): NetworkKind => {
  const kinds: readonly NetworkKind[] = ['main', 'test', 'development'];
  return kinds[((networkId % 3) + 3) % 3]!;
};

/** 500 minutes on network 0, 10 minutes on every other one, in milliseconds (protocol 03 §2.3). */
export const coinbaseLockPeriodOf = (networkId: number): bigint => (networkId === 0 ? 30_000_000n : 600_000n);

/** The default settings of a network, without allocations (protocol 03 §2.3). */
export const settingsOfNetwork = (networkId: number): NetworkSettings => ({
  ...templates[kindOfNetwork(networkId)],
  networkId,
  coinbaseLockPeriod: coinbaseLockPeriodOf(networkId),
  allocations: [],
});

/** The settings of the public networks and the development template: ids 0, 1 and 2 (protocol 03 §2.3). */
export const settingsOfKind = (kind: NetworkKind): NetworkSettings =>
  settingsOfNetwork(kind === 'main' ? 0 : kind === 'test' ? 1 : 2);

/**
 * Mnemonic of the development network (protocol 00, decision 22): its indexes 0, 3, 1, 2 are the allocations of groups
 * 0 to 3.
 */
export const developmentMnemonic =
  'vault alarm sad mass witness property virus style good flower rice alpha viable evidence run glare pretty scout evil judge enroll refuse another lava';

/** The private keys of these accounts (32 bytes, hexadecimal), number g of group g. They are public. */
export const developmentPrivateKeys = [
  'a642942e67258589cd2b1822c631506632db5a12aabcf413604e785300d762a5',
  'ec8c4e863e4027d5217c382bfc67bd2638f21d6f956653505229f1d242123a9a',
  'bd7dd0c4abd3cf8ba2d169c8320a2cc8bc8ab583b0db9a32d4352d6f5b15d037',
  '93ae1392f36a592aca154ea14e51b791c248beaea1b63117c57cc46d56e5f482',
] as const;

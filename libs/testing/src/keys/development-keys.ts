import { pbkdf2Sync } from 'node:crypto';
import { deriveWalletKey, type Mnemonic, mnemonicToSeed, parseMnemonic } from '@shardnode/protocol/address';
import { testKeyOf, type TestKey } from './test-keys.js';

/** The public mnemonic of the development network (decisions, 22). */
export const developmentMnemonic: Mnemonic = parseMnemonic(
  'vault alarm sad mass witness property virus style good flower rice alpha viable evidence run glare pretty scout ' +
    'evil judge enroll refuse another lava',
)!;

/** Indexes of the mnemonic whose addresses the genesis of the development network funds, by group. */
const fundedIndexes = [0, 3, 1, 2];

/** The funded keys of the development network, number g in group g. */
export const developmentKeys = async (): Promise<readonly TestKey[]> => {
  const seed = await mnemonicToSeed(developmentMnemonic, '', (password, salt, rounds, length) =>
    Promise.resolve(new Uint8Array(pbkdf2Sync(password, salt, rounds, length, 'sha512'))),
  );
  return fundedIndexes.map((index) => testKeyOf(deriveWalletKey(seed, index).privateKey));
};

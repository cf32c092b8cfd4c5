import { expect, it } from '@jest/globals';
import { bytesToHex } from '@shardnode/protocol/encoding';
import { developmentKeys, developmentMnemonic as knownMnemonic } from '@shardnode/testing/keys';
import { developmentMnemonic, developmentPrivateKeys } from './development-accounts.js';

it('the private keys are those of the mnemonic, by group', async () => {
  expect(developmentMnemonic).toBe(knownMnemonic.join(' '));
  const keys = await developmentKeys();
  expect(keys.map(({ privateKey }) => bytesToHex(privateKey))).toEqual([...developmentPrivateKeys]);
});

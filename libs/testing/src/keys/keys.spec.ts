import { describe, expect, it } from '@jest/globals';
import { addressOf } from '@shardnode/protocol/address';
import { developmentNetwork } from '@shardnode/protocol/network';
import { developmentKeys, testKey, testKeyOfGroup, testKeysOfGroup } from './index.js';

describe('test keys', () => {
  it('are the funded keys of the development network, by group', async () => {
    const keys = await developmentKeys();
    expect(keys.map((key) => key.address)).toEqual(
      developmentNetwork.allocations.map((allocation) => addressOf(allocation.lockupScript)),
    );
    expect(keys.map((key) => key.group)).toEqual([0, 1, 2, 3]);
  });

  it('are the same at every call and lie in the wanted group', () => {
    expect(testKey(5)).toEqual(testKey(5));
    for (const group of [0, 1, 2, 3]) {
      const keys = testKeysOfGroup(group, 3);
      expect(keys.map((key) => key.group)).toEqual([group, group, group]);
      expect(new Set(keys.map((key) => key.address)).size).toBe(3);
      expect(testKeyOfGroup(group)).toEqual(keys[0]);
    }
  });
});

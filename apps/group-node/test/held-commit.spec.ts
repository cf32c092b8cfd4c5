import { describe } from '@jest/globals';
import { type GroupStore } from '../src/store/index.js';
import { answersReads, type HeldStore } from './support/held-commits.js';
import { memoryStores } from './support/memory-stores.js';

/** A writer whose commits wait before they reach the store. */
const heldBefore = (store: GroupStore): Pick<HeldStore, 'store' | 'hold'> => {
  let held: Promise<void> | undefined;
  const commitBlocks: GroupStore['commitBlocks'] = async (commits) => {
    await held;
    await store.commitBlocks(commits);
  };
  return {
    store: { ...store, commitBlocks },
    hold: async () => {
      let release = (): void => undefined;
      held = new Promise((resolve) => (release = resolve));
      return release;
    },
  };
};

describe('while a commit is held before the store', () =>
  answersReads(async () => {
    const stores = await memoryStores();
    return { stores, ...heldBefore(await stores.store(0)) };
  }));

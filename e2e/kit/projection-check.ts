import { openGroupStore } from '../../apps/group-node/src/store/index.js';
import { type Deployment } from './deployment.js';
import { groups } from './chains.js';

/**
 * Opens the data of a stopped network and compares the unspent outputs that each group-node shows with a scan of its
 * state trie. Gives the number of outputs of all groups; fails with the first difference.
 */
export const checkProjections = async (deployment: Deployment): Promise<number> => {
  const databases = await deployment.openDatabases();
  try {
    let outputs = 0;
    for (const group of groups) {
      const database = databases.service(`group_${group}`);
      const store = await openGroupStore({ database, group, groups: groups.length });
      const { equal, difference, utxoCount } = await store.checkProjection();
      if (!equal) throw new Error(`group ${group}: ${difference}`);
      outputs += utxoCount;
    }
    return outputs;
  } finally {
    await databases.close();
  }
};

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '@shardnode/core/database';
import { openGroupStore } from '../../apps/group-node/src/store/index.js';
import { groups } from './network.js';

/**
 * Opens the data of a stopped network and compares the unspent outputs that each group-node shows with a scan of its
 * state trie. Gives the number of outputs of all groups; fails with the first difference.
 */
export const checkProjections = async (dataDir: string): Promise<number> => {
  const { identity } = JSON.parse(readFileSync(join(dataDir, 'database.json'), 'utf8')) as { identity: string };
  const host = await openEmbeddedDatabase({ dataDir, identity });
  try {
    let outputs = 0;
    for (const group of groups) {
      const store = await openGroupStore({ database: host.service(`group_${group}`), group, groups: groups.length });
      const { equal, difference, utxoCount } = await store.checkProjection();
      if (!equal) throw new Error(`group ${group}: ${difference}`);
      outputs += utxoCount;
    }
    return outputs;
  } finally {
    await host.close();
  }
};

import { MemoryNode, memoryNodeTarget } from '@shardnode/testing/memory-node';
import { type History, type ReplayTarget } from '@shardnode/testing/replay';
import { type TargetName } from './options.js';

/** A fresh node with the genesis of the history. */
export const openTarget = async (name: TargetName, history: History): Promise<ReplayTarget> => {
  switch (name) {
    case 'memory':
      return memoryNodeTarget(new MemoryNode(history.settings));
    case 'embedded': {
      // Loaded on demand, because it loads the database.
      const { openEmbeddedTarget } = await import('./embedded-target.js');
      return openEmbeddedTarget(history);
    }
    case 'cluster': {
      const { openClusterTarget } = await import('./cluster-target.js');
      const { DATABASE_URL: databaseUrl, NATS_URL: natsUrl } = process.env;
      return openClusterTarget(history, databaseUrl && natsUrl ? { servers: { databaseUrl, natsUrl } } : {});
    }
  }
};

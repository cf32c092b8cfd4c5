import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedDatabase } from '@shardnode/core/database';
import { type History, type ReplayTarget } from '@shardnode/testing/replay';
import { groupNodesTarget, openSilentNodes } from '../../apps/group-node/test/support/replay-target.js';
import { groupNodeMigrations, openGroupStore } from '../../apps/group-node/src/store/index.js';

/** Four group-nodes, each with its whole pipeline, over one embedded database in a folder of its own. */
export const openEmbeddedTarget = async ({ settings }: History): Promise<ReplayTarget> => {
  const dataDir = mkdtempSync(join(tmpdir(), 'shardnode-replay-'));
  const host = await openEmbeddedDatabase({ dataDir });
  const databases = Array.from({ length: settings.groups }, (_, group) => host.service(`group_${group}`));
  for (const database of databases) await database.migrate(groupNodeMigrations);
  const nodes = await openSilentNodes({
    settings,
    store: (group) => openGroupStore({ database: databases[group]!, group, groups: settings.groups }),
  });
  return groupNodesTarget(nodes, async () => {
    await host.close();
    rmSync(dataDir, { recursive: true, force: true });
  });
};

import { type Problem, type ReadinessCheck } from '@shardnode/core/http-server';
import { type SyncMonitor } from '../synced/sync-monitor.js';

const action = 'Requests that need other groups go on. GET /health/cluster shows all of them.';

/** Readiness check of a gateway: every group-node responds and has caught up. */
export const groupsReadiness = (sync: Pick<SyncMonitor, 'state'>): ReadinessCheck => ({
  name: 'group-nodes',
  notReadyBecause: async (): Promise<Problem | undefined> => {
    const { reason, silentGroup, group = silentGroup, blocksBehind, behindForMs } = await sync.state();
    if (reason === undefined) return undefined;
    return {
      reason,
      action,
      ...(behindForMs === undefined ? {} : { forMs: behindForMs }),
      data: { ...(group === undefined ? {} : { group }), ...(blocksBehind === undefined ? {} : { blocksBehind }) },
    };
  },
});

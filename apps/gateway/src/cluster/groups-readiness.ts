import { type Problem, type ReadinessCheck } from '@shardnode/core/http-server';
import { type Clock } from '@shardnode/core/lifecycle';
import { type SyncMonitor } from '../synced/sync-monitor.js';

const action = 'Requests that need other groups go on. GET /health/cluster shows all of them.';

/** Milliseconds for which a group may respond too late: a busy moment of it is no outage. */
const moment = 5_000;

/** Readiness check of a gateway: every group-node responds and has caught up. */
export const groupsReadiness = (sync: Pick<SyncMonitor, 'state'>, clock: Pick<Clock, 'monotonic'>): ReadinessCheck => {
  let readyUntil = Number.NEGATIVE_INFINITY;
  return {
    name: 'group-nodes',
    notReadyBecause: async (): Promise<Problem | undefined> => {
      const { reason, silentGroup, group = silentGroup, isSlow, blocksBehind, behindForMs } = await sync.state();
      const now = clock.monotonic();
      if (reason === undefined) readyUntil = now + moment;
      if (reason === undefined || (isSlow && now < readyUntil)) return undefined;
      return {
        reason,
        action,
        ...(behindForMs === undefined ? {} : { forMs: behindForMs }),
        data: { ...(group === undefined ? {} : { group }), ...(blocksBehind === undefined ? {} : { blocksBehind }) },
      };
    },
  };
};

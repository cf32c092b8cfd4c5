import { type Hash } from '@shardnode/protocol/primitives';
import { type JobContext } from '../background/background-job.js';
import { type AuditFinding, storeAudit } from './findings.js';

/**
 * Stores findings, and logs each once: also after a restart a block is not reported again.
 * @param judged newest blocks of chains up to which the audit has judged them
 */
export const report = async (
  { writing, clock, logger }: JobContext,
  findings: readonly AuditFinding[],
  judged: readonly Hash[] = [],
): Promise<void> => {
  if (findings.length + judged.length === 0) return;
  const found = await writing((database) => storeAudit(database, judged, findings, clock.now()));
  for (const finding of found) logger.error({ finding }, 'SupplyAuditFailed');
};

import { ServiceError } from '@shardnode/core/errors';
import { type GroupClient, type NodeReportReply } from '@shardnode/messages';

/** The report of a group-node, or the reason of its absence. */
export interface GroupReport {
  readonly group: number;
  readonly report?: NodeReportReply;
  readonly failure?: ServiceError;
  /** Milliseconds since 1970 here, halfway between request and response. */
  readonly measuredAt: number;
  /** Milliseconds until the response. */
  readonly took: number;
}

const reportOf = async (client: GroupClient, group: number): Promise<GroupReport> => {
  const began = performance.now();
  const startedAt = Date.now();
  const measured = () => {
    const took = performance.now() - began;
    return { measuredAt: startedAt + took / 2, took };
  };
  try {
    const report = await client.request(group, 'read.node.report', {});
    return { group, report, ...measured() };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return { group, failure: error, ...measured() };
  }
};

/** Queries all group-nodes at once; never rejects for one that does not respond. */
export const groupReports = (client: GroupClient): Promise<GroupReport[]> =>
  Promise.all(Array.from({ length: client.groups }, (_, group) => reportOf(client, group)));

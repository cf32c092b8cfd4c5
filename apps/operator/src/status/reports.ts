import { ServiceError } from '@shardnode/core/errors';
import { type GroupClient, type NodeReportReply } from '@shardnode/messages';

/** What a group-node says of itself, or why it does not. */
export interface GroupReport {
  readonly group: number;
  readonly report?: NodeReportReply;
  readonly failure?: ServiceError;
  /** Milliseconds since 1970 here, in the middle of the question. */
  readonly measuredAt: number;
  /** Milliseconds that the answer took. */
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

/** Asks all group-nodes at once; never rejects for one that does not answer. */
export const groupReports = (client: GroupClient): Promise<GroupReport[]> =>
  Promise.all(Array.from({ length: client.groups }, (_, group) => reportOf(client, group)));

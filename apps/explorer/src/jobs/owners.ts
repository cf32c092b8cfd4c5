import { type NetworkSettings } from '@shardnode/protocol/network';
import { OwnerComparison } from '../audit/blocks-without-owner.js';
import { report } from '../audit/report.js';
import { type BackgroundJob } from '../background/background-job.js';

/** The part of the supply audit that looks for blocks which a group-node has, and the owner of their chain has not. */
export const ownersJob = (settings: NetworkSettings): BackgroundJob => {
  const comparison = new OwnerComparison(settings);
  return {
    name: 'owners',
    everyMs: 1_000,
    run: async (context) => report(context, await comparison.findings(context)),
  };
};

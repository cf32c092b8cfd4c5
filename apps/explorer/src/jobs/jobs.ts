import { type NetworkSettings } from '@shardnode/protocol/network';
import { type DevelopmentTools } from '../development/development-tools.js';
import { ownersJob, ruleAuditJob } from './rule-audit.js';
import { type BackgroundJob } from '../background/background-job.js';
import { clean } from './clean.js';
import { metadataJob } from './metadata.js';
import { supplyJob } from './supply.js';
import { indexCheckJob } from './index-check.js';

/** Settings that jobs depend on. */
interface JobSettings {
  /** Addresses whose coins are not in circulation. */
  readonly reservedAddresses: readonly string[];
  /** False: without the job that reads metadata of tokens and contracts. */
  readonly readsMetadata: boolean;
}

/** The jobs of a writer (protocol 08 §4.13). Reconciliation and the lists of mempools are the indexer's own. */
export const backgroundJobs = (
  network: NetworkSettings,
  { reservedAddresses, readsMetadata }: JobSettings,
  development: DevelopmentTools | undefined,
): BackgroundJob[] => [
  ruleAuditJob(network),
  ownersJob(network),
  supplyJob(reservedAddresses),
  ...(readsMetadata ? [metadataJob(undefined, development)] : []),
  clean,
  indexCheckJob(),
];

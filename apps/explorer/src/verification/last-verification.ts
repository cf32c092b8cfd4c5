import { type Statements } from '@shardnode/core/database';
import { type Finding } from './finding.js';

/** The mark `verify_last` of table `meta` (protocol 08 §3.3). */
export interface Verification {
  /** When it began: milliseconds since 1970. */
  readonly at: number;
  /** The first of each check; empty: the index is consistent as far as it was looked at. */
  readonly findings: readonly Finding[];
}

/** Key in table `meta`. */
export const verificationMark = 'verify_last';

/** The last verification; undefined before the first. */
export const lastVerification = async (
  index: Statements & { readonly schema: string },
): Promise<Verification | undefined> => {
  const rows = await index.query<{ value: Verification }>(
    'last-verification',
    `SELECT value FROM ${index.schema}.meta WHERE key = '${verificationMark}'`,
  );
  return rows[0]?.value;
};

import { type Statements } from '@shardnode/core/database';
import { type Inconsistency } from './inconsistency.js';

/** The mark `verify_last` of table `meta` (protocol 08 §3.3). */
export interface IndexCheck {
  /** When it began: milliseconds since 1970. */
  readonly at: number;
  /** The first of each check; empty: the index is consistent as far as it was looked at. */
  readonly findings: readonly Inconsistency[];
}

/** Key in table `meta`. */
export const indexCheckMark = 'verify_last';

/** The last check of the index; undefined before the first. */
export const lastIndexCheck = async (
  index: Statements & { readonly schema: string },
): Promise<IndexCheck | undefined> => {
  const rows = await index.query<{ value: IndexCheck }>(
    'last-index-check',
    `SELECT value FROM ${index.schema}.meta WHERE key = '${indexCheckMark}'`,
  );
  return rows[0]?.value;
};

import { type DatabaseWriter, type SchemaStatements, withKnownOutcome } from '@shardnode/core/database';
import { bodyParts } from './bodies.js';
import { changeParts } from './chain-changes.js';
import { type CommitPart, writeParts } from './commit-part.js';
import { immutableParts } from './contract-immutables.js';
import { eventParts } from './events.js';
import { hasHeader, headerParts, type NumberedCommit } from './headers.js';
import { type BlockCommit } from './model.js';
import { poolParts } from './pending-transactions.js';
import { planProjection, stateSource } from './projection.js';
import { locationParts } from './transaction-locations.js';
import { type ProjectionHead } from './utxo-queries.js';
import { stateParts } from './world-states.js';

/** State that the writer knows without a query: a group has one writer (architecture, decision 3). */
export interface WriterState {
  /**
   * Statements under the lock that was held at the read: after the loss of the lock, nothing planned on it is written.
   */
  readonly term: SchemaStatements;
  readonly lastSeq: bigint;
  readonly head: ProjectionHead | undefined;
}

export interface CommitContext {
  /** For reads. */
  readonly database: SchemaStatements;
  /** For reading back. */
  readonly writer: DatabaseWriter;
  readonly group: number;
  readonly groups: number;
  /** Pause between two queries after a lost connection. */
  readonly pause: () => Promise<void>;
}

/**
 * The one transaction of a block, or of several in order (architecture, decision 4; protocol 04 §9.3): header, ranks,
 * tips, body, locations, world state and trie nodes, immutable entries and events of contracts, projection and its
 * head, pool, heads of the feed. All of it or nothing, whenever the process or the server is killed. Returns the state of the writer after
 * it.
 */
export const commitBlocks = async (
  context: CommitContext,
  state: WriterState,
  commits: readonly BlockCommit[],
): Promise<WriterState> => {
  const last = commits.at(-1);
  if (!last) return state;
  const { database, writer, group, groups, pause } = context;
  const numbered = commits.map((commit, i): NumberedCommit => ({ seq: state.lastSeq + BigInt(i + 1), commit }));
  const moves = commits.flatMap(({ projection }) => (projection ? [projection] : []));
  const source = stateSource(database, groups, commits);
  const projection = await planProjection(source, group, groups, state.head, moves);
  const parts: readonly CommitPart[] = [
    ...headerParts(numbered),
    ...bodyParts(numbered),
    ...locationParts(numbered),
    ...stateParts(numbered),
    ...immutableParts(numbered),
    ...eventParts(numbered),
    ...(projection?.parts ?? []),
    ...commits.flatMap(({ pool }) => (pool ? poolParts(pool) : [])),
    ...changeParts(commits),
  ];
  await withKnownOutcome(
    () => writeParts(state.term, parts),
    () => hasHeader(writer, last.header.hash),
    { pause },
  );
  return { term: state.term, lastSeq: state.lastSeq + BigInt(commits.length), head: projection?.head ?? state.head };
};

import { type Database, type SchemaStatements } from '@shardnode/core/database';
import { decodeHeader } from '@shardnode/protocol/block';
import { type Hash } from '@shardnode/protocol/primitives';
import { HeightIndexCheck } from './height-index-check.js';
import { loadChainRows, loadTips } from './headers.js';
import { openGroupStore } from './open-group-store.js';
import { checkProjection } from './projection-check.js';
import { stateSource } from './projection.js';
import { loadHead } from './utxo-queries.js';

/** A problem in the stored state of a group. */
export interface StateProblem {
  /** `projection`: rows for queries of people, which can be rebuilt; `blocks`: the source of everything else. */
  readonly part: 'projection' | 'blocks';
  readonly text: string;
}

export interface StateCheck {
  readonly headers: number;
  /** Unspent outputs of the state. */
  readonly outputs: number;
  /** The block whose state the projection shows. */
  readonly head: Hash | undefined;
  readonly problems: readonly StateProblem[];
}

export interface StateCheckOptions {
  readonly database: Database;
  readonly group: number;
  /** Number of groups of the network. */
  readonly groups: number;
  /** Headers checked so far. */
  readonly progress?: (headers: number) => void;
}

/** Milliseconds for a statement that reads a whole table. */
const statementPatience = 600_000;

/** Runs over one snapshot of the database, whatever is written meanwhile. */
const inSnapshot = <T>(database: Database, run: (snapshot: SchemaStatements) => Promise<T>): Promise<T> =>
  database.transaction(
    async (transaction) => {
      await transaction.query('snapshot', 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
      const snapshot: SchemaStatements = {
        schema: database.schema,
        query: (name, text, values) => transaction.query(name, text, values),
        transaction: (inner) => inner(transaction),
      };
      return run(snapshot);
    },
    { statementPatience },
  );

const checkHeaders = async (snapshot: SchemaStatements, { group, groups, progress }: StateCheckOptions) => {
  const check = new HeightIndexCheck(group, groups);
  for await (const rows of loadChainRows(snapshot)) {
    for (const row of rows) check.add(row, decodeHeader(row.raw, groups, { genesis: 'accepted' }));
    progress?.(check.headers);
  }
  return { headers: check.headers, texts: check.problems(await loadTips(snapshot)) };
};

const checkOutputs = async (snapshot: SchemaStatements, groups: number) => {
  const head = await loadHead(snapshot);
  if (!head) return { head: undefined, outputs: 0, texts: ['the projection has no head'] };
  try {
    const found = await checkProjection(snapshot, stateSource(snapshot, groups, []), head);
    return {
      head: head.hash,
      outputs: found.utxoCount,
      texts: found.difference === undefined ? [] : [found.difference],
    };
  } catch (error) {
    const text = `the state after block ${head.hash} cannot be read: ${(error as Error).message}`;
    return { head: head.hash, outputs: 0, texts: [], unreadable: text };
  }
};

/**
 * Checks the stored data of a group for consistency, in one snapshot of the database and without disturbing the writer:
 * headers, heights, ranks and tips with each other, and all rows and sums of unspent outputs with the state trie
 * (protocol 04 §9.5).
 */
export const checkState = (options: StateCheckOptions): Promise<StateCheck> =>
  inSnapshot(options.database, async (snapshot) => {
    const { headers, texts } = await checkHeaders(snapshot, options);
    const { head, outputs, texts: differences, unreadable } = await checkOutputs(snapshot, options.groups);
    const blocks = [...texts, ...(unreadable === undefined ? [] : [unreadable])];
    return {
      headers,
      outputs,
      head,
      problems: [
        ...blocks.map((text): StateProblem => ({ part: 'blocks', text })),
        ...differences.map((text): StateProblem => ({ part: 'projection', text })),
      ],
    };
  });

/**
 * Rebuilds the rows and sums of unspent outputs from the state trie. Takes the writer's lock: DatabaseError
 * `WriterExists` names the running group-node. @param holder name of this process, for others that request the lock
 */
export const rebuildState = async ({ database, group, groups }: StateCheckOptions, holder: string): Promise<void> => {
  const writer = await database.openWriter({ holder, onLost: () => undefined });
  try {
    const store = await openGroupStore({ database, writer, group, groups });
    const head = store.projectionHead();
    if (head === undefined) throw new Error('there is no state to make the projection from');
    await store.rebuildProjection(head);
  } finally {
    await writer.close();
  }
};

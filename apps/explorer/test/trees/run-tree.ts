import { type Database } from '@shardnode/core/database';
import { systemClock } from '@shardnode/core/lifecycle';
import { silentLogger } from '@shardnode/core/observability';
import { sameChain } from '@shardnode/protocol/primitives';
import { blockOfBody, type Index, type IndexChange, openIndex } from '../../src/index.js';
import { checkIndex } from '../../src/index-check/check-index.js';
import { testKey } from '@shardnode/testing/keys';
import { expectedIndex, signersIn } from './expected-index.js';
import { supplyProblems } from './expected-supply.js';
import { chains, groups, RandomTree, type TreeBlock } from './random-tree.js';
import { differences } from './snapshot.js';
import { storedIndex } from './stored-index.js';
import { touchedIn, untold } from './told-changes.js';

/** An address whose coins do not circulate. */
const reserved = testKey(1, groups).address;

/** Empties the tables: one database serves many seeds. */
export const emptyIndex = async (database: Database): Promise<void> => {
  const { schema } = database;
  const rows = await database.query<{ name: string }>(
    'tables',
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = '${schema}' AND tablename NOT LIKE '\\_prisma%'`,
  );
  await database.script(`TRUNCATE ${rows.map(({ name }) => `${schema}.${name}`).join(', ')} RESTART IDENTITY CASCADE`);
};

/** The chains of a run as they are applied. */
class AppliedChains {
  readonly branches: TreeBlock[][] = chains.map(() => []);
  /** Public keys that applied blocks have shown, by address. */
  readonly signers = new Map<string, string>();

  apply(block: TreeBlock): void {
    this.branchOf(block).push(block);
    for (const [address, key] of signersIn(block)) this.signers.set(address, key);
  }

  branchOf({ block }: TreeBlock): TreeBlock[] {
    return this.branches[chains.findIndex((chain) => sameChain(chain, block.header.chainIndex))]!;
  }

  get blocks(): TreeBlock[] {
    return this.branches.flat();
  }
}

const compare = async (database: Database, applied: AppliedChains): Promise<string[]> => {
  const stored = await storedIndex(database);
  const spenders = new Map(
    stored['outputs']!.map((text) => {
      const [txId, order, , spender] = text.split(' ');
      return [`${txId} ${order}`, spender === '-' ? undefined : BigInt(spender!)];
    }),
  );
  return differences(
    stored,
    expectedIndex(applied.blocks, (output) => spenders.get(output), applied.signers),
  );
};

/** Bodies of side blocks that are not those of the tree. */
const spoiledBodies = async (database: Database, tree: RandomTree): Promise<string[]> => {
  const rows = await database.query<{ hash: string; body: Buffer | null }>(
    'bodies',
    `SELECT encode(hash, 'hex') AS hash, body FROM ${database.schema}.blocks WHERE NOT main_chain`,
  );
  return rows
    .filter(({ hash, body }) => {
      const block = tree.blocks.find((one) => one.block.header.hash === hash);
      return !body || !block || Buffer.compare(blockOfBody(body, groups).raw, block.block.raw) !== 0;
    })
    .map(({ hash }) => `body of ${hash}`);
};

const applySome = (index: Index, tree: RandomTree, applied: AppliedChains): Promise<IndexChange> => {
  const batch: TreeBlock[] = [];
  for (let count = 1 + tree.pick(6); count > 0; count--) {
    const head = tree.oneOf(applied.branches).at(-1)!;
    const children = tree.childrenOf(head);
    const block = children.length > 0 && tree.pick(2) === 0 ? tree.oneOf(children) : tree.grow(head);
    applied.apply(block);
    batch.push(block);
  }
  return index.apply(batch);
};

/** Replaces the top of a chain by another branch, of new blocks or of some that were there before. */
const replaceTop = (index: Index, tree: RandomTree, applied: AppliedChains): Promise<IndexChange> => {
  const branch = tree.oneOf(applied.branches);
  const fork = Math.max(0, branch.length - 1 - tree.pick(4));
  const added: TreeBlock[] = [];
  let head = branch[fork]!;
  for (let count = tree.pick(5); count > 0; count--) {
    const children = tree.childrenOf(head).filter((block) => !branch.includes(block));
    head = children.length > 0 && tree.pick(2) === 0 ? tree.oneOf(children) : tree.grow(head);
    added.push(head);
  }
  branch.splice(fork + 1);
  for (const block of added) applied.apply(block);
  return index.reorganise(branch[0]!.block.header.chainIndex, fork, added);
};

/** Group-nodes that have the blocks of the index. */
const sameNodes = { isCanonical: async () => true };

/** Inconsistencies that the check of the index finds. */
const findingsOf = (database: Database) => {
  const { signal: stopping } = new AbortController();
  const parts = { groups, reading: database, source: sameNodes, clock: systemClock, logger: silentLogger, stopping };
  return checkIndex(parts, Math.random);
};

/**
 * Applies and undoes blocks of the tree of a seed, and compares the whole index with the model after each step.
 * Returns the differences after the first step that has some, or what the check of the index finds after the last step.
 */
export const runTree = async (database: Database, seed: number, steps: number): Promise<string[]> => {
  await emptyIndex(database);
  const tree = new RandomTree(seed);
  const applied = new AppliedChains();
  const index = openIndex({ database, groups });
  for (const block of tree.blocks) applied.apply(block);
  await index.apply([...tree.blocks]);
  for (let step = 1; step <= steps; step++) {
    const before = await touchedIn(database);
    const change = await (tree.pick(5) < 3 ? applySome : replaceTop)(index, tree, applied);
    const problems = [
      ...untold(before, await touchedIn(database), change),
      ...(await compare(database, applied)),
      ...(await spoiledBodies(database, tree)),
      ...(await supplyProblems(database, groups, reserved)),
    ];
    if (problems.length > 0) return [`seed ${seed}, step ${step}`, ...problems];
  }
  const findings = await findingsOf(database);
  return findings.length === 0 ? [] : [`seed ${seed}`, ...findings.map((finding) => JSON.stringify(finding))];
};

import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { fc } from '@shardnode/testing/properties';
import { unlockedWriter } from '@shardnode/core/database';
import { developmentNetwork as settings } from '@shardnode/protocol/network';
import { type Hash } from '@shardnode/protocol/primitives';
import { sweepOrphans } from '../../src/pruning/index.js';
import { schemaOf, type TestStores } from '../support/embedded-stores.js';
import { group, PrunedChain } from '../support/pruned-chain.js';
import { overEachDatabase } from '../support/server-stores.js';

const outputs = fc.array(fc.nat(11), { maxLength: 6 });
const contracts = fc.array(fc.nat(3), { maxLength: 2 });

/** Mostly after the top, else after any block that the horizon allows, by its place among them. */
const parent = fc.oneof({ weight: 4, arbitrary: fc.constant(-1) }, fc.nat(1_000));
const step = fc.record({ parent, outputs, contracts, prunes: fc.boolean() });
const history = fc.record({
  horizon: fc.integer({ min: 1, max: 6 }),
  steps: fc.array(step, { minLength: 20, maxLength: 45 }),
});

const union = async (of: readonly Hash[], nodes: (block: Hash) => Promise<ReadonlySet<Hash>>): Promise<Set<Hash>> => {
  const all = new Set<Hash>();
  for (const block of of) for (const hash of await nodes(block)) all.add(hash);
  return all;
};

const without = (all: ReadonlySet<Hash>, some: ReadonlySet<Hash>): Hash[] => [...all].filter((hash) => !some.has(hash));

/** Compares what is stored with a mark over everything that was ever written. */
const checkStates = async (chain: PrunedChain): Promise<void> => {
  const { horizon, dag } = chain.memory;
  for (const block of chain.blocksFrom(chain.height - chain.horizon)) expect(horizon.isReadable(block)).toBe(true);
  const all = chain.blocksFrom(0);
  const readable = all.filter((block) => horizon.isReadable(block));
  for (const block of readable) expect(await chain.storedNodesOf(block)).toEqual(await chain.allNodesOf(block));
  const needed = await union(readable, (block) => chain.allNodesOf(block));
  const left = without(await chain.storedNodes(), needed);
  const orphans = all.filter((block) => !horizon.isReadable(block) && !dag.isCanonical(block));
  expect(without(new Set(left), await union(orphans, (block) => chain.allNodesOf(block)))).toEqual([]);
  expect(await chain.store.checkProjection()).toMatchObject({ equal: true });
};

overEachDatabase('pruning over random histories', (openStores) => {
  let stores: TestStores;
  beforeAll(async () => {
    stores = await openStores();
    // The schema is made.
    await stores.store(group);
  });
  afterAll(() => stores.remove());

  /** An empty store. */
  const emptied = async () => {
    const database = stores.host.service(schemaOf(group));
    const tables = ['node_meta', 'block_header', 'block_body', 'chain_tip', 'world_state', 'trie_node', 'utxo'];
    tables.push('address_balance', 'projection_head', 'transaction_location', 'contract_immutable');
    await database.script(`TRUNCATE ${tables.map((table) => `${database.schema}.${table}`).join(', ')}`);
    return stores.store(group);
  };

  it('keeps every state of the horizon, on all branches, and nothing else but nodes of orphans', async () => {
    let deleted = 0;
    let forked = 0;
    await fc.assert(
      fc.asyncProperty(history, async ({ horizon, steps }) => {
        let chain = await PrunedChain.open(await emptied(), horizon);
        const written = new Set<Hash>();
        for (const [number, { parent: place, prunes, ...changes }] of steps.entries()) {
          const allowed = chain.blocksFrom(chain.height - horizon);
          const after = place < 0 ? chain.top : allowed[place % allowed.length]!;
          const block = await chain.add(after, changes.outputs, changes.contracts);
          if (!chain.memory.dag.isCanonical(block)) forked += 1;
          for (const hash of await chain.allNodesOf(block)) written.add(hash);
          await chain.grow(chain.top);
          if (prunes) await chain.pruner.finish();
          if (number % 9 === 8) await checkStates(chain);
          // What was pruned stays so after a restart, and goes on from there.
          if (number % 13 === 12) chain = await PrunedChain.open(await stores.store(group), horizon, { before: chain });
        }
        await chain.pruner.finish();
        await checkStates(chain);
        const left = await chain.storedNodes();
        deleted += written.size - left.size;

        const database = stores.host.service(schemaOf(group));
        const swept = await sweepOrphans({ database, writer: unlockedWriter(database), group, settings });
        const readable = chain.blocksFrom(0).filter((hash) => chain.memory.horizon.isReadable(hash));
        expect(await chain.storedNodes()).toEqual(await union(readable, (hash) => chain.allNodesOf(hash)));
        expect(swept).toEqual({ states: readable.length, kept: left.size - swept.deleted, deleted: swept.deleted });
      }),
      {
        numRuns: Number(process.env['PRUNING_RUNS'] ?? 12),
        seed: Number(process.env['PRUNING_SEED'] ?? 7),
      },
    );
    expect(deleted).toBeGreaterThan(300);
    expect(forked).toBeGreaterThan(20);
  }, 120_000);
});

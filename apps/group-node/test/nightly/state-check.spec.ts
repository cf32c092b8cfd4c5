import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Database } from '@shardnode/core/database';
import { type Hash } from '@shardnode/protocol/primitives';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { checkState, rebuildState, type StateProblem } from '../../src/store/state-check.js';
import { schemaOf, type TestStores } from '../support/embedded-stores.js';
import { InventedChain, inventedUtxo } from '../support/invented-chain.js';
import { overEachDatabase } from '../support/server-stores.js';

const group = 0;
const groups = 4;
const owners = testKeysOfGroup(group, 20);

overEachDatabase('the check of a stored state', (openStores) => {
  let stores: TestStores;
  let database: Database;
  let head: Hash;

  beforeAll(async () => {
    stores = await openStores();
    database = stores.host.service(schemaOf(group));
    const store = await stores.store(group);
    const chain = new InventedChain(group);
    const added = owners.map(({ lockupScript }) => inventedUtxo({ lockupScript, amount: 5n }));
    const block = chain.block(chain.genesisHash, { added });
    await store.commitBlocks([...chain.genesis, block]);
    head = block.header.hash;
  });
  afterAll(() => stores.remove());

  const spoil = (sql: string): Promise<unknown> => database.script(sql.replaceAll('#', `${schemaOf(group)}.`));
  const problems = async (): Promise<readonly StateProblem[]> =>
    (await checkState({ database, group, groups })).problems;

  it('counts what it has read, and finds nothing where all is in order', async () => {
    const seen: number[] = [];
    const progress = (headers: number): void => void seen.push(headers);
    // The genesis blocks of 16 chains and the block; the allocation and the outputs of the block.
    expect(await checkState({ database, group, groups, progress })).toEqual({
      headers: 17,
      outputs: owners.length + 1,
      head,
      problems: [],
    });
    expect(seen.at(-1)).toBe(17);
  });

  it('finds missing outputs in the projection, and nothing any more after it was rebuilt', async () => {
    await stores.spoilProjection(group);
    expect(await problems()).toEqual([{ part: 'projection', text: expect.any(String) }]);
    await rebuildState({ database, group, groups }, 'a test');
    expect(await problems()).toEqual([]);
  });

  it('finds damage of the blocks, which no rebuild mends: tips, and a trie that cannot be read', async () => {
    await spoil('DELETE FROM #chain_tip WHERE chain_from = 0 AND chain_to = 0');
    await spoil('DELETE FROM #trie_node');
    expect(await problems()).toEqual([
      {
        part: 'blocks',
        text: expect.stringMatching(/^chain \(0, 0\): its 0 stored tips are not the 1 of its headers/),
      },
      { part: 'blocks', text: expect.stringContaining(`the state after block ${head} cannot be read`) },
    ]);
  });

  it('names a projection without a head, which nothing can be made from', async () => {
    await spoil('DELETE FROM #projection_head');
    expect(await problems()).toContainEqual({ part: 'projection', text: 'the projection has no head' });
    await expect(rebuildState({ database, group, groups }, 'a test')).rejects.toThrow('there is no state');
  });
});

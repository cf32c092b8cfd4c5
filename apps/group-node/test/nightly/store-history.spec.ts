import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Hash } from '@shardnode/protocol/primitives';
import { stateHash } from '@shardnode/protocol/state';
import { readHistory } from '@shardnode/testing/replay';
import { type BlockCommit, type ChainRow, type GroupStore } from '../../src/store/index.js';
import { type TestStores } from '../support/embedded-stores.js';
import { overEachStore } from '../support/server-stores.js';
import { genesisCommits, historyCommits, type HistoryCommits, moveBetween } from '../support/history-commits.js';

/** With forks, each of them. */
const name = process.env['LONG'] === '1' ? 'chain-transfers' : 'chain-forks/views-a';
const carried = fileURLToPath(new URL(`../../../../libs/testing/fixtures/vectors/${name}`, import.meta.url));
const rowsOf = async (store: GroupStore): Promise<readonly ChainRow[]> => {
  const rows: ChainRow[] = [];
  for await (const page of store.loadChainRows()) rows.push(...page);
  return rows;
};

overEachStore('the store of a group-node over a history with forks', (openStores) => {
  let commits: HistoryCommits;
  let stores: TestStores;
  const group = 1;
  const list = (): readonly BlockCommit[] => commits.groups[group]!;
  const headerCount = (): number => list().length;

  beforeAll(async () => {
    expect(existsSync(carried)).toBe(true);
    const history = readHistory(carried);
    commits = historyCommits(history.settings, history.blocks);
    stores = await openStores();
    const store = await stores.store(group);
    const genesis = genesisCommits(history.settings, group);
    await store.commitBlocks(genesis);
    for (const commit of list().slice(genesis.length)) await store.commitBlock(commit);
  });
  afterAll(() => stores.remove());

  it('keeps headers, heights, weights, ranks and tips of all chains, through a restart', async () => {
    stores = await stores.reopen();
    const store = await stores.store(group);
    const { dag } = commits.node;
    const rows = await rowsOf(store);
    expect(rows.map((row) => row.hash)).toEqual(list().map((commit) => commit.header.hash));
    for (const row of rows) {
      const header = dag.header(row.hash);
      expect(row.height).toBe(dag.height(row.hash));
      expect(row.weight).toBe(dag.weight(row.hash));
      expect(row.raw).toEqual(new Uint8Array(header.raw));
      expect(dag.hashesAt(header.chainIndex, row.height)[row.rank]).toBe(row.hash);
    }
    const tips = await store.loadTips();
    expect(tips).toHaveLength(16);
    for (const { chain, hashes } of tips) expect([...hashes].sort()).toEqual([...dag.tips(chain)].sort());
  });

  it('keeps bodies of related chains, and of one neighbour, and no others', async () => {
    const store = await stores.store(group);
    const bodies = await store.blockBodies(list().map((commit) => commit.header.hash));
    for (const commit of list())
      expect(bodies.get(commit.header.hash)).toEqual(commit.body && new Uint8Array(commit.body));
    expect((await rowsOf(store)).filter((row) => row.hasBody)).toHaveLength(bodies.size);
  });

  it('finds every transaction of own chains in all blocks that hold it', async () => {
    const store = await stores.store(group);
    const wanted = new Map<Hash, { blockHash: Hash; txIndex: number }[]>();
    for (const { header, transactionIds } of list()) {
      transactionIds?.forEach((id, txIndex) =>
        wanted.set(id, [...(wanted.get(id) ?? []), { blockHash: header.hash, txIndex }]),
      );
    }
    const ids = [...wanted.keys()].filter((_, i) => i % 10 === 0 || wanted.get([...wanted.keys()][i]!)!.length > 1);
    for (const id of ids) expect(await store.transactionLocations(id)).toEqual(wanted.get(id));
    expect(await store.transactionLocations('ab'.repeat(32))).toEqual([]);
  });

  it('keeps the world state of each own intra-group block with all its nodes', async () => {
    const store = await stores.store(group);
    const withState = list().filter((commit) => commit.worldState);
    const states = await store.worldStates(withState.map((commit) => commit.header.hash));
    for (const { header } of withState.slice(1)) {
      const state = commits.node.worldState(header.hash)!;
      expect(states.get(header.hash)?.outputRoot).toBe(state.outputRoot);
      expect(states.get(header.hash)?.stateHash).toBe(stateHash(state));
    }
    const nodes = new Map(withState.flatMap((commit) => [...commit.worldState!.addedNodes]));
    const loaded = await store.loadNodes([...nodes.keys()]);
    expect(loaded.size).toBe(nodes.size);
    for (const [hash, node] of nodes) expect(loaded.get(hash)).toEqual(new Uint8Array(node));
  });

  it('has a projection that equals the trie after undo and redo, and after a rebuild', async () => {
    const store = await stores.store(group);
    const head = commits.node.bestDependencies(group)[3 + group]!;
    expect(list().some((commit) => (commit.projection?.undo.length ?? 0) > 0)).toBe(true);
    expect(store.projectionHead()).toBe(head);
    const check = await store.checkProjection();
    expect(check).toEqual({ equal: true, utxoCount: check.utxoCount });
    expect(check.utxoCount).toBeGreaterThan(20);

    const genesis = list().find((commit) => commit.projection)!.header.hash;
    const back = moveBetween(commits.node, head, genesis)!;
    await store.moveProjection(back);
    expect(await store.checkProjection()).toMatchObject({ equal: true });
    await store.moveProjection({ undo: [], apply: [...back.undo].reverse() });
    expect(await store.checkProjection()).toEqual(check);

    await stores.spoilProjection(group);
    expect(await store.checkProjection()).toMatchObject({ equal: false });
    await store.rebuildProjection(head);
    expect(await store.checkProjection()).toEqual(check);
  });

  it('gives the same rows when the whole history is one transaction', async () => {
    const other = await openStores();
    try {
      const store = await other.store(group);
      await store.commitBlocks(list());
      const before = await stores.store(group);
      expect(await rowsOf(store)).toEqual(await rowsOf(before));
      expect(await store.checkProjection()).toEqual(await before.checkProjection());
      expect(headerCount()).toBe((await rowsOf(store)).length);
    } finally {
      await other.remove();
    }
  });
});

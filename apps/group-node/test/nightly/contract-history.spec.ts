import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { decodeBlock } from '@shardnode/protocol/block';
import { bytesToHex, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash, referenceId } from '@shardnode/protocol/primitives';
import { contractCodeHash, valsCodec } from '@shardnode/protocol/script';
import { outputStateKey, StateMiss } from '@shardnode/protocol/state';
import { blockBodySteps, type Steps, type Verdict } from '@shardnode/protocol/validation';
import {
  compareFinalState,
  compareVerdicts,
  contractIdOf,
  Differences,
  fieldsOf,
  readHistory,
  replayInOrder,
  replayPermuted,
} from '@shardnode/testing/replay';
import { historyFolder } from '@shardnode/testing/vectors';
import { type GroupNode } from '../../src/group-node.js';
import { EventsRpc } from '../../src/rpc/events.js';
import { type GroupStore } from '../../src/store/index.js';
import { contractAt, contractLayer } from '../../src/view/contract-view.js';
import { ownView } from '../../src/view/own-view.js';
import { embeddedStores, type EmbeddedStores } from '../support/embedded-stores.js';
import { groupNodesTarget, openSilentNodes } from '../support/replay-target.js';

const history = readHistory(historyFolder('chain'));
const lines = history.blocks;
const isLong = process.env['LONG'] === '1';

/** The events of every block as recorded, whatever branch it is on. */
const expectEvents = async (nodes: readonly GroupNode[]): Promise<void> => {
  for (const { hash, chain, events = [] } of lines) {
    const found = await nodes[chain[0]]!.store.blockEvents(hash);
    expect(
      found.map(({ contractId, txId, eventIndex, fields }) => [contractId, txId, eventIndex, bytesToHex(fields)]),
    ).toEqual(
      events.map(({ contract, txId, index, fields }) => [contractIdOf(contract), txId, index, fieldsOf(fields)]),
    );
  }
};

/** What clients are told when they ask by block: nothing of a block that is not canonical (00-decisions, 9). */
const expectShownByBlock = async (nodes: readonly GroupNode[]): Promise<void> => {
  const withEvents = lines.filter(({ events }) => events);
  expect(withEvents.some(({ canonical }) => !canonical)).toBe(true);
  for (const { hash, chain, canonical, events } of withEvents) {
    const shown = await new EventsRpc(nodes[chain[0]]!).ofBlock({ hash });
    expect(shown.events).toHaveLength(canonical ? events!.length : 0);
  }
};

/** Blocks by contract, in the order of the pages. Those that are not canonical are not shown. */
const expectPages = async (nodes: readonly GroupNode[], numbers: 'recorded' | 'any'): Promise<void> => {
  const pages = new Map<string, Map<number, (typeof lines)[number]>>();
  for (const line of lines) {
    for (const { contract, counter } of line.events ?? []) {
      const own = pages.get(contract) ?? new Map<number, (typeof lines)[number]>();
      pages.set(contract, own.set(counter, line));
    }
  }
  expect(pages.size).toBeGreaterThan(10);
  for (const [contract, own] of pages) {
    const { store } = nodes[own.get(0)!.chain[0]]!;
    const contractId = contractIdOf(contract);
    expect(await store.eventPageCount(contractId)).toBe(own.size);
    const blocksFrom = async (start: number, limit: number): Promise<Hash[]> => {
      const { events } = await store.contractEvents({ contractId, start, limit });
      return [...new Set(events.map(({ blockHash }) => blockHash))];
    };
    const shown = [...own.values()].filter(({ canonical, events }) =>
      canonical ? events!.some((event) => event.contract === contract && event.index !== -3) : false,
    );
    expect((await blocksFrom(0, 100)).sort()).toEqual(shown.map(({ hash }) => hash).sort());
    if (numbers === 'any') continue;
    for (const [page, line] of own) {
      expect(await blocksFrom(page, 1)).toEqual(shown.includes(line) ? [line.hash] : []);
    }
  }
};

const expectContracts = async (nodes: readonly GroupNode[]): Promise<void> => {
  for (const recorded of history.final.groups) {
    const { group, stateOf, contracts = [] } = recorded;
    const { state, store } = nodes[group]!;
    const roots = (await store.worldState(stateOf))!;
    expect(contracts.length).toBeGreaterThan(3);
    for (const expected of contracts) {
      const found = (await contractAt(state.memory, roots, expected.contractId))!;
      expect(contractCodeHash(found.contract)).toBe(expected.codeHash);
      expect(found.immutableState.codeHash).toBe(expected.codeHash);
      expect(found.immutableState.initialStateHash).toBe(expected.initialStateHash);
      expect(bytesToHex(encode(valsCodec, found.immutableState.immutableFields))).toBe(fieldsOf(expected.immFields));
      expect(bytesToHex(encode(valsCodec, found.record.mutableFields))).toBe(fieldsOf(expected.mutFields));
      expect(referenceId(found.record.outputReference)).toBe(expected.contractOutputRef);
      expect(found.output.amount.toString()).toBe(expected.attoCoinAmount);
      expect(await store.eventPageCount(expected.contractId)).toBe(expected.eventCount);
    }
  }
};

/** Scripts of a block after a restart: not all of what they read is in memory, and none of them is begun anew for it. */
const expectResumed = async ({ state }: GroupNode): Promise<void> => {
  const { memory, settings, group } = state;
  let missed = 0;
  for (const { raw, chain } of lines.filter(({ events }) => events).reverse()) {
    if (chain[0] !== group) continue;
    const block = decodeBlock(hexToBytes(raw), settings.groups);
    const view = await memory.loaded(() => ownView(memory, block.header.blockDeps));
    await memory.loadKeys(
      view.state.outputRoot,
      block.transactions.flatMap(({ unsigned }) =>
        unsigned.inputs.map(({ outputReference }) => outputStateKey(outputReference)),
      ),
    );
    let begun = 0;
    const judge = function* (): Steps<Verdict> {
      begun++;
      const steps = blockBodySteps({
        settings,
        reader: memory.dag,
        spent: memory.spent,
        role: 'own',
        block,
        verifySignature: () => true,
        view: view.view,
        contracts: contractLayer(memory, view.state),
      });
      for (;;) {
        const { done, value } = steps.next();
        if (done) return value as Verdict;
        if (value instanceof StateMiss) missed++;
        yield value as number | StateMiss;
      }
    };
    expect(await memory.loadedInSteps(judge)).toBeUndefined();
    expect(begun).toBe(1);
  }
  expect(missed).toBeGreaterThan(0);
};

/** Commits of every group fail now and then, before anything is written or after all of it is. */
const failing = (store: GroupStore, every: number): GroupStore => {
  let count = 0;
  return {
    ...store,
    commitBlocks: async (commits) => {
      count++;
      // The first one is genesis, without which there is no node.
      if (count > 1 && count % every === 0) throw new Error('the database went away');
      await store.commitBlocks(commits);
      if (count > 1 && count % every === 1) throw new Error('the database went away after the commit');
    },
  };
};

describe('a history with contracts through four group-nodes', () => {
  let stores: EmbeddedStores;
  beforeEach(async () => {
    stores = await embeddedStores();
  });
  afterEach(() => stores.remove());

  it('gives every recorded state, event, page and contract, and again after a restart', async () => {
    const open = () => openSilentNodes({ settings: history.settings, store: stores.store });
    const nodes = await open();
    const target = groupNodesTarget(nodes, async () => undefined);
    const differences = new Differences();
    await replayInOrder(target, history, differences);
    await compareFinalState(target, history, differences);
    // All bad blocks and transactions are refused by their names.
    await compareVerdicts(target, history, lines.length, differences);
    await target.checkProjections();
    expect(differences.list).toEqual([]);
    await expectEvents(nodes);
    await expectShownByBlock(nodes);
    await expectPages(nodes, 'recorded');
    await expectContracts(nodes);
    await target.close();
    const again = await open();
    await expectEvents(again);
    await expectResumed(again[0]!);
    await expectContracts(again);
    for (const node of again) await node.stop();
  }, 240_000);

  it.each(isLong ? [1, 2, 3, 4, 5] : [1])('ends equal in a random order, every block twice: seed %i', async (seed) => {
    const nodes = await openSilentNodes({ settings: history.settings, store: stores.store });
    const target = groupNodesTarget(nodes, async () => undefined);
    const differences = new Differences();
    await replayPermuted(target, history, seed, differences, { twice: true });
    expect(differences.list).toEqual([]);
    expect(differences.compared).toBeGreaterThan(lines.length * 2);
    await target.close();
  });

  it('writes each event once, however many commits fail and are made again', async () => {
    const nodes = await openSilentNodes({
      settings: history.settings,
      store: async (group) => failing(await stores.store(group), 7),
      limits: { trieNodeBytes: 1, blockBytes: 1, contractBytes: 1 },
    });
    const target = groupNodesTarget(nodes, async () => undefined);
    const isThere = async ({ hash, chain }: (typeof lines)[number]): Promise<boolean> =>
      nodes.every(({ state }) => state.memory.published.has(hash)) &&
      (await nodes[chain[0]]!.store.chainRows([hash])).length === 1;
    let missing = lines;
    for (let round = 0; round < 60; round++) {
      for (const line of missing) await target.importBlock(hexToBytes(line.raw)).catch(() => undefined);
      for (const node of nodes) await node.settle().catch(() => undefined);
      const there = await Promise.all(lines.map(isThere));
      missing = lines.filter((_, index) => !there[index]);
      if (missing.length === 0) break;
    }
    await expectEvents(nodes);
    await expectPages(nodes, 'any');
    await expectContracts(nodes);
    await target.checkProjections();
    for (const node of nodes) await node.stop().catch(() => undefined);
  }, 240_000);
});

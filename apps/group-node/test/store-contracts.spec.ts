import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { decode, encode } from '@shardnode/protocol/encoding';
import { type Hash, outputHint, type OutputReference } from '@shardnode/protocol/primitives';
import { type Val, valsCodec } from '@shardnode/protocol/script';
import {
  type ContractChanges,
  ContractCode,
  contractStateKey,
  type ImmutableState,
  type LogEntry,
  LoadedImmutables,
  LoadedNodes,
  loadContracts,
  loadPaths,
  readOutput,
  recordOfStateValue,
  trieGet,
} from '@shardnode/protocol/state';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { MemoryContractState } from '@shardnode/testing/contract-state';
import { testKeysOfGroup } from '@shardnode/testing/keys';
import { readVectors } from '@shardnode/testing/vectors';
import { type BlockCommit, type GroupStore, type StoredEvent } from '../src/store/index.js';
import { type TestStores } from './support/embedded-stores.js';
import { InventedChain, inventedUtxo } from './support/invented-chain.js';
import { overEachStore } from './support/server-stores.js';

const group = 0;
const owner = testKeysOfGroup(group, 1)[0]!.lockupScript;
const named = (name: string): Hash => blake2bHash(new TextEncoder().encode(name));
const i256 = (value: bigint): Val => ({ type: 'I256', value });
const bytes = (length: number): Val => ({ type: 'ByteVec', value: new Uint8Array(length).fill(7) });

const event = (contract: string, transaction: string, eventIndex: number, ...fields: Val[]): LogEntry => ({
  contractId: named(contract),
  transactionId: named(transaction),
  eventIndex,
  fields,
});
const onlyEvents = (...events: LogEntry[]): ContractChanges => ({
  records: new Map(),
  outputs: new Map(),
  immutable: new Map(),
  events,
});
const seen = ({ blockHash, txId, eventIndex, fields }: StoredEvent): unknown[] => [
  blockHash,
  txId,
  eventIndex,
  decode(valsCodec, fields),
];

/** A contract as a script creates it. */
const creation = (name: string, version: bigint): { readonly id: Hash; readonly changes: ContractChanges } => {
  const id = named(name);
  const layer = new MemoryContractState().layer();
  const method = { isPublic: true, assetModifier: 0, argsLength: 0, localsLength: 0, returnLength: 0 };
  const code = ContractCode.of({ fieldLength: 2, methods: [{ ...method, instructions: [{ code: 0x18 }] }] });
  const state: ImmutableState = {
    codeHash: code.hash,
    initialStateHash: named('initial'),
    immutableFields: [i256(5n)],
  };
  const reference: OutputReference = {
    hint: outputHint({ kind: 'p2c', contractId: id }),
    key: named(`${name} ${version}`),
  };
  layer.putCode(code);
  layer.putRecord(id, {
    mutableFields: [i256(version)],
    outputReference: reference,
    immutableStateHash: layer.putImmutableState(state),
  });
  layer.putOutput(reference, { kind: 'contract', amount: 10n ** 18n + version, contractId: id, tokens: [] });
  return { id, changes: layer.changes() };
};

overEachStore('contracts and events in the store of a group-node', (openStores) => {
  let stores: TestStores;
  let store: GroupStore;
  let chain: InventedChain;
  let head: Hash;
  beforeAll(async () => {
    stores = await openStores();
    store = await stores.store(group);
    chain = new InventedChain(group);
    await store.commitBlocks(chain.genesis);
    head = chain.genesisHash;
  });
  afterAll(() => stores.remove());

  const add = async (contracts: ContractChanges, other: Partial<BlockCommit> = {}): Promise<Hash> => {
    const commit = chain.block(head, { contracts }, other);
    await store.commitBlock(commit);
    head = commit.header.hash;
    return head;
  };
  /** A block at the height of `rival` on the parent of it, which becomes canonical or stays beside. */
  const fork = (parent: Hash, rival: Hash, wins: boolean, contracts: ContractChanges): BlockCommit => {
    const commit = chain.block(parent, { contracts });
    const { hash } = commit.header;
    return {
      ...commit,
      orders: [{ height: commit.height, hashes: wins ? [hash, rival] : [rival, hash] }],
      projection: wins ? { undo: [rival], apply: [hash] } : undefined,
    };
  };
  const counts = () => stores.counts(group, ['event', 'event_page', 'contract_immutable', 'trie_node', 'block_header']);

  it('keeps records, outputs, immutable states and code, and gives them back for any state', async () => {
    const first = creation('first', 1n);
    const before = head;
    await add(first.changes);
    const memory = { store, nodes: new LoadedNodes(), immutables: new LoadedImmutables() };
    const state = chain.stateAfter(head);
    await loadContracts(memory, state, [first.id, named('nobody')]);
    const record = recordOfStateValue(trieGet(memory.nodes, state.contractRoot, contractStateKey(first.id))!)!;
    expect(record).toEqual(first.changes.records.get(first.id));
    const output = readOutput(memory.nodes, state.outputRoot, record.outputReference);
    expect(output).toMatchObject({ kind: 'contract', contractId: first.id });
    const immutable = memory.immutables.entry(record.immutableStateHash);
    if (immutable?.kind !== 'state') throw new Error('no immutable state');
    expect(immutable.state.immutableFields).toEqual([i256(5n)]);
    expect(memory.immutables.entry(immutable.state.codeHash)).toMatchObject({ kind: 'code' });
    const earlier = chain.stateAfter(before);
    await loadPaths(store, memory.nodes, earlier.contractRoot, [contractStateKey(first.id)]);
    expect(trieGet(memory.nodes, earlier.contractRoot, contractStateKey(first.id))).toBeUndefined();
    expect(await store.loadImmutables([named('nobody')])).toEqual(new Map());
  });

  it('leaves contract outputs out of the projection, and knows that it is right without them', async () => {
    const { changes } = creation('beside assets', 1n);
    const utxo = inventedUtxo({ lockupScript: owner, amount: 5n });
    const commit = chain.block(head, { added: [utxo], contracts: changes });
    await store.commitBlock(commit);
    head = commit.header.hash;
    const check = await store.checkProjection();
    expect(check).toMatchObject({ equal: true });
    await store.rebuildProjection(head);
    expect(await store.checkProjection()).toEqual(check);
    expect(await store.listUtxos({ lockupScript: owner, limit: 10 })).toEqual([utxo]);
  });

  it('takes the same code and the same immutable state with every contract that has them', async () => {
    await add(creation('twin', 1n).changes);
    const before = await counts();
    await add(creation('other twin', 1n).changes);
    expect(await counts()).toMatchObject({ contract_immutable: before['contract_immutable'] });
  });

  it('numbers the pages of a contract in the order of acceptance, events in the order of emission', async () => {
    const query = { contractId: named('c'), start: 0, limit: 100 };
    expect(await store.contractEvents(query)).toEqual({ events: [], nextStart: 0 });
    expect(await store.eventPageCount(query.contractId)).toBe(0);
    const one = await add(
      onlyEvents(event('c', 't1', 1, i256(1n)), event('d', 't1', 2), event('c', 't2', -128), event('c', 't2', 127)),
    );
    const two = await add(onlyEvents(event('c', 't3', 3)));
    const shown = [
      [one, named('t1'), 1, [i256(1n)]],
      [one, named('t2'), -128, []],
      [one, named('t2'), 127, []],
      [two, named('t3'), 3, []],
    ];
    const all = await store.contractEvents(query);
    expect([all.events.map(seen), all.nextStart]).toEqual([shown, 2]);
    const part = async (start: number, limit: number): Promise<unknown> => {
      const { events, nextStart } = await store.contractEvents({ ...query, start, limit });
      return [events.map(seen), nextStart];
    };
    expect(await part(0, 1)).toEqual([shown.slice(0, 3), 1]);
    expect(await part(1, 1)).toEqual([shown.slice(3), 2]);
    expect(await part(2, 100)).toEqual([[], 2]);
    expect(await part(2 ** 31 - 1, 100)).toEqual([[], 2 ** 31 - 1]);
    expect(await store.eventPageCount(query.contractId)).toBe(2);
    expect(await store.eventPageCount(named('d'))).toBe(1);
    expect((await store.transactionEvents(named('t1'))).map(({ contractId }) => contractId)).toEqual([
      named('c'),
      named('d'),
    ]);
    expect((await store.blockEvents(one)).map(({ eventIndex }) => eventIndex)).toEqual([1, 2, -128, 127]);
    expect([...(await store.eventsOfBlocks([two, one, named('none')])).keys()].sort()).toEqual([one, two].sort());
    // The fields of each, and 100 bytes.
    const ofBlock = await store.blockEvents(one);
    const bytes = ofBlock.reduce((sum, { fields }) => sum + fields.length + 100, 0);
    expect(await store.blockEvents(one, bytes)).toEqual(ofBlock);
    const tooLarge = { code: 'AnswerTooLarge' };
    await expect(store.blockEvents(one, bytes - 1)).rejects.toMatchObject(tooLarge);
    await expect(store.transactionEvents(named('t1'), 100)).rejects.toMatchObject(tooLarge);
    await expect(store.contractEvents({ ...query, start: 0, limit: 100, maxBytes: 100 })).rejects.toMatchObject(
      tooLarge,
    );
    const plain = (await store.blockSizes([one], { withEvents: false })).get(one)!;
    expect((await store.blockBody(one))?.length).toBe(plain);
    expect((await store.blockSizes([one], { withEvents: true })).get(one)).toBe(plain + bytes);
  });

  it('takes so many events that each of many statements holds nothing else', async () => {
    const events = Array.from({ length: 1500 }, (_, i) => event('many', `${Math.floor(i / 3)}`, i % 3));
    const hash = await add(onlyEvents(...events));
    expect((await store.blockEvents(hash)).map(({ txId, eventIndex }) => [txId, eventIndex])).toEqual(
      events.map(({ transactionId, eventIndex }) => [transactionId, eventIndex]),
    );
  });

  it('leaves debug messages out of the events of a contract only', async () => {
    const block = await add(onlyEvents(event('debug', 'd1', -3, bytes(3)), event('debug', 'd1', 4)));
    const { events, nextStart } = await store.contractEvents({ contractId: named('debug'), start: 0, limit: 10 });
    expect([events.map(({ eventIndex }) => eventIndex), nextStart]).toEqual([[4], 1]);
    expect((await store.transactionEvents(named('d1'))).map(({ eventIndex }) => eventIndex)).toEqual([-3, 4]);
    expect(await store.blockEvents(block)).toHaveLength(2);
  });

  it('hides the events of a branch that lost, keeps their pages, and shows them by block hash', async () => {
    const parent = head;
    const contractId = named('forked');
    const losing = await add(onlyEvents(event('forked', 'f1', 1)));
    const beside = fork(parent, losing, false, onlyEvents(event('forked', 'f1', 1)));
    await store.commitBlock(beside);
    const indexes = async (): Promise<unknown> => {
      const { events, nextStart } = await store.contractEvents({ contractId, start: 0, limit: 10 });
      return [events.map(({ blockHash }) => blockHash), nextStart];
    };
    expect(await indexes()).toEqual([[losing], 2]);
    expect((await store.transactionEvents(named('f1'))).map(({ blockHash }) => blockHash)).toEqual([losing]);
    expect(await store.blockEvents(beside.header.hash)).toHaveLength(1);
    const winning = fork(parent, losing, true, onlyEvents(event('forked', 'f1', 1), event('forked', 'f2', 2)));
    await store.commitBlock({
      ...winning,
      orders: [{ height: winning.height, hashes: [winning.header.hash, losing, beside.header.hash] }],
    });
    head = winning.header.hash;
    expect(await indexes()).toEqual([[head, head], 3]);
    expect((await store.transactionEvents(named('f1'))).map(({ blockHash }) => blockHash)).toEqual([head]);
    expect(await store.blockEvents(losing)).toHaveLength(1);
    expect(await store.eventPageCount(contractId)).toBe(3);
    // Back again: the order of the heights alone decides.
    await store.writeOrders([{ height: winning.height, hashes: [losing, head, beside.header.hash] }]);
    expect(await indexes()).toEqual([[losing], 3]);
    await store.writeOrders([{ height: winning.height, hashes: [head, losing, beside.header.hash] }]);
  });

  it('writes nothing of a commit that fails, and no second page of a block that is accepted again', async () => {
    const contractId = named('again');
    const { changes } = creation('again', 1n);
    const events = [event('again', 'a1', 1), event('again', 'a1', 2)];
    const commit = chain.block(head, { contracts: { ...changes, events } });
    const before = await counts();
    const missing = inventedUtxo({ lockupScript: owner, amount: 1n }).reference;
    const broken = { ...commit, worldState: { ...commit.worldState!, removed: [missing] } };
    await expect(store.commitBlock(broken)).rejects.toThrow('projection');
    expect(await counts()).toEqual(before);
    expect(await store.eventPageCount(contractId)).toBe(0);
    await store.commitBlock(commit);
    await expect(store.commitBlock(commit)).rejects.toThrow();
    await store.reread();
    const page = await store.contractEvents({ contractId, start: 0, limit: 10 });
    expect([page.events.map(({ eventIndex }) => eventIndex), page.nextStart]).toEqual([[1, 2], 1]);
    head = commit.header.hash;
    stores = await stores.reopen();
    store = await stores.store(group);
    expect(await store.contractEvents({ contractId, start: 0, limit: 10 })).toEqual(page);
    await add(onlyEvents(event('again', 'a2', 3)));
    expect(await store.eventPageCount(contractId)).toBe(2);
  });

  it('gives the blocks of one commit their pages in order, more of them than a statement takes', async () => {
    const many = Array.from({ length: 1200 }, (_, i) => event(`many ${i % 600}`, 'm1', i % 100));
    const first = chain.block(head, { contracts: onlyEvents(...many) });
    const second = chain.block(first.header.hash, { contracts: onlyEvents(...many.slice(0, 700)) });
    await store.commitBlocks([first, second]);
    head = second.header.hash;
    for (const i of [0, 99, 100, 599]) {
      const contractId = named(`many ${i}`);
      expect(await store.eventPageCount(contractId)).toBe(2);
      const { events } = await store.contractEvents({ contractId, start: 0, limit: 10 });
      expect(events.map(({ blockHash }) => blockHash)).toEqual([
        ...[first, first].map(({ header }) => header.hash),
        ...(i < 100 ? [head, head] : [head]),
      ]);
    }
    expect(await store.blockEvents(first.header.hash)).toHaveLength(1200);
    expect((await store.transactionEvents(named('m1'))).length).toBe(1900);
  });

  it('bears events of 8 MB, and ends a page of answers early where they are', async () => {
    const contractId = named('large');
    const large = onlyEvents(
      event('large', 'l1', 1, bytes(8 * 2 ** 20)),
      ...Array.from({ length: 40 }, (_, i) => event('large', 'l1', i, bytes(200_000))),
    );
    const block = await add(large);
    await add(onlyEvents(event('large', 'l2', 2)));
    const first = await store.contractEvents({ contractId, start: 0, limit: 100 });
    expect([first.events.length, first.nextStart]).toEqual([41, 1]);
    // Not by the comparison of jest, which takes seconds for so many bytes.
    expect(Buffer.compare(first.events[0]!.fields, encode(valsCodec, [bytes(8 * 2 ** 20)]))).toBe(0);
    const second = await store.contractEvents({ contractId, start: 1, limit: 100 });
    expect([second.events.length, second.nextStart]).toEqual([1, 2]);
    expect(await store.blockEvents(block)).toHaveLength(41);
  });
});

interface PageStep {
  readonly block: string;
  readonly tx: string;
  readonly fields: readonly { readonly type: string; readonly value: string }[];
  readonly page: number;
  readonly offset: number;
  readonly stored: boolean;
}
interface PageQuery {
  readonly query: string;
  readonly pages?: readonly number[];
  readonly nextStart?: number;
  readonly result?: number;
  readonly refs?: readonly (readonly [number, number])[];
}
const { eventPages } = readVectors<{ eventPages?: { steps: readonly PageStep[]; queries: readonly PageQuery[] } }>(
  'contract-state.json',
);

const comparePages =
  ({ steps, queries }: NonNullable<typeof eventPages>) =>
  (openStores: () => Promise<TestStores>): void => {
    it('pages, references and counter, with the blocks that are not canonical shown for the comparison', async () => {
      const stores = await openStores();
      const store = await stores.store(group);
      const chain = new InventedChain(group);
      await store.commitBlocks(chain.genesis);
      const stored = steps.filter((step) => step.stored);
      const hashes = new Map<string, Hash>();
      for (const block of new Set(stored.map((step) => step.block))) {
        const events = stored
          .filter((step) => step.block === block)
          .map(({ tx, fields: [index, ...rest] }) =>
            event(
              'c',
              tx,
              Number(index!.value),
              ...rest.map(({ value }): Val => ({ type: 'U256', value: BigInt(value) })),
            ),
          );
        const commit = chain.block(chain.genesisHash, { contracts: onlyEvents(...events) }, { projection: undefined });
        const { hash } = commit.header;
        // Every order is written with the block alone, so that all of them are shown.
        await store.commitBlock({ ...commit, orders: [{ height: 1, hashes: [hash] }] });
        hashes.set(block, hash);
      }
      const places = new Map<string, readonly [number, number]>();
      for (const [block, hash] of hashes) {
        const own = stored.filter((step) => step.block === block);
        const found = await store.blockEvents(hash);
        expect(found).toHaveLength(own.length);
        own.forEach(({ page, offset }, i) => places.set(`${hash} ${i}`, [page, offset]));
      }
      const placesOf = (events: readonly StoredEvent[]): unknown[] => {
        const next = new Map<Hash, number>();
        return events.map(({ blockHash }) => {
          const i = next.get(blockHash) ?? 0;
          next.set(blockHash, i + 1);
          return places.get(`${blockHash} ${i}`);
        });
      };
      const contractId = named('c');
      for (const { query, pages, nextStart, result, refs } of queries) {
        const range = /^by contract, start (\d+)(?:, limit (\d+))?$/.exec(query);
        const named1 = /^by (tx|block) (.+)$/.exec(query);
        if (range) {
          const answer = await store.contractEvents({
            contractId,
            start: Number(range[1]),
            limit: Number(range[2] ?? 100),
          });
          expect(answer.nextStart).toBe(nextStart);
          expect([...new Set(answer.events.map(({ blockHash }) => blockHash))]).toHaveLength(pages!.length);
        } else if (named1) {
          const [, kind, name] = named1;
          const events =
            kind === 'tx' ? await store.transactionEvents(named(name!)) : await store.blockEvents(hashes.get(name!)!);
          expect(placesOf(events)).toEqual(refs);
        } else {
          expect(query).toBe('current count');
          expect(await store.eventPageCount(contractId)).toBe(result);
        }
      }
      await stores.remove();
    });
  };

// The project's own copy lacks the section.
if (eventPages) overEachStore('contract-state.json eventPages', comparePages(eventPages));

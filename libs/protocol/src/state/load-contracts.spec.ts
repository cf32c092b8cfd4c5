import { describe, expect, it } from '@jest/globals';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { type Hash, outputHint, zeroHash } from '@shardnode/protocol/primitives';
import { MemoryContractState } from '@shardnode/testing/contract-state';
import {
  applyChanges,
  ContractCode,
  ContractLayer,
  ContractMiss,
  contractStateKey,
  contractStateOf,
  type ImmutableEntryStore,
  LoadedImmutables,
  LoadedNodes,
  loadContracts,
  loadMissing,
  loadMissingImmutables,
  recordOfStateValue,
  StateMiss,
  TrieFault,
  trieGet,
  type TrieNodeStore,
} from './index.js';

const named = (name: string): Hash => blake2bHash(new TextEncoder().encode(name));
const ids = Array.from({ length: 300 }, (_, i) => named(`contract ${i}`));

/** A state of many contracts, a third of them with the same code, behind a store that counts its round trips. */
const manyContracts = (): {
  readonly memory: MemoryContractState;
  readonly store: TrieNodeStore & ImmutableEntryStore & { nodeTrips: number; immutableTrips: number };
} => {
  const memory = new MemoryContractState();
  const layer = memory.layer();
  for (const [i, id] of ids.entries()) {
    const code = ContractCode.of({ fieldLength: i % 3 === 0 ? 0 : i, methods: [] });
    const outputReference = { hint: outputHint({ kind: 'p2c', contractId: id }), key: named(`output ${i}`) };
    layer.putCode(code);
    layer.putOutput(outputReference, { kind: 'contract', amount: BigInt(i), contractId: id, tokens: [] });
    const immutableState = { codeHash: code.hash, initialStateHash: zeroHash, immutableFields: [] };
    layer.putRecord(id, {
      mutableFields: [],
      outputReference,
      immutableStateHash: layer.putImmutableState(immutableState),
    });
  }
  const { immutable } = layer.changes();
  memory.apply(layer.changes());
  const pick = (hashes: readonly Hash[], get: (hash: Hash) => Uint8Array | undefined): Map<Hash, Uint8Array> =>
    new Map(hashes.flatMap((hash) => (get(hash) ? [[hash, get(hash)!]] : [])));
  return {
    memory,
    store: {
      nodeTrips: 0,
      immutableTrips: 0,
      async loadNodes(hashes) {
        this.nodeTrips++;
        return pick(hashes, (hash) => memory.nodes.get(hash));
      },
      async loadImmutables(hashes) {
        this.immutableTrips++;
        return pick(hashes, (hash) => immutable.get(hash));
      },
    },
  };
};

describe('contracts that are not in memory', () => {
  it('are loaded with all that belongs to them, in round trips that do not grow with their number', async () => {
    const { memory, store } = manyContracts();
    const cold = { store, nodes: new LoadedNodes(), immutables: new LoadedImmutables() };
    await loadContracts(cold, memory.state, [...ids, zeroHash, named('nobody')]);
    expect(store.nodeTrips).toBeLessThan(16);
    expect(store.immutableTrips).toBe(2);
    const { nodeTrips } = store;
    await loadContracts(cold, memory.state, ids);
    expect([store.nodeTrips, store.immutableTrips]).toEqual([nodeTrips, 2]);
    const layer = ContractLayer.overState(contractStateOf(cold.nodes, cold.immutables, memory.state));
    for (const [i, id] of ids.entries()) {
      const record = layer.record(id)!;
      expect(layer.contractOutput(record.outputReference)!.amount).toBe(BigInt(i));
      expect(layer.code(layer.immutableState(record.immutableStateHash).codeHash).contract.methods).toEqual([]);
    }
    expect(layer.exists(named('nobody'))).toBe(false);
    expect(layer.exists(zeroHash)).toBe(true);
  });

  it('are named by a miss, so that one load is enough', async () => {
    const { memory, store } = manyContracts();
    const [nodes, immutables] = [new LoadedNodes(), new LoadedImmutables()];
    const read = (): unknown => {
      const layer = ContractLayer.overState(contractStateOf(nodes, immutables, memory.state));
      const { immutableStateHash, outputReference } = layer.record(ids[7]!)!;
      return [layer.code(layer.immutableState(immutableStateHash).codeHash), layer.contractOutput(outputReference)];
    };
    let runs = 0;
    for (;;) {
      runs++;
      try {
        read();
        break;
      } catch (error) {
        if (!(error instanceof ContractMiss)) throw error;
        expect(error.place).toEqual({
          contractRoot: memory.state.contractRoot,
          outputRoot: memory.state.outputRoot,
          contractId: ids[7],
        });
        await loadContracts({ store, nodes, immutables }, error.place, [error.place.contractId]);
      }
    }
    expect(runs).toBe(2);
  });

  it('are missed in both tries at once when changes are applied', async () => {
    const { memory, store } = manyContracts();
    const layer = memory.layer();
    for (const id of ids.slice(0, 20)) {
      layer.removeOutput(layer.record(id)!.outputReference);
      layer.removeRecord(id);
    }
    const changes = layer.changes();
    const nodes = new LoadedNodes();
    const none = { removed: [], added: [] };
    let rounds = 0;
    const apply = (): ReturnType<typeof applyChanges> | undefined => {
      try {
        return applyChanges(nodes, memory.state, none, changes);
      } catch (error) {
        if (!(error instanceof StateMiss)) throw error;
        if (rounds++ === 0) expect(error.nodeHashes).toEqual([memory.state.outputRoot, memory.state.contractRoot]);
        missing = error.nodeHashes;
        return undefined;
      }
    };
    let missing: readonly Hash[] = [];
    let applied = apply();
    for (; !applied; applied = apply()) await loadMissing(store, nodes, missing);
    expect(rounds).toBeLessThan(8);
    expect(applied.state).toEqual(memory.apply(changes));
    for (const hash of applied.replaced) expect(applied.added.has(hash)).toBe(false);
  });

  it('that the store lacks are a fault', async () => {
    const { store } = manyContracts();
    const load = loadMissingImmutables(store, new LoadedImmutables(), [named('nowhere')]);
    await expect(load).rejects.toThrow(TrieFault);
  });
});

describe('a value of the contract trie (protocol 04 §4.2)', () => {
  it('is a record, or the placeholder, or a fault', () => {
    const { memory } = manyContracts();
    const valueOf = (id: Hash): Uint8Array => trieGet(memory.nodes, memory.state.contractRoot, contractStateKey(id))!;
    expect(recordOfStateValue(valueOf(ids[3]!))?.outputReference.key).toBe(named('output 3'));
    expect(recordOfStateValue(valueOf(zeroHash))).toBeUndefined();
    for (const broken of [new Uint8Array(0), valueOf(ids[3]!).slice(1), valueOf(zeroHash).slice(0, -1)]) {
      expect(() => recordOfStateValue(broken)).toThrow(/^DecodingError/);
    }
  });
});

describe('immutable entries in memory', () => {
  it('are forgotten beyond the limit, oldest first, unless somebody holds them', () => {
    const values = Array.from({ length: 100 }, (_, i): [Hash, Uint8Array] => {
      const layer = new MemoryContractState().layer();
      layer.putCode(ContractCode.of({ fieldLength: i, methods: [] }));
      return [...layer.changes().immutable][0]!;
    });
    const entries = new LoadedImmutables(20_000);
    const release = entries.hold();
    entries.add(values);
    expect(values.every(([hash]) => entries.has(hash))).toBe(true);
    release();
    entries.add(values.slice(0, 1));
    const next = new LoadedImmutables(20_000);
    next.add(values);
    expect(next.size).toBeLessThan(50);
    expect(next.has(values.at(-1)![0])).toBe(true);
    expect(next.has(values[0]![0])).toBe(false);
    expect(() => next.add([[named('broken'), Uint8Array.of(2, 0)]])).toThrow(TrieFault);
    expect(() => next.add([[named('broken'), Uint8Array.of(1, 0, 0, 0)]])).toThrow(TrieFault);
    expect(() => next.add([[named('empty'), new Uint8Array(0)]])).toThrow(TrieFault);
  });
});

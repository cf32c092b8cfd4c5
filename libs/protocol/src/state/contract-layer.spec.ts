import { describe, expect, it } from '@jest/globals';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { type Hash, outputHint, type OutputReference, referenceId, zeroHash } from '@shardnode/protocol/primitives';
import { type Contract } from '@shardnode/protocol/script';
import { type ContractOutput } from '@shardnode/protocol/transaction';
import { MemoryContractState } from '@shardnode/testing/contract-state';
import { fc } from '@shardnode/testing/properties';
import {
  ContractCode,
  ContractLayer,
  type ContractRecord,
  contractStateOf,
  LoadedImmutables,
  LoadedNodes,
  StateMiss,
  stateHash,
  TrieFault,
} from './index.js';

const named = (name: string): Hash => blake2bHash(new TextEncoder().encode(name));
const ids = ['a', 'b', 'c', 'd'].map(named);
const referenceTo = (id: Hash, version: number): OutputReference => ({
  hint: outputHint({ kind: 'p2c', contractId: id }),
  key: named(`${id} ${version}`),
});
const recordOf = (id: Hash, version: number): ContractRecord => ({
  mutableFields: [{ type: 'U256', value: BigInt(version) }],
  outputReference: referenceTo(id, version),
  immutableStateHash: named('immutable'),
});
const outputOf = (contractId: Hash, version: number): ContractOutput => ({
  kind: 'contract',
  amount: BigInt(version) + 1n,
  contractId,
  tokens: [],
});
const contract = (pops: number): Contract => ({
  fieldLength: 0,
  methods: [
    {
      isPublic: true,
      assetModifier: 0,
      argsLength: 0,
      localsLength: 0,
      returnLength: 0,
      instructions: Array.from({ length: pops }, () => ({ code: 0x18 })),
    },
  ],
});

/** What a script may do to a contract; whether its changes are kept decides the end of the script. */
type Step =
  | { readonly kind: 'put'; readonly id: Hash; readonly version: number }
  | { readonly kind: 'remove'; readonly id: Hash }
  | { readonly kind: 'log'; readonly id: Hash };
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('put' as const),
    id: fc.constantFrom(...ids),
    version: fc.integer({ min: 0, max: 5 }),
  }),
  fc.record({ kind: fc.constant('remove' as const), id: fc.constantFrom(...ids) }),
  fc.record({ kind: fc.constant('log' as const), id: fc.constantFrom(...ids) }),
);
const script = fc.record({ kept: fc.boolean(), steps: fc.array(step, { maxLength: 8 }) });
const blocks = fc.array(fc.array(script, { maxLength: 5 }), { maxLength: 4 });

/** The whole of it in plain maps: versions by contract, and what was logged. */
interface Model {
  readonly versions: Map<Hash, number>;
  readonly logged: Hash[];
}
const copyOf = ({ versions, logged }: Model): Model => ({ versions: new Map(versions), logged: [...logged] });

const run = (layer: ContractLayer, model: Model, steps: readonly Step[]): void => {
  for (const { kind, id, ...rest } of steps) {
    const before = model.versions.get(id);
    if (kind === 'log') {
      layer.log({ contractId: id, transactionId: zeroHash, eventIndex: 0, fields: [] });
      model.logged.push(id);
      continue;
    }
    if (kind === 'remove' && before === undefined) {
      expect(() => layer.removeRecord(id)).toThrow(TrieFault);
      expect(() => layer.removeOutput(referenceTo(id, 0))).toThrow(TrieFault);
      continue;
    }
    if (before !== undefined) layer.removeOutput(referenceTo(id, before));
    if (kind === 'remove') {
      layer.removeRecord(id);
      model.versions.delete(id);
      continue;
    }
    const { version } = rest as { version: number };
    layer.putRecord(id, recordOf(id, version));
    layer.putOutput(referenceTo(id, version), outputOf(id, version));
    model.versions.set(id, version);
  }
};

const expectLike = (layer: ContractLayer, { versions }: Model): void => {
  for (const id of ids) {
    const version = versions.get(id);
    expect(layer.exists(id)).toBe(version !== undefined);
    expect(layer.record(id)).toEqual(version === undefined ? undefined : recordOf(id, version));
    for (let other = 0; other <= 5; other++) {
      const output = other === version ? outputOf(id, other) : undefined;
      expect(layer.contractOutput(referenceTo(id, other))).toEqual(output);
    }
  }
};

/** The state that has exactly these contracts, made at once. */
const stateOf = ({ versions }: Model): Hash => {
  const memory = new MemoryContractState();
  const layer = memory.layer();
  for (const [id, version] of versions) {
    layer.putRecord(id, recordOf(id, version));
    layer.putOutput(referenceTo(id, version), outputOf(id, version));
  }
  return stateHash(memory.apply(layer.changes()));
};

describe('layers of contract changes (protocol 04 §7)', () => {
  it('show what a plain map shows, through blocks, scripts that fail, and scripts that are kept', () => {
    fc.assert(
      fc.property(blocks, (history) => {
        const memory = new MemoryContractState();
        let model: Model = { versions: new Map(), logged: [] };
        for (const scripts of history) {
          const block = memory.layer();
          const logged = model.logged.length;
          for (const { kept, steps } of scripts) {
            const [child, after] = [block.child(), copyOf(model)];
            run(child, after, steps);
            expectLike(child, after);
            expectLike(block, model);
            if (!kept) continue;
            child.keep();
            model = after;
            expectLike(block, model);
          }
          const changes = block.changes();
          expect(changes.events.map(({ contractId }) => contractId)).toEqual(model.logged.slice(logged));
          expect([...changes.records.keys()]).toEqual([...changes.records.keys()].sort());
          expect([...changes.outputs.keys()]).toEqual([...changes.outputs.keys()].sort());
          expect(stateHash(memory.apply(changes))).toBe(stateOf(model));
          expectLike(memory.layer(), model);
        }
      }),
      { numRuns: 150 },
    );
  });

  it('leave nothing of what was inserted and removed again', () => {
    const layer = new MemoryContractState().layer();
    const child = layer.child();
    child.putRecord(ids[0]!, recordOf(ids[0]!, 1));
    child.putOutput(referenceTo(ids[0]!, 1), outputOf(ids[0]!, 1));
    child.keep();
    const second = layer.child();
    second.removeRecord(ids[0]!);
    second.removeOutput(referenceTo(ids[0]!, 1));
    second.keep();
    const { records, outputs } = layer.changes();
    expect([records.size, outputs.size]).toEqual([0, 0]);
    expect(() => layer.removeRecord(ids[0]!)).toThrow(TrieFault);
    expect(() => layer.removeOutput(referenceTo(ids[0]!, 1))).toThrow(TrieFault);
    expect(referenceId(referenceTo(ids[0]!, 1))).toHaveLength(72);
  });

  it('name what is not in memory, nodes and entries alike', () => {
    const memory = new MemoryContractState();
    const nodes = new LoadedNodes();
    const layer = ContractLayer.overState(contractStateOf(nodes, new LoadedImmutables(), memory.state));
    const missOf = (read: () => unknown): StateMiss => {
      try {
        read();
      } catch (error) {
        if (error instanceof StateMiss) return error;
        throw error;
      }
      throw new Error('nothing was missed');
    };
    expect(missOf(() => layer.exists(ids[0]!)).nodeHashes).toEqual([memory.state.contractRoot]);
    expect(missOf(() => layer.contractOutput(referenceTo(ids[0]!, 1))).nodeHashes).toEqual([memory.state.outputRoot]);
    expect(missOf(() => layer.child().immutableState(ids[0]!))).toMatchObject({
      nodeHashes: [],
      immutableHashes: [ids[0]],
    });
    expect(missOf(() => layer.child().code(ids[1]!)).immutableHashes).toEqual([ids[1]]);
  });
});

describe('code objects (protocol 05 §6.10)', () => {
  const stored = (): { memory: MemoryContractState; hash: Hash } => {
    const memory = new MemoryContractState();
    const layer = memory.layer();
    const code = ContractCode.of(contract(1));
    layer.putCode(code);
    memory.apply(layer.changes());
    return { memory, hash: code.hash };
  };

  it('are one object for a block, whether the script that loaded it is kept or not, and a new one for the next', () => {
    const { memory, hash } = stored();
    const block = memory.layer();
    const failed = block.child();
    const first = failed.code(hash);
    first.selectors.found.set(7, 0);
    expect(block.child().code(hash)).toBe(first);
    expect(block.code(hash)).toBe(first);
    expect(memory.layer().code(hash)).not.toBe(first);
    expect(memory.layer().code(hash).selectors).toEqual({ found: new Map(), position: -1 });
    expect(first.bytes).toEqual(ContractCode.of(contract(1)).bytes);
    expect(first.methodAreaLength).toBe(ContractCode.of(contract(1)).methodAreaLength);
  });

  it('that a script puts are seen by it, and by later scripts if it is kept', () => {
    const { memory, hash } = stored();
    const block = memory.layer();
    const loaded = block.child().code(hash);
    const failing = block.child();
    const dropped = ContractCode.of(contract(1));
    failing.putCode(dropped);
    expect(failing.code(hash)).toBe(dropped);
    expect(block.child().code(hash)).toBe(loaded);
    const kept = block.child();
    const put = ContractCode.of(contract(1));
    kept.putCode(put);
    kept.keep();
    expect(block.child().code(hash)).toBe(put);
  });

  it('of a kind that the entry is not are a fault', () => {
    const { memory, hash } = stored();
    expect(() => memory.layer().immutableState(hash)).toThrow(TrieFault);
  });
});

import { describe, expect, it } from '@jest/globals';
import { parseAddress } from '@shardnode/protocol/address';
import { bytesToHex, decode, encode, hexToBytes } from '@shardnode/protocol/encoding';
import { type Hash, zeroHash } from '@shardnode/protocol/primitives';
import { contractCodec, contractCodeHash, type Val, valCodec, valsCodec } from '@shardnode/protocol/script';
import { type ContractOutput, outputKey } from '@shardnode/protocol/transaction';
import { MemoryContractState } from '@shardnode/testing/contract-state';
import { readVectors } from '@shardnode/testing/vectors';
import {
  ContractCode,
  type ContractLayer,
  contractRecordCodec,
  type ContractRecord,
  decodeImmutable,
  immutableStateCodec,
  immutableStateHashOf,
  initialStateHashOf,
  outputOfStateValue,
  readOutput,
  referenceOfKey,
  stateHash,
} from './index.js';

type Json = Record<string, unknown>;
const vectors = readVectors<Record<string, Json[] & Json>>('contract-state.json');
const bytesOf = (hex: unknown): Uint8Array => hexToBytes(hex as string);

const valOf = ({ type, value }: Json): Val => {
  switch (type as Val['type']) {
    case 'Bool':
      return { type: 'Bool', value: value as boolean };
    case 'I256':
      return { type: 'I256', value: BigInt(value as string) };
    case 'U256':
      return { type: 'U256', value: BigInt(value as string) };
    case 'ByteVec':
      return { type: 'ByteVec', value: bytesOf(value) };
    case 'Address':
      return { type: 'Address', value: parseAddress(value as string)! };
  }
};
const valsOf = (vals: unknown): Val[] => (vals as Json[]).map(valOf);

const contractOutputOf = (hex: unknown): ContractOutput => {
  const output = outputOfStateValue(bytesOf(hex));
  if (output.kind !== 'contract') throw new Error('no contract output');
  return output;
};

/** What a step of the life cycle writes, as the machine would. */
const stage = (layer: ContractLayer, step: Json, contractId: Hash): void => {
  for (const { key, value } of (step.immutableStore ?? []) as { key: Hash; value: string }[]) {
    const entry = decodeImmutable(hexToBytes(value));
    if (entry.kind === 'state') expect(layer.putImmutableState(entry.state)).toBe(key);
    else {
      const code = ContractCode.of(entry.contract);
      expect(code.hash).toBe(key);
      layer.putCode(code);
    }
  }
  if (step.removedOutputKey !== undefined) layer.removeOutput(referenceOfKey(bytesOf(step.removedOutputKey)));
  if (step.outputKey !== undefined) {
    const reference = referenceOfKey(bytesOf(step.outputKey));
    expect(reference.key).toBe(outputKey(step.txId as Hash, step.outputIndex as number));
    layer.putOutput(reference, contractOutputOf(step.outputValue));
  }
  if (step.record !== undefined) layer.putRecord(contractId, decode(contractRecordCodec, bytesOf(step.record)));
};

const walkers: Record<string, (section: Json[] & Json) => void> = {
  description: () => undefined,
  valEncodings: ({ cases }) => {
    it.each((cases as Json[]).map((entry) => [`${String(entry.type)} ${String(entry.value)}`, entry] as const))(
      '%s',
      (_, entry) => {
        expect(bytesToHex(encode(valCodec, valOf(entry)))).toBe(entry.bytes);
        expect(decode(valCodec, bytesOf(entry.bytes))).toEqual(valOf(entry));
      },
    );
  },
  hashes: (section) => {
    it.each(section.map((entry) => [entry.name, entry] as const))('%s', (_, entry) => {
      const contract = decode(contractCodec, bytesOf(entry.bytecode));
      const codeHash = contractCodeHash(contract);
      const [immutableFields, mutableFields] = [valsOf(entry.immFields), valsOf(entry.mutFields)];
      expect(codeHash).toBe(entry.codeHash);
      expect(codeHash + bytesToHex(encode(valsCodec, [...immutableFields, ...mutableFields]))).toBe(
        entry.initialStatePreimage,
      );
      const initialStateHash = initialStateHashOf(codeHash, immutableFields, mutableFields);
      expect(initialStateHash).toBe(entry.initialStateHash);
      const state = { codeHash, initialStateHash, immutableFields };
      expect(bytesToHex(encode(immutableStateCodec, state))).toBe(entry.immutableStateBytes);
      expect(immutableStateHashOf(state)).toBe(entry.immutableStateHash);
    });
  },
  lifeCycle: ({ steps }) => {
    const [initial, create, ...later] = steps as [Json, Json, ...Json[]];
    const contractId = create.contractId as Hash;
    const memory = new MemoryContractState();
    const expectRoots = (step: Json): void => {
      expect(memory.state.outputRoot).toBe(step.outputRoot);
      expect(memory.state.contractRoot).toBe(step.contractRoot);
      expect(stateHash(memory.state)).toBe(step.stateHash);
    };
    it('gives the roots and entries of every step', () => {
      expectRoots(initial);
      for (const step of [create, ...later]) {
        const layer = memory.layer();
        const script = layer.child();
        if (String(step.step).startsWith('destroy')) {
          script.removeOutput(script.record(contractId)!.outputReference);
          script.removeRecord(contractId);
        } else {
          stage(script, step, contractId);
        }
        script.keep();
        const changes = layer.changes();
        const entries = (step.immutableStore ?? []) as { key: Hash; value: string }[];
        expect(Object.fromEntries([...changes.immutable].map(([key, value]) => [key, bytesToHex(value)]))).toEqual(
          Object.fromEntries(entries.map(({ key, value }) => [key, value])),
        );
        memory.apply(changes);
        expectRoots(step);
        const read = memory.layer();
        if (step.record !== undefined) {
          expect(bytesToHex(encode(contractRecordCodec, read.record(contractId)!))).toBe(step.record);
        }
        if (step.outputValue !== undefined) {
          const { outputReference } = read.record(contractId)!;
          expect(read.contractOutput(outputReference)).toEqual(contractOutputOf(step.outputValue));
          expect(readOutput(memory.nodes, memory.state.outputRoot, outputReference)).toEqual(
            contractOutputOf(step.outputValue),
          );
        }
      }
      expect(memory.layer().exists(contractId)).toBe(false);
    });
  },
  /** Pages and their order are the store's. */
  eventPages: () => undefined,
  systemEventContractIds: () => undefined,
};

describe('contract-state.json', () => {
  for (const [name, section] of Object.entries(vectors)) {
    describe(name, () => {
      const walk = walkers[name];
      if (walk) walk(section);
      it('has a walker', () => expect(walk).toBeDefined());
    });
  }
});

describe('the placeholder under the all-zero id (protocol 04 §3.4)', () => {
  it('exists in every state, and is no contract', () => {
    const layer = new MemoryContractState().layer();
    expect(layer.exists(zeroHash)).toBe(true);
    expect(layer.record(zeroHash)).toBeUndefined();
    expect(layer.exists('11'.repeat(32))).toBe(false);
  });

  it('gives way to a real contract and comes back in the next state without it', () => {
    const memory = new MemoryContractState();
    const { state } = memory;
    const record: ContractRecord = {
      mutableFields: [],
      outputReference: { hint: 0, key: '22'.repeat(32) },
      immutableStateHash: '33'.repeat(32),
    };
    const layer = memory.layer();
    layer.putRecord(zeroHash, record);
    expect(layer.record(zeroHash)).toEqual(record);
    memory.apply(layer.changes());
    expect(memory.layer().record(zeroHash)).toEqual(record);
    memory.state = state;
    expect(memory.layer().record(zeroHash)).toBeUndefined();
  });
});

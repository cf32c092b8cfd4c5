import { contractIdOf } from '@shardnode/protocol/address';
import { blake2bHash } from '@shardnode/protocol/crypto';
import { type Hash, outputHint } from '@shardnode/protocol/primitives';
import { type Val } from '@shardnode/protocol/script';
import {
  compareKeys,
  ContractCode,
  contractStateKey,
  contractStateValue,
  outputStateKey,
  outputStateValue,
  type TrieChange,
  type TrieNodesInMemory,
  trieUpdate,
  type WorldState,
} from '@shardnode/protocol/state';
import { instruction as op, methodOf } from '@shardnode/testing/builders';
import { MemoryContractState } from '@shardnode/testing/contract-state';

/** Counts its calls. */
const counter = ContractCode.of({
  fieldLength: 1,
  methods: [methodOf([op('LoadMutField', 0), op('U256Const1'), op('U256Add'), op('StoreMutField', 0)])],
});
const zero: Val = { type: 'U256', value: 0n };

/** The id of a contract of a crowd, by its number. */
export const idInCrowd = (number: number): Hash =>
  contractIdOf(blake2bHash(new TextEncoder().encode('parent')), number, 0);

const sortedByKey = (changes: TrieChange[]): TrieChange[] => changes.sort((a, b) => compareKeys(a.key, b.key));

/** A state with a crowd of contracts of one code: what is new in the trie store and in the immutable one. */
export interface Crowded {
  readonly state: WorldState;
  readonly added: ReadonlyMap<Hash, Uint8Array>;
  readonly immutable: ReadonlyMap<Hash, Uint8Array>;
}

/** The state with so many contracts more, each with its output. */
export const withCrowd = (nodes: TrieNodesInMemory, state: WorldState, count: number): Crowded => {
  const layer = new MemoryContractState().layer();
  layer.putCode(counter);
  const immutable = { codeHash: counter.hash, initialStateHash: counter.hash, immutableFields: [] };
  const immutableStateHash = layer.putImmutableState(immutable);
  const outputs: TrieChange[] = [];
  const records: TrieChange[] = [];
  for (let i = 0; i < count; i++) {
    const contractId = idInCrowd(i);
    const outputReference = { hint: outputHint({ kind: 'p2c', contractId }), key: contractId };
    const output = { kind: 'contract', amount: 10n ** 17n, contractId, tokens: [] } as const;
    const record = { mutableFields: [zero], outputReference, immutableStateHash };
    outputs.push({ key: outputStateKey(outputReference), value: outputStateValue(output) });
    records.push({ key: contractStateKey(contractId), value: contractStateValue(record) });
  }
  const output = trieUpdate(nodes, state.outputRoot, sortedByKey(outputs));
  const contract = trieUpdate(nodes, state.contractRoot, sortedByKey(records));
  return {
    state: { ...state, outputRoot: output.root, contractRoot: contract.root },
    added: new Map([...output.added, ...contract.added]),
    immutable: layer.changes().immutable,
  };
};

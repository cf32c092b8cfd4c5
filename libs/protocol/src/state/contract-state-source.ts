import { type Hash, type OutputReference } from '../primitives/index.js';
import { type Contract } from '../script/index.js';
import { type ContractOutput } from '../transaction/index.js';
import { type ContractRecord, contractStateKey, type ImmutableState, recordOfStateValue } from './contract-records.js';
import { type ImmutableEntriesInMemory, type ImmutableEntry } from './immutable-entries.js';
import { readOutput } from './output-state.js';
import { ContractMiss, StateMiss } from './state-miss.js';
import { TrieFault } from './trie/trie-fault.js';
import { trieGet } from './trie/trie-get.js';
import { type TrieNodesInMemory } from './trie-node-source.js';
import { type WorldState } from './world-state.js';

/** The contracts of one world state, read only. Data that is not in memory throws StateMiss; broken data TrieFault. */
export interface ContractStateSource {
  /** True for the all-zero id: its placeholder is in every state (protocol 04 §3.4). */
  exists(contractId: Hash): boolean;
  /** Undefined for the placeholder too. */
  record(contractId: Hash): ContractRecord | undefined;
  contractOutput(reference: OutputReference): ContractOutput | undefined;
  immutableState(hash: Hash): ImmutableState;
  /** The code as stored; `ContractLayer` creates the object with the selector memo. */
  contract(codeHash: Hash): Contract;
}

const entryOf = <Kind extends ImmutableEntry['kind']>(
  entries: ImmutableEntriesInMemory,
  hash: Hash,
  kind: Kind,
): Extract<ImmutableEntry, { kind: Kind }> => {
  const entry = entries.entry(hash);
  if (!entry) throw new StateMiss([], [hash]);
  if (entry.kind !== kind) {
    throw new TrieFault('DecodingError', `${hash} of the immutable store is of kind ${entry.kind}, not ${kind}`);
  }
  return entry as Extract<ImmutableEntry, { kind: Kind }>;
};

/** The contracts of a world state over trie nodes and immutable entries in memory (protocol 04 §4). */
export const contractStateOf = (
  nodes: TrieNodesInMemory,
  entries: ImmutableEntriesInMemory,
  state: Pick<WorldState, 'outputRoot' | 'contractRoot'>,
): ContractStateSource => {
  const { contractRoot, outputRoot } = state;
  const valueOf = (contractId: Hash): Uint8Array | undefined => {
    try {
      return trieGet(nodes, contractRoot, contractStateKey(contractId));
    } catch (error) {
      throw error instanceof StateMiss ? new ContractMiss({ contractRoot, outputRoot, contractId }, error) : error;
    }
  };
  return {
    exists: (id) => valueOf(id) !== undefined,
    record: (id) => {
      const value = valueOf(id);
      return value && recordOfStateValue(value);
    },
    contractOutput: (reference) => {
      const output = readOutput(nodes, outputRoot, reference);
      return output?.kind === 'contract' ? output : undefined;
    },
    immutableState: (hash) => entryOf(entries, hash, 'state').state,
    contract: (hash) => entryOf(entries, hash, 'code').contract,
  };
};

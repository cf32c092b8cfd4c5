import {
  ContractLayer,
  contractStateOf,
  type ContractRecord,
  type ImmutableState,
  type WorldState,
} from '@shardnode/protocol/state';
import { type Contract } from '@shardnode/protocol/script';
import { type Hash } from '@shardnode/protocol/primitives';
import { type ContractOutput } from '@shardnode/protocol/transaction';
import { type GroupMemory } from '../memory/group-memory.js';

type ContractRoots = Pick<WorldState, 'outputRoot' | 'contractRoot'>;

/**
 * A new layer over the contracts of a state, for a block, a template or a dry run: make one for each run, inside
 * `GroupMemory.loaded`. Its reads throw StateMiss.
 */
export const contractLayer = (
  { nodes, immutables }: Pick<GroupMemory, 'nodes' | 'immutables'>,
  state: ContractRoots,
): ContractLayer => ContractLayer.overState(contractStateOf(nodes, immutables, state));

/** All data of a contract in a state (protocol 04 §4.4). */
export interface ContractAtState {
  readonly record: ContractRecord;
  readonly immutableState: ImmutableState;
  readonly contract: Contract;
  readonly output: ContractOutput;
}

/** The contract in a state; undefined when it is absent. The placeholder of the all-zero id is no contract. */
export const contractAt = (
  memory: GroupMemory,
  state: ContractRoots,
  contractId: Hash,
): Promise<ContractAtState | undefined> =>
  memory.loaded(() => {
    const source = contractStateOf(memory.nodes, memory.immutables, state);
    const record = source.record(contractId);
    if (!record) return undefined;
    const immutableState = source.immutableState(record.immutableStateHash);
    const output = source.contractOutput(record.outputReference);
    if (!output) throw new Error(`contract ${contractId} has no output in the state`);
    return { record, immutableState, contract: source.contract(immutableState.codeHash), output };
  });

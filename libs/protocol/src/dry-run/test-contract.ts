import { type Hash } from '../primitives/index.js';
import { contractCodeHash } from '../script/index.js';
import { ContractCode, type ContractLayer } from '../state/index.js';
import {
  contractStateIn,
  type ContractState,
  createdContracts,
  destroyedContracts,
  type GivenContract,
  putGivenContract,
} from './contracts.js';
import { dryRun, type DryRun, type DryRunRefusal } from './dry-run.js';
import { type DryRunCall } from './entry.js';
import { type BlockEnvironment } from '../vm/index.js';

export interface ContractTest {
  readonly block: BlockEnvironment;
  /** The state besides the contracts of the test; discarded afterwards. */
  readonly layer: ContractLayer;
  readonly contract: GivenContract;
  readonly existingContracts: readonly GivenContract[];
  /** Without contract id: calls the contract of the test. */
  readonly call: Omit<DryRunCall, 'contractId'>;
}

export type ContractTestOutcome =
  | ({
      readonly kind: 'succeeded';
      /** Hash of the code as given, or of the new one if the contract migrated. */
      readonly codeHash: Hash;
      /** Created ones, remaining existing ones, then that of the test if it remains. */
      readonly contracts: readonly ContractState[];
    } & Omit<DryRun, 'layer'>)
  | DryRunRefusal
  /** A contract has another number of fields than its code says. */
  | { readonly kind: 'fields'; readonly contract: GivenContract };

const hasItsFields = ({ contract, immutableFields, mutableFields }: GivenContract): boolean =>
  immutableFields.length + mutableFields.length === contract.fieldLength;

/** The run makes its method public; the result contains the code as given. */
const asGiven = (state: ContractState, { contract }: GivenContract): ContractState =>
  state.code.hash === contractCodeHash(contract) ? { ...state, contract, code: ContractCode.of(contract) } : state;

const statesAfter = ({ block, contract, existingContracts }: ContractTest, run: DryRun): readonly ContractState[] => {
  const destroyed = new Set(destroyedContracts(run.events, block.group));
  const ids = [
    ...createdContracts(run.events, block.group),
    ...existingContracts.map(({ id }) => id).filter((id) => !destroyed.has(id)),
    ...(destroyed.has(contract.id) ? [] : [contract.id]),
  ];
  return ids.flatMap((id) => contractStateIn(run.layer, id) ?? []).map((state) => asGiven(state, contract));
};

/** Runs a method of a contract that is not on the chain (protocol 05 §14.2). Throws StateMiss. */
export const testContract = (test: ContractTest): ContractTestOutcome => {
  const { block, contract, existingContracts, call } = test;
  const wrong = [...existingContracts, contract].find((given) => !hasItsFields(given));
  if (wrong) return { kind: 'fields', contract: wrong };
  const layer = test.layer.child();
  for (const existing of existingContracts) putGivenContract(layer, existing);
  putGivenContract(layer, contract, call.methodIndex);
  const outcome = dryRun({ block, layer, call: { ...call, contractId: contract.id } }, contract.contract.methods);
  if (outcome.kind !== 'succeeded') return outcome;
  const contracts = statesAfter(test, outcome);
  const own = contracts.find(({ id }) => id === contract.id);
  return { ...outcome, codeHash: own?.code.hash ?? contractCodeHash(contract.contract), contracts };
};

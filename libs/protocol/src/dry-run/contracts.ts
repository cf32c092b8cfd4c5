import { type Hash, outputHint } from '../primitives/index.js';
import { type Contract, type Val } from '../script/index.js';
import { ContractCode, type ContractLayer, initialStateHashOf, type LogEntry } from '../state/index.js';
import { type Token } from '../transaction/index.js';
import { creationEventsId, destructionEventsId } from '../vm/index.js';

/** A contract that is not on the chain. */
export interface GivenContract {
  readonly id: Hash;
  readonly contract: Contract;
  readonly immutableFields: readonly Val[];
  readonly mutableFields: readonly Val[];
  /** attoCoin */
  readonly amount: bigint;
  readonly tokens: readonly Token[];
}

/** The state of a contract (protocol 04 §4). */
export interface ContractState extends GivenContract {
  readonly code: ContractCode;
  readonly initialStateHash: Hash;
}

/** Undefined for a contract that does not exist. */
export const contractStateIn = (layer: ContractLayer, id: Hash): ContractState | undefined => {
  const record = layer.record(id);
  if (!record) return undefined;
  const { codeHash, initialStateHash, immutableFields } = layer.immutableState(record.immutableStateHash);
  const code = layer.code(codeHash);
  const output = layer.contractOutput(record.outputReference);
  if (!output) throw new Error(`contract ${id} has no output`);
  const { amount, tokens } = output;
  const { mutableFields } = record;
  return { id, code, contract: code.contract, initialStateHash, immutableFields, mutableFields, amount, tokens };
};

/** The code as given, but with the method public: its hash stays that of the code as given (protocol 05 §14.2). */
const withPublicMethod = (contract: Contract, methodIndex: number): ContractCode => {
  const given = ContractCode.of(contract);
  const methods = contract.methods.map((method, index) =>
    index === methodIndex ? { ...method, isPublic: true } : method,
  );
  return ContractCode.stored(given.hash, { ...contract, methods });
};

/** Puts a contract into the layer without the checks of a creation; can make a method public (protocol 05 §14.2). */
export const putGivenContract = (layer: ContractLayer, given: GivenContract, publicMethod?: number): void => {
  const { id, contract, immutableFields, mutableFields, amount, tokens } = given;
  const code = publicMethod === undefined ? ContractCode.of(contract) : withPublicMethod(contract, publicMethod);
  const outputReference = { hint: outputHint({ kind: 'p2c', contractId: id }), key: id };
  layer.putCode(code);
  const immutableStateHash = layer.putImmutableState({
    codeHash: code.hash,
    initialStateHash: initialStateHashOf(code.hash, immutableFields, mutableFields),
    immutableFields,
  });
  layer.putRecord(id, { mutableFields, outputReference, immutableStateHash });
  layer.putOutput(outputReference, { kind: 'contract', amount, contractId: id, tokens });
};

const contractsOf = (events: readonly LogEntry[], systemId: Hash): Hash[] =>
  events
    .filter(({ contractId }) => contractId === systemId)
    .flatMap(({ fields: [first] }) =>
      first?.type === 'Address' && first.value.kind === 'p2c' ? [first.value.contractId] : [],
    );

/** Ids of contracts that a run of a group created, and destroyed, in order. */
export const createdContracts = (events: readonly LogEntry[], group: number): Hash[] =>
  contractsOf(events, creationEventsId(group));
export const destroyedContracts = (events: readonly LogEntry[], group: number): Hash[] =>
  contractsOf(events, destructionEventsId(group));

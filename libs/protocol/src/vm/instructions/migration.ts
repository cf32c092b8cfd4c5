import { type Hash } from '../../primitives/index.js';
import { type Contract, type Val } from '../../script/index.js';
import { ContractCode } from '../../state/index.js';
import { isInCallerTrace } from '../caller-trace.js';
import { type ContractObject } from '../code-object.js';
import { chargeFields, checkFieldCount, popCodeOfMigration, popFields } from '../contract-code-checks.js';
import { currentContract, sessionOf } from '../contract-session.js';
import { type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { returnAtOnce } from '../frames.js';
import { type Machine } from '../machine.js';

interface Fields {
  readonly immutable: readonly Val[];
  readonly mutable: readonly Val[];
}

/** The contract that migrates: it may run in no frame below the current one (protocol 05 §10.5 step 2). */
const migratingContract = (machine: Machine): ContractObject => {
  const contract = currentContract(machine);
  const caller = machine.frame.caller ?? fail('NoCaller');
  if (isInCallerTrace(caller, contract.id)) fail('UnexpectedRecursiveCallInMigration');
  return contract;
};

const replace = (machine: Machine, contractId: Hash, initialStateHash: Hash, code: Contract, fields: Fields): void => {
  const { layer, pool } = sessionOf(machine);
  const newCode = ContractCode.of(code);
  layer.putCode(newCode);
  const immutableStateHash = layer.putImmutableState({
    codeHash: newCode.hash,
    initialStateHash,
    immutableFields: fields.immutable,
  });
  const { outputReference } = layer.record(contractId)!;
  layer.putRecord(contractId, { mutableFields: fields.mutable, outputReference, immutableStateHash });
  pool.remove(contractId);
  pool.block(contractId);
};

/** protocol 05 §10.5; without new fields the contract keeps its current ones. */
const migrate = (machine: Machine, newFields: Fields | undefined): void => {
  const code = popCodeOfMigration(machine);
  const contract = migratingContract(machine);
  const fields = newFields ?? { immutable: contract.immutableFields, mutable: [...contract.mutableFields] };
  const all = [...fields.immutable, ...fields.mutable];
  checkFieldCount(code, all);
  chargeFields(machine, all);
  replace(machine, contract.id, contract.immutableState.initialStateHash, code, fields);
  returnAtOnce(machine);
};

export const migrationInstructions: InstructionImplementations = {
  MigrateSimple: (machine) => migrate(machine, undefined),
  MigrateWithFields: (machine) => {
    const mutable = popFields(machine);
    migrate(machine, { mutable, immutable: popFields(machine) });
  },
};

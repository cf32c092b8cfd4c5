import { subContractIdOf } from '../../address/index.js';
import { type Hash, type LockupScript, lockupScriptId, zeroHash } from '../../primitives/index.js';
import { type ContractObject } from '../code-object.js';
import { type AssetOutput } from '../../transaction/index.js';
import { currentContract, sessionOf } from '../contract-session.js';
import { type InstructionImplementations } from '../execute.js';
import { fail } from '../failure.js';
import { type Frame } from '../frame.js';
import { gasOfSubContractId } from '../gas.js';
import { type Machine } from '../machine.js';

const contractAddress = (contractId: Hash): LockupScript => ({ kind: 'p2c', contractId });

const callerOf = (machine: Machine): Frame => machine.frame.caller ?? fail('NoCaller');

const callingContract = (machine: Machine): ContractObject => {
  const { code } = callerOf(machine);
  return code.kind === 'contract' ? code : fail('ExpectStatefulContractObj');
};

const distinctAddresses = (inputs: readonly AssetOutput[]): readonly LockupScript[] => [
  ...new Map(inputs.map(({ lockupScript }) => [lockupScriptId(lockupScript), lockupScript])).values(),
];

/** Cache by the inputs of a transaction, for loops. */
const knownAddresses = new WeakMap<readonly AssetOutput[], readonly LockupScript[]>();

/** The address of all asset inputs, if it is one (protocol 05 §6.9). */
const uniqueInputAddress = (machine: Machine): LockupScript => {
  const { inputs } = machine.transaction;
  machine.charge(3 + inputs.length);
  const addresses = knownAddresses.get(inputs) ?? distinctAddresses(inputs);
  knownAddresses.set(inputs, addresses);
  const [first, ...others] = addresses;
  if (first === undefined) return fail('NoTxInput');
  return others.length === 0 ? first : fail('TxInputAddressesAreNotIdentical', addresses);
};

const callerAddress = (machine: Machine): LockupScript => {
  const code = machine.frame.caller?.code;
  return code?.kind === 'contract' ? contractAddress(code.id) : uniqueInputAddress(machine);
};

const loadFromStack = (machine: Machine): ContractObject => sessionOf(machine).load(machine.popContractId());

const pushSubContractId = (machine: Machine, parentId: Hash, path: Uint8Array): void => {
  const length = 32 + path.length;
  machine.charge(3 + length + gasOfSubContractId(path.length));
  machine.pushId(subContractIdOf(parentId, path, machine.block.group));
};

/** protocol 05 §6.9 */
export const contractInformationInstructions: InstructionImplementations = {
  SelfContractId: (machine) => machine.pushId(currentContract(machine).id),
  SelfAddress: (machine) => machine.pushAddress(contractAddress(currentContract(machine).id)),
  CallerContractId: (machine) => {
    const { code } = callerOf(machine);
    machine.pushId(code.kind === 'contract' ? code.id : fail('ExpectAContract'));
  },
  CallerAddress: (machine) => machine.pushAddress(callerAddress(machine)),
  IsCalledFromTxScript: (machine) => machine.pushBool(callerOf(machine).code.kind === 'script'),
  CallerInitialStateHash: (machine) => machine.pushId(callingContract(machine).immutableState.initialStateHash),
  CallerCodeHash: (machine) => machine.pushId(callingContract(machine).immutableState.codeHash),
  ContractInitialStateHash: (machine) => machine.pushId(loadFromStack(machine).immutableState.initialStateHash),
  ContractCodeHash: (machine) => machine.pushId(loadFromStack(machine).immutableState.codeHash),
  ContractExists: (machine) => machine.pushBool(sessionOf(machine).layer.exists(machine.popContractId())),
  NullContractAddress: (machine) => machine.pushAddress(contractAddress(zeroHash)),
  CoinTokenId: (machine) => machine.pushId(zeroHash),
  SubContractId: (machine) => {
    const path = machine.popBytes();
    pushSubContractId(machine, currentContract(machine).id, path);
  },
  SubContractIdOf: (machine) => {
    const path = machine.popBytes();
    pushSubContractId(machine, machine.popContractId(), path);
  },
};
